import type { Chain } from '../../server/chain/chain-port.ts'

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
