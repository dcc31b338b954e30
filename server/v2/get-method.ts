import { methodId } from '../../shared/fields/method-id.ts'
import type { Cell } from '../cell/cell.ts'
import type { AccountState, Chain } from '../chain/chain-port.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { VmStackValue } from '../tlb/vm-stack/vm-stack.ts'

/** Result of a get-method. */
export interface Ran {
  readonly exitCode: number
  /** Bottom first. */
  readonly stack: readonly VmStackValue[]
  readonly state: AccountState
}

/** Calls get-methods by name, all at one block. */
export const methodCaller =
  (chain: Chain, at: BlockId | number | undefined, signal: AbortSignal) =>
  async (id: AccountId, name: string, args: readonly VmStackValue[] = []): Promise<Ran> => {
    const { exitCode, stack, state } = await chain.runGetMethod(id, methodId(name), args, at, signal)
    return { exitCode, stack, state }
  }
export type CallMethod = ReturnType<typeof methodCaller>

/** An integer as an argument. */
export const int = (value: bigint): VmStackValue => ({ type: 'int', value })

/** The value of an integer entry; undefined for any other entry. */
export const asInt = (value: VmStackValue | undefined): bigint | undefined => (value?.type === 'int' ? value.value : undefined)
/** The cell of a cell entry; undefined for any other entry. */
export const asCell = (value: VmStackValue | undefined): Cell | undefined => (value?.type === 'cell' ? value.cell : undefined)
