import type { Address, Cell as CoreCell, TupleItem } from '@ton/core'
import { Cell as Core, parseTuple, serializeTuple } from '@ton/core'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import { loadShardAccount, type ShardAccount } from '../../../server/tlb/state/shard-account.ts'
import { loadVmStack, storeVmStack, type VmStackValue } from '../../../server/tlb/vm-stack/vm-stack.ts'

/* Converts values of @ton/core to those of the TVM interface, and back. */

export const ownCell = (cell: CoreCell): Cell => parseBocRoot(cell.toBoc())
export const coreCell = (cell: Cell): CoreCell => Core.fromBoc(Buffer.from(serializeBoc(cell)))[0]!
/** From a BoC of ShardAccount. */
export const accountOf = (boc: Uint8Array): ShardAccount => loadShardAccount(parseBocRoot(boc).slice())
export const idOf = (address: Address): AccountId => ({ workchain: address.workChain, hash: address.hash })
export const stackOf = (items: TupleItem[] = []): readonly VmStackValue[] => loadVmStack(ownCell(serializeTuple(items)))
export const stackItems = (stack: readonly VmStackValue[]): TupleItem[] => parseTuple(coreCell(storeVmStack(stack)))
