import { TonError } from '../../shared/errors.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import type { Cell } from '../cell/cell.ts'
import type { Chain } from '../chain/chain-port.ts'
import { createLibraries } from '../emulate/libraries.ts'
import type { AccountId } from '../tlb/ids.ts'
import { unpackConfig } from '../tvm/executor/config.ts'
import { runVmGetMethod } from '../tvm/get-method.ts'
import { VmInterrupted } from '../tvm/machine/exceptions.ts'
import type { Value } from '../tvm/machine/value.ts'

/* Runs get-methods in the calling thread, also of contracts that are not deployed, and records the cells that each run hashes. */

const GAS = 4_000_000
/** Maximum milliseconds of one run, which holds the thread, and of all runs of a call. Methods of real jettons take about one. */
const MAX_RUN = 100
const MAX_TIME = 4_000
const SEED = new Uint8Array(32)

export interface Contract {
  readonly id: AccountId
  readonly code: Cell
  readonly data: Cell
}

export interface GetMethodRun {
  readonly exitCode: number
  /** From the bottom of the stack to its top. */
  readonly stack: readonly Value[]
  readonly hashed: readonly Cell[]
}

export type RunHere = (contract: Contract, method: string, args?: readonly Value[]) => Promise<GetMethodRun>

/**
 * Returns a function that runs get-methods for one call to the service, all at the newest block. A run that is not finished MAX_TIME after this call throws
 * TonError.
 */
export const createRunHere = async (chain: Chain, signal: AbortSignal): Promise<RunHere> => {
  const { id: at } = chain.head()
  const config = unpackConfig((await chain.config(at, signal)).root)
  const { info } = await chain.blockHeader(at, signal)
  const libraries = createLibraries(chain, at, signal)
  const until = performance.now() + MAX_TIME
  return async ({ id, code, data }, method, args = []) => {
    await libraries.addFor(code)
    for (;;) {
      signal.throwIfAborted()
      await yieldToEventLoop()
      const hashed: Cell[] = []
      const end = Math.min(until, performance.now() + MAX_RUN)
      try {
        const root = libraries.root()
        const { exitCode, stack, missingLibrary } = runVmGetMethod({
          ...{ code, data, address: id, balance: 1_000_000_000n, config, methodId: methodId(method), stack: args, hashed },
          ...{ now: info.genUtime, randomSeed: SEED, gasLimit: GAS, libraries: root && [root], interrupt: () => performance.now() > end },
        })
        if (missingLibrary === undefined || !(await libraries.add(missingLibrary))) return { exitCode, stack, hashed }
      } catch (error) {
        if (!(error instanceof VmInterrupted)) throw error
        if (performance.now() > until) throw new TonError('CHAIN', `${method} and other get-methods of the jetton take too long`)
        return { exitCode: -14, stack: [], hashed }
      }
    }
  }
}
