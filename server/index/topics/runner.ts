import { setTimeout as sleep } from 'node:timers/promises'
import { methodId } from '../../../shared/fields/method-id.ts'
import type { Cell } from '../../cell/cell.ts'
import { CellError } from '../../cell/error.ts'
import type { BlockConfig } from '../../chain/configs.ts'
import { type FetchLibraries, libraryHash, runWithLibraries } from '../../chain/run-method.ts'
import { loadVmStack, storeVmStack, type VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'
import { type Tvm, TvmError } from '../../tvm/tvm.ts'
import type { AccountCode, AccountView, MethodAnswer } from './topic.ts'

/* Get-methods for extensions: what they say depends on the account's state, its time and the configuration, never on when they are run. */

/** Gas of one run: what a lite-server gives is 300,000, what TON Center's engine gives 4,000,000. */
const GAS_LIMIT = 1_000_000n
/** The TVM's codes for no code, and for no gas left: what a run that cannot come to an end is told as. */
const NO_CODE = -13
const OUT_OF_GAS = -14
const TRIES = 3
const PAUSE_MS = 200

const NO_STACK: readonly VmStackValue[] = []

const readStack = (stack: Cell): readonly VmStackValue[] => {
  try {
    return loadVmStack(stack)
  } catch (error) {
    // A stack that is too deep to be read is no answer.
    if (error instanceof CellError) return NO_STACK
    throw error
  }
}

/** Runs a method on a state that is at hand. */
export const runMethod = async (
  tvm: Pick<Tvm, 'runGetMethod'>,
  account: Pick<AccountView, 'id' | 'balance' | 'utime'>,
  state: AccountCode | undefined,
  method: string | number,
  stack: readonly VmStackValue[],
  config: Pick<BlockConfig, 'tvm'>,
  libraries: FetchLibraries,
  signal: AbortSignal,
): Promise<MethodAnswer> => {
  if (state === undefined) return { exitCode: NO_CODE, stack: NO_STACK }
  const { id, balance, utime } = account
  const request = {
    config: config.tvm(),
    code: state.code,
    data: state.data,
    address: id,
    balance,
    methodId: typeof method === 'number' ? method : methodId(method),
    stack: storeVmStack(stack),
    now: utime,
    // The same for the same state.
    randomSeed: state.data.hash(),
    gasLimit: GAS_LIMIT,
  }
  const own = libraryHash(state.code)
  const hints = new Map(own === undefined ? [] : [[Buffer.from(own).toString('hex'), own]])
  for (let left = TRIES; ; ) {
    try {
      const result = await runWithLibraries(tvm, request, undefined, hints, libraries, signal)
      return { exitCode: result.exitCode, stack: readStack(result.stack) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TvmError) || error.kind === 'closed') throw error
      // A busy TVM is waited for; a contract that it cannot come to an end with fails, or the index would never go on.
      if (error.kind !== 'overloaded' && --left === 0) return { exitCode: OUT_OF_GAS, stack: NO_STACK }
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}
