import { type AugSpec, loadAugE, storeAugE } from '../../cell/aug.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries, dictMinMax } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag, loadMaybe, storeHash, storeMaybe } from '../common.ts'
import { emittedLt, loadMsgEnvelope } from '../message/msg-envelope.ts'

/*
 * _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg;
 * _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;      (key: next workchain int32, next address prefix uint64, message hash)
 * processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto;
 * _ (HashmapE 96 ProcessedUpto) = ProcessedInfo;             (key: shard uint64, masterchain seqno uint32)
 * _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue;
 * _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue;
 * out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra;
 * _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
 * (before 2024: ... ihr_pending:IhrPendingInfo in place of extra; its empty dictionary is the same bit as extra:nothing)
 */

export interface EnqueuedMsg {
  readonly enqueuedLt: bigint
  /** Cell of a MsgEnvelope. */
  readonly outMsg: Cell
}
export interface ProcessedUpto {
  readonly shard: bigint
  readonly mcSeqno: number
  readonly lastMsgLt: bigint
  readonly lastMsgHash: Uint8Array
}
export interface AccountDispatchQueue {
  /** Root of Hashmap 64 EnqueuedMsg by lt. */
  readonly messages: Cell | undefined
  readonly count: number
}
export interface OutMsgQueueExtra {
  /** Root of HashmapAug 256 AccountDispatchQueue uint64. */
  readonly dispatchQueue: Cell | undefined
  readonly outQueueSize?: number | undefined
}
export interface OutMsgQueueInfo {
  /** Root of HashmapAug 352 EnqueuedMsg uint64. */
  readonly outQueue: Cell | undefined
  /** Root of Hashmap 96 ProcessedUpto. Read by loadProcessedInfo. */
  readonly procInfo: Cell | undefined
  readonly extra?: OutMsgQueueExtra | undefined
}

export const loadEnqueuedMsg = (s: Slice): EnqueuedMsg => ({ enqueuedLt: s.loadUintBig(64), outMsg: s.loadRef() })
export const storeEnqueuedMsg = (b: Builder, msg: EnqueuedMsg): Builder => b.storeUint(msg.enqueuedLt, 64).storeRef(msg.outMsg)

const minLt = (l: bigint, r: bigint): bigint => (l < r ? l : r)

/** OutMsgQueue. The extra of a node is the smallest lt below it; 0 for an empty queue. */
export const outMsgQueueAug: AugSpec<bigint> = {
  n: 352,
  loadExtra: (s) => s.loadUintBig(64),
  storeExtra: (b, lt) => {
    b.storeUint(lt, 64)
  },
  combine: minLt,
  leafExtra: (value) => emittedLt(loadMsgEnvelope(value.preloadRef())),
  empty: 0n,
}

export const loadAccountDispatchQueue = (s: Slice): AccountDispatchQueue => ({ messages: s.loadMaybeRef(), count: s.loadUint(48) })

/** @internal DispatchQueue. The extra of a node is the smallest created_lt below it. */
export const dispatchQueueAug: AugSpec<bigint> = {
  n: 256,
  loadExtra: (s) => s.loadUintBig(64),
  storeExtra: (b, lt) => {
    b.storeUint(lt, 64)
  },
  combine: minLt,
  leafExtra: (value) => dictMinMax(value.loadMaybeRef(), 64)?.min ?? 0xffffffffffffffffn,
  empty: 0n,
}

const loadExtra = (s: Slice): OutMsgQueueExtra => {
  expectTag(s, 4, 0, 'OutMsgQueueExtra')
  return { dispatchQueue: loadAugE(s, dispatchQueueAug), outQueueSize: s.loadBit() ? s.loadUint(48) : undefined }
}

const storeExtra = (b: Builder, extra: OutMsgQueueExtra): Builder => {
  storeAugE(b.storeUint(0, 4), dispatchQueueAug, extra.dispatchQueue)
  return storeMaybe(b, extra.outQueueSize, (into, size) => into.storeUint(size, 48))
}

/** Reads an OutMsgQueueInfo. Newer states have the extra part; old states have an empty ihr_pending in its place. */
export const loadOutMsgQueueInfo = (cell: Cell): OutMsgQueueInfo => {
  const s = cell.slice()
  const info = { outQueue: loadAugE(s, outMsgQueueAug), procInfo: s.loadMaybeRef(), extra: loadMaybe(s, loadExtra) }
  s.end()
  return info
}

export const storeOutMsgQueueInfo = (info: OutMsgQueueInfo): Cell => {
  const b = beginCell()
  storeAugE(b, outMsgQueueAug, info.outQueue)
  return storeMaybe(b.storeMaybeRef(info.procInfo), info.extra, storeExtra).end()
}

/** Maximum number of edges of a ProcessedInfo, which has a few rows for each shard. */
const MAX_PROCESSED_CELLS = 1 << 16

/** ProcessedInfo as rows, ascending by shard and masterchain seqno. */
export const loadProcessedInfo = (root: Cell | undefined): ProcessedUpto[] =>
  [...dictEntries(root, 96, { cells: MAX_PROCESSED_CELLS })].map(([key, value]) => ({
    shard: key >> 32n,
    mcSeqno: Number(key & 0xffffffffn),
    lastMsgLt: value.loadUintBig(64),
    lastMsgHash: value.loadBytes(32),
  }))

export const storeProcessedInfo = (rows: readonly ProcessedUpto[]): Cell | undefined =>
  dictFromEntries(
    96,
    rows.map((row) => {
      const value = storeHash(beginCell().storeUint(row.lastMsgLt, 64), row.lastMsgHash)
      return [(row.shard << 32n) | BigInt(row.mcSeqno), value] as const
    }),
  )
