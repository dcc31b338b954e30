import { methodId } from '../../shared/fields/method-id.ts'
import type { Call } from '../base/call.ts'
import type { Chain, GetMethodAnswer } from '../chain/chain-port.ts'
import { readAnswer, type ValueReader } from '../index/topics/contracts/stack-values.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { VmStackValue } from '../tlb/vm-stack/vm-stack.ts'

/** Returns a function that calls get-methods by name, all at the block `at`. */
export const methodCaller =
  (chain: Chain, at: BlockId | number | undefined, call: Call) =>
  async (id: AccountId, name: string, args: readonly VmStackValue[] = []): Promise<GetMethodAnswer> =>
    chain.runGetMethod(id, methodId(name), args, at, call.signal, { call })
export type CallMethod = ReturnType<typeof methodCaller>

/**
 * The first values of a run that ended with exit code 0, in the order of the readers; undefined for other runs, and if a reader does not accept its value.
 */
export const readValues = <const R extends readonly ValueReader[]>(run: GetMethodAnswer, ...readers: R) =>
  run.exitCode === 0 ? readAnswer(run, ...readers) : undefined
