import { methodId } from '../../shared/fields/method-id.ts'
import type { Call } from '../base/call.ts'
import type { Cell } from '../cell/cell.ts'
import type { Chain, GetMethodAnswer } from '../chain/chain-port.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { VmStackValue } from '../tlb/vm-stack/vm-stack.ts'

/** Returns a function that calls get-methods by name, all at the block `at`. */
export const methodCaller =
  (chain: Chain, at: BlockId | number | undefined, call: Call) =>
  async (id: AccountId, name: string, args: readonly VmStackValue[] = []): Promise<GetMethodAnswer> =>
    chain.runGetMethod(id, methodId(name), args, at, call.signal, { call })
export type CallMethod = ReturnType<typeof methodCaller>

export const int = (value: bigint): VmStackValue => ({ type: 'int', value })

export const asInt = (value: VmStackValue | undefined): bigint | undefined => (value?.type === 'int' ? value.value : undefined)
export const asCell = (value: VmStackValue | undefined): Cell | undefined => (value?.type === 'cell' ? value.cell : undefined)
