import type { Builder } from '../../cell/builder.ts'
import type { Slice } from '../../cell/slice.ts'
import {
  type ExternAddress,
  loadAddressExt,
  loadAddressInt,
  loadMaybeAddressInt,
  type MsgAddressInt,
  storeAddressExt,
  storeAddressInt,
} from '../address.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'

/*
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
 *   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
 * ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
 * ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;
 * (CommonMsgInfoRelaxed is like CommonMsgInfo, but src may also be addr_none.)
 */

export interface InternalMessageInfo {
  readonly type: 'internal'
  readonly ihrDisabled: boolean
  readonly bounce: boolean
  readonly bounced: boolean
  /** undefined for addr_none, which occurs only in actions and relaxed messages. */
  readonly src: MsgAddressInt | undefined
  readonly dest: MsgAddressInt
  readonly value: CurrencyCollection
  /** The number in extra_flags, which was ihr_fee before global version 12. */
  readonly ihrFee: bigint
  readonly fwdFee: bigint
  readonly createdLt: bigint
  readonly createdAt: number
}
export interface ExternalInMessageInfo {
  readonly type: 'external-in'
  readonly src: ExternAddress | undefined
  readonly dest: MsgAddressInt
  readonly importFee: bigint
}
export interface ExternalOutMessageInfo {
  readonly type: 'external-out'
  /** undefined for addr_none, which occurs only in actions. */
  readonly src: MsgAddressInt | undefined
  readonly dest: ExternAddress | undefined
  readonly createdLt: bigint
  readonly createdAt: number
}
export type MessageInfo = InternalMessageInfo | ExternalInMessageInfo | ExternalOutMessageInfo

const loadInternal = (s: Slice): InternalMessageInfo => {
  const flags = s.loadUint(3)
  return {
    type: 'internal',
    ihrDisabled: (flags & 4) !== 0,
    bounce: (flags & 2) !== 0,
    bounced: (flags & 1) !== 0,
    src: loadMaybeAddressInt(s),
    dest: loadAddressInt(s),
    value: loadCurrency(s),
    ihrFee: s.loadCoins(),
    fwdFee: s.loadCoins(),
    createdLt: s.loadUintBig(64),
    createdAt: s.loadUint(32),
  }
}

export const loadMessageInfo = (s: Slice): MessageInfo => {
  if (!s.loadBit()) return loadInternal(s)
  if (!s.loadBit()) return { type: 'external-in', src: loadAddressExt(s), dest: loadAddressInt(s), importFee: s.loadCoins() }
  return {
    type: 'external-out',
    src: loadMaybeAddressInt(s),
    dest: loadAddressExt(s),
    createdLt: s.loadUintBig(64),
    createdAt: s.loadUint(32),
  }
}

export const storeMessageInfo = (b: Builder, info: MessageInfo): Builder => {
  switch (info.type) {
    case 'internal':
      b.storeBit(0).storeBit(info.ihrDisabled).storeBit(info.bounce).storeBit(info.bounced)
      storeCurrency(storeAddressInt(storeAddressInt(b, info.src), info.dest), info.value)
      return b.storeCoins(info.ihrFee).storeCoins(info.fwdFee).storeUint(info.createdLt, 64).storeUint(info.createdAt, 32)
    case 'external-in':
      return storeAddressInt(storeAddressExt(b.storeUint(2, 2), info.src), info.dest).storeCoins(info.importFee)
    case 'external-out':
      storeAddressExt(storeAddressInt(b.storeUint(3, 2), info.src), info.dest)
      return b.storeUint(info.createdLt, 64).storeUint(info.createdAt, 32)
  }
}
