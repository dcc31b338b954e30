import type { Builder } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag } from '../common.ts'

/*
 * msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg;
 * msg_import_ihr$010 msg:^(Message Any) transaction:^Transaction ihr_fee:Grams proof_created:^Cell = InMsg;
 * msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
 * msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
 * msg_import_tr$101  in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:Grams = InMsg;
 * msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams = InMsg;
 * msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams proof_delivered:^Cell = InMsg;
 * msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
 * msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope = InMsg;
 */

/**
 * The record of a message that came into a block. Envelopes, messages and transactions are cells: loadMsgEnvelope, loadMessage and loadTransaction read
 * them.
 */
export type InMsg =
  | { readonly type: 'import-ext'; readonly msg: Cell; readonly transaction: Cell }
  | { readonly type: 'import-ihr'; readonly msg: Cell; readonly transaction: Cell; readonly ihrFee: bigint; readonly proofCreated: Cell }
  | {
      readonly type: 'import-imm' | 'import-fin' | 'import-deferred-fin'
      readonly inMsg: Cell
      readonly transaction: Cell
      readonly fwdFee: bigint
    }
  | { readonly type: 'import-tr'; readonly inMsg: Cell; readonly outMsg: Cell; readonly transitFee: bigint }
  | { readonly type: 'discard-fin'; readonly inMsg: Cell; readonly transactionId: bigint; readonly fwdFee: bigint }
  | {
      readonly type: 'discard-tr'
      readonly inMsg: Cell
      readonly transactionId: bigint
      readonly fwdFee: bigint
      readonly proofDelivered: Cell
    }
  | { readonly type: 'import-deferred-tr'; readonly inMsg: Cell; readonly outMsg: Cell }

const loadFinal = (s: Slice, type: 'import-imm' | 'import-fin' | 'import-deferred-fin'): InMsg => ({
  type,
  inMsg: s.loadRef(),
  transaction: s.loadRef(),
  fwdFee: s.loadCoins(),
})

const loadDeferred = (s: Slice): InMsg => {
  // $001 is the common prefix of the two tags of five bits.
  const last = s.loadUint(2)
  if (last === 0) return loadFinal(s, 'import-deferred-fin')
  if (last === 1) return { type: 'import-deferred-tr', inMsg: s.loadRef(), outMsg: s.loadRef() }
  throw badTag('InMsg', (4 + last).toString(2).padStart(5, '0'))
}

export const loadInMsg = (s: Slice): InMsg => {
  const tag = s.loadUint(3)
  switch (tag) {
    case 0:
      return { type: 'import-ext', msg: s.loadRef(), transaction: s.loadRef() }
    case 1:
      return loadDeferred(s)
    case 2:
      return { type: 'import-ihr', msg: s.loadRef(), transaction: s.loadRef(), ihrFee: s.loadCoins(), proofCreated: s.loadRef() }
    case 3:
      return loadFinal(s, 'import-imm')
    case 4:
      return loadFinal(s, 'import-fin')
    case 5:
      return { type: 'import-tr', inMsg: s.loadRef(), outMsg: s.loadRef(), transitFee: s.loadCoins() }
    case 6:
      return { type: 'discard-fin', inMsg: s.loadRef(), transactionId: s.loadUintBig(64), fwdFee: s.loadCoins() }
    default:
      return {
        type: 'discard-tr',
        inMsg: s.loadRef(),
        transactionId: s.loadUintBig(64),
        fwdFee: s.loadCoins(),
        proofDelivered: s.loadRef(),
      }
  }
}

const FINAL_TAGS = { 'import-imm': [3, 3], 'import-fin': [4, 3], 'import-deferred-fin': [4, 5] } as const

export const storeInMsg = (b: Builder, msg: InMsg): Builder => {
  switch (msg.type) {
    case 'import-ext':
      return b.storeUint(0, 3).storeRef(msg.msg).storeRef(msg.transaction)
    case 'import-ihr':
      return b.storeUint(2, 3).storeRef(msg.msg).storeRef(msg.transaction).storeCoins(msg.ihrFee).storeRef(msg.proofCreated)
    case 'import-imm':
    case 'import-fin':
    case 'import-deferred-fin': {
      const [tag, bits] = FINAL_TAGS[msg.type]
      return b.storeUint(tag, bits).storeRef(msg.inMsg).storeRef(msg.transaction).storeCoins(msg.fwdFee)
    }
    case 'import-tr':
      return b.storeUint(5, 3).storeRef(msg.inMsg).storeRef(msg.outMsg).storeCoins(msg.transitFee)
    case 'discard-fin':
      return b.storeUint(6, 3).storeRef(msg.inMsg).storeUint(msg.transactionId, 64).storeCoins(msg.fwdFee)
    case 'discard-tr':
      return b.storeUint(7, 3).storeRef(msg.inMsg).storeUint(msg.transactionId, 64).storeCoins(msg.fwdFee).storeRef(msg.proofDelivered)
    case 'import-deferred-tr':
      return b.storeUint(5, 5).storeRef(msg.inMsg).storeRef(msg.outMsg)
  }
}
