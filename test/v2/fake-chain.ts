import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import type { BlockConfig } from '../../server/chain/configs.ts'

/** A chain made by hand of the members a test needs; any other one that is called throws. */
export const fakeChain = (members: Partial<Chain>): Chain =>
  new Proxy(members as Chain, {
    get: (target, name) =>
      Object.hasOwn(target, name)
        ? target[name as keyof Chain]
        : () => {
            throw new Error(`the fake chain has no ${String(name)}`)
          },
  })

/** A configuration that has only what a test gives it. */
export const fakeConfig = (members: Partial<BlockConfig> = {}): BlockConfig => ({
  root: EMPTY_CELL,
  configAddress: new Uint8Array(32),
  globalBalance: 0n,
  param: () => undefined,
  prevBlocks: undefined,
  ...members,
})
