import { createLocalChain, type LocalChainDeps, type LocalChainOptions } from '../../../server/chain/local/create.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'

/** An embedded chain for tests. By default it makes no idle blocks, its clock stands still, and warnings go to the console. */
export const createTestChain = (
  tvm: Tvm,
  options: Partial<LocalChainOptions> = {},
  deps: Partial<LocalChainDeps> = {},
): Promise<LocalChain> =>
  createLocalChain(
    { blockTimeMs: 0, globalId: -3, ...options },
    {
      tvm,
      log: {
        debug: () => {},
        info: () => {},
        warn: (event, fields) => console.warn(event, fields),
        error: (event, fields) => console.error(event, fields),
      },
      clock: { now: () => 1_760_000_000 },
      ...deps,
    },
  )
