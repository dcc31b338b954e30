import type { Builder } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag } from '../common.ts'

/*
 * msg_export_ext$000 msg:^(Message Any) transaction:^Transaction = OutMsg;
 * msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg = OutMsg;
 * msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
 * msg_export_tr$011  out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
 * msg_export_deq$1100 out_msg:^MsgEnvelope import_block_lt:uint63 = OutMsg;
 * msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64 import_block_lt:uint64 = OutMsg;
 * msg_export_tr_req$111 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
 * msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg = OutMsg;
 * msg_export_new_defer$10100 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
 * msg_export_deferred_tr$10101 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
 */

/** The record of a message that left a block or its queue. `imported` and `reimport` are cells of InMsg, read by loadInMsg(cell.slice()). */
export type OutMsg =
  | { readonly type: 'export-ext'; readonly msg: Cell; readonly transaction: Cell }
  | { readonly type: 'export-imm'; readonly outMsg: Cell; readonly transaction: Cell; readonly reimport: Cell }
  | { readonly type: 'export-new' | 'export-new-defer'; readonly outMsg: Cell; readonly transaction: Cell }
  | { readonly type: 'export-tr' | 'export-tr-req' | 'export-deferred-tr'; readonly outMsg: Cell; readonly imported: Cell }
  | { readonly type: 'export-deq'; readonly outMsg: Cell; readonly importBlockLt: bigint }
  | {
      readonly type: 'export-deq-short'
      readonly msgEnvHash: Uint8Array
      readonly nextWorkchain: number
      readonly nextAddrPrefix: bigint
      readonly importBlockLt: bigint
    }
  | { readonly type: 'export-deq-imm'; readonly outMsg: Cell; readonly reimport: Cell }

const loadDequeued = (s: Slice): OutMsg => {
  if (!s.loadBit()) return { type: 'export-deq', outMsg: s.loadRef(), importBlockLt: s.loadUintBig(63) }
  return {
    type: 'export-deq-short',
    msgEnvHash: s.loadBytes(32),
    nextWorkchain: s.loadInt(32),
    nextAddrPrefix: s.loadUintBig(64),
    importBlockLt: s.loadUintBig(64),
  }
}

const loadDeferred = (s: Slice): OutMsg => {
  const last = s.loadUint(2)
  if (last === 0) return { type: 'export-new-defer', outMsg: s.loadRef(), transaction: s.loadRef() }
  if (last === 1) return { type: 'export-deferred-tr', outMsg: s.loadRef(), imported: s.loadRef() }
  throw badTag('OutMsg', (20 + last).toString(2))
}

export const loadOutMsg = (s: Slice): OutMsg => {
  const tag = s.loadUint(3)
  switch (tag) {
    case 0:
      return { type: 'export-ext', msg: s.loadRef(), transaction: s.loadRef() }
    case 1:
      return { type: 'export-new', outMsg: s.loadRef(), transaction: s.loadRef() }
    case 2:
      return { type: 'export-imm', outMsg: s.loadRef(), transaction: s.loadRef(), reimport: s.loadRef() }
    case 3:
      return { type: 'export-tr', outMsg: s.loadRef(), imported: s.loadRef() }
    case 4:
      return { type: 'export-deq-imm', outMsg: s.loadRef(), reimport: s.loadRef() }
    case 5:
      return loadDeferred(s)
    case 6:
      return loadDequeued(s)
    default:
      return { type: 'export-tr-req', outMsg: s.loadRef(), imported: s.loadRef() }
  }
}

const TWO_REF_TAGS = {
  'export-new': [1, 3],
  'export-tr': [3, 3],
  'export-tr-req': [7, 3],
  'export-new-defer': [20, 5],
  'export-deferred-tr': [21, 5],
} as const

export const storeOutMsg = (b: Builder, msg: OutMsg): Builder => {
  switch (msg.type) {
    case 'export-ext':
      return b.storeUint(0, 3).storeRef(msg.msg).storeRef(msg.transaction)
    case 'export-imm':
      return b.storeUint(2, 3).storeRef(msg.outMsg).storeRef(msg.transaction).storeRef(msg.reimport)
    case 'export-new':
    case 'export-new-defer': {
      const [tag, bits] = TWO_REF_TAGS[msg.type]
      return b.storeUint(tag, bits).storeRef(msg.outMsg).storeRef(msg.transaction)
    }
    case 'export-tr':
    case 'export-tr-req':
    case 'export-deferred-tr': {
      const [tag, bits] = TWO_REF_TAGS[msg.type]
      return b.storeUint(tag, bits).storeRef(msg.outMsg).storeRef(msg.imported)
    }
    case 'export-deq':
      return b.storeUint(12, 4).storeRef(msg.outMsg).storeUint(msg.importBlockLt, 63)
    case 'export-deq-short':
      b.storeUint(13, 4).storeBytes(msg.msgEnvHash).storeInt(msg.nextWorkchain, 32)
      return b.storeUint(msg.nextAddrPrefix, 64).storeUint(msg.importBlockLt, 64)
    case 'export-deq-imm':
      return b.storeUint(4, 3).storeRef(msg.outMsg).storeRef(msg.reimport)
  }
}
