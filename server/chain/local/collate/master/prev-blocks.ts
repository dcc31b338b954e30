import { serializeBoc } from '../../../../cell/boc.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { keyOf } from '../../bytes.ts'

/*
 * What PREVMCBLOCKS, PREVKEYBLOCK and PREVMCBLOCKS_100 see (ConfigInfo::get_prev_blocks_info of crypto/block/mc-config.cpp):
 * [ last_mc_blocks:[BlockId ...] prev_key_block:BlockId last_mc_blocks_100:[BlockId ...] ] with BlockId = [ wc shard seqno root_hash file_hash ].
 *
 * vm_stk_tinyint#01 value:int64 = VmStackValue; vm_stk_int#0201_ value:int257 = VmStackValue;
 * vm_stk_tuple#07 len:(## 16) data:(VmTuple len) = VmStackValue; vm_tuple_tcons$_ {n:#} head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);
 * vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1; vm_tupref_any$_ {n:#} ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2);
 */

/** A masterchain block by what stays of it in OldMcBlocksInfo. */
export interface OldBlock {
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

const small = (value: number): Cell => beginCell().storeUint(1, 8).storeInt(value, 64).end()
const big = (value: bigint): Cell => beginCell().storeUint(0x100, 15).storeInt(value, 257).end()

const tupleBody = (values: readonly Cell[]): Cell => {
  const b = beginCell()
  const last = values.length - 1
  if (last === 1) b.storeRef(values[0]!)
  else if (last > 1) b.storeRef(tupleBody(values.slice(0, last)))
  return b.storeRef(values[last]!).end()
}
const tuple = (values: readonly Cell[]): Cell => {
  const b = beginCell().storeUint(7, 8).storeUint(values.length, 16)
  return values.length === 0 ? b.end() : b.storeCell(tupleBody(values)).end()
}

const MASTERCHAIN = small(-1)
const WHOLE = big(1n << 63n)
const blockTuple = (block: OldBlock): Cell =>
  tuple([MASTERCHAIN, WHOLE, small(block.seqno), big(keyOf(block.rootHash)), big(keyOf(block.fileHash))])

/** VmStackValue BoC for the emulator. `at` gives a masterchain block up to and including the newest by seqno. */
export const prevBlocksTuple = (newest: number, keyBlock: number, at: (seqno: number) => OldBlock): Uint8Array => {
  const known = new Map<number, Cell>()
  const block = (seqno: number): Cell => {
    const found = known.get(seqno) ?? blockTuple(at(seqno))
    known.set(seqno, found)
    return found
  }
  const last = Array.from({ length: Math.min(16, newest + 1) }, (_, i) => block(newest - i))
  const hundred = newest - (newest % 100)
  const hundreds = Array.from({ length: Math.min(16, hundred / 100 + 1) }, (_, i) => block(hundred - 100 * i))
  // In a buffer of its own, which a batch of requests then carries to its worker once.
  return new Uint8Array(serializeBoc(tuple([tuple(last), block(keyBlock), tuple(hundreds)]), { crc32c: false }))
}
