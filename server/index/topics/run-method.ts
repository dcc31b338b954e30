import { setTimeout as sleep } from 'node:timers/promises'
import { methodId } from '../../../shared/fields/method-id.ts'
import type { BlockConfig } from '../../chain/configs.ts'
import { type FetchLibraries, runWithLibraries } from '../../chain/libraries.ts'
import type { VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'
import { type Tvm, TvmError } from '../../tvm/tvm.ts'
import type { AccountCode, AccountView, MethodAnswer } from './topic.ts'

/* The result of a get-method depends on the account's state, its time and the configuration, not on the time of the run. */

/** Gas limit of one run, that of a lite-server. Recorded contracts need 46,200 at most, and slow instructions take seconds for a million. */
const GAS_LIMIT = 300_000n
/** Maximum number of values of a result, many times what any method returns that is read here. To read and write values takes time without gas. */
const MAX_VALUES = 1_000
/** Maximum number of operations on curves. No method that is read here needs one, and those that a run has gas for take three seconds. */
const MAX_SLOW = 32
/** Maximum number of libraries of a run. For each library that is missing the run is repeated, and each time a contract can spend all its gas first. */
const MAX_LIBRARIES = 2
/** Exit codes for an account without code, and for out of gas. A run that the TVM cannot finish counts as out of gas. */
const NO_CODE = -13
const OUT_OF_GAS = -14
const PAUSE_MS = 200

const NO_STACK: readonly VmStackValue[] = []

export const runMethod = async (
  tvm: Pick<Tvm, 'runGetMethod'>,
  account: Pick<AccountView, 'id' | 'balance' | 'utime'>,
  state: AccountCode | undefined,
  method: string | number,
  stack: readonly VmStackValue[],
  config: Pick<BlockConfig, 'root'>,
  libraries: FetchLibraries,
  signal: AbortSignal,
): Promise<MethodAnswer> => {
  if (state === undefined) return { exitCode: NO_CODE, stack: NO_STACK }
  const { id, balance, utime } = account
  const request = {
    config: config.root,
    code: state.code,
    data: state.data,
    address: id,
    balance,
    methodId: typeof method === 'number' ? method : methodId(method),
    stack,
    now: utime,
    // The state determines this value, so that each run gives the same result.
    randomSeed: state.data.hash(),
    gasLimit: GAS_LIMIT,
    maxValues: MAX_VALUES,
    maxSlow: MAX_SLOW,
  }
  for (;;) {
    try {
      const result = await runWithLibraries(tvm, request, undefined, libraries, signal, MAX_LIBRARIES)
      return { exitCode: result.exitCode, stack: result.stack }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TvmError) || error.kind === 'closed') throw error
      // Only a busy TVM is tried again. Any other TVM error is the contract's, and a second try would take as long. So it becomes a failed run: otherwise one
      // contract would block the index.
      if (error.kind !== 'overloaded') return { exitCode: OUT_OF_GAS, stack: NO_STACK }
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}
