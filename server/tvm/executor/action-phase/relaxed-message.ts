import { type Builder, beginCell } from '../../../cell/builder.ts'
import { type Cell, CellError } from '../../../cell/cell.ts'
import type { Slice } from '../../../cell/slice.ts'
import {
  loadAddressExt,
  loadAddressInt,
  type MsgAddressExt,
  type MsgAddressInt,
  storeAddressExt,
  storeAddressInt,
} from '../../../tlb/address.ts'
import { loadMoney, type Money, storeMoney } from '../currency.ts'
import { between } from '../in-message.ts'
import { skipStateInit, validCurrencies } from '../validate-messages.ts'

/*
 * The message of action_send_msg, as made by the contract.
 *
 * message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
 *   extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 * ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 */

/** `foreign`: an address that cannot be the sender's own address, such as an external address. */
export type RelaxedSource = MsgAddressInt | 'none' | 'foreign'

export interface RelaxedInternal {
  readonly type: 'internal'
  readonly ihrDisabled: boolean
  readonly bounce: boolean
  readonly src: RelaxedSource
  readonly dest: MsgAddressInt
  readonly value: Money
  /** True if the value passes the stricter check of block-parse.cpp (`validCurrencies`). */
  readonly valueIsValid: boolean
  /** The field was ihr_fee before version 12. Undefined if the number has leading zeros. */
  readonly extraFlags: bigint | undefined
  readonly fwdFee: bigint | undefined
}
export interface RelaxedExternal {
  readonly type: 'external'
  readonly src: RelaxedSource
  readonly dest: MsgAddressExt
}
export interface RelaxedMessage {
  readonly info: RelaxedInternal | RelaxedExternal
  /** `init` includes its two leading bits, or is a single zero bit if there is no init. `body` includes its leading bit. */
  readonly init: Slice
  readonly body: Slice
}

const loadSource = (s: Slice): RelaxedSource => {
  const tag = s.preloadUint(2)
  if (tag >= 2) return loadAddressInt(s)
  return loadAddressExt(s) === undefined ? 'none' : 'foreign'
}

const strictCoins = (s: Slice): bigint | undefined => {
  const rest = s.clone()
  const length = rest.loadUint(4)
  const strict = length === 0 || rest.preloadUint(8) !== 0
  const value = s.loadCoins()
  return strict ? value : undefined
}

const loadInternal = (s: Slice): RelaxedInternal => {
  const [ihrDisabled, bounce] = [s.loadBit(), s.loadBit()]
  const src = loadSource(s.skip(1))
  const dest = loadAddressInt(s)
  const start = s.clone()
  const value = loadMoney(s)
  const valueIsValid = validCurrencies(between(start, s))
  const [extraFlags, fwdFee] = [strictCoins(s), strictCoins(s)]
  s.skip(64 + 32)
  return { type: 'internal', ihrDisabled, bounce, src, dest, value, valueIsValid, extraFlags, fwdFee }
}

/** The cell must have passed `validActionNode`. */
export const loadRelaxed = (cell: Cell): RelaxedMessage => {
  const s = cell.slice()
  let info: RelaxedMessage['info']
  if (!s.loadBit()) info = loadInternal(s)
  else {
    info = { type: 'external', src: loadSource(s.skip(1)), dest: loadAddressExt(s) }
    s.skip(64 + 32)
  }
  const start = s.clone()
  if (s.loadBit()) {
    if (s.loadBit()) s.skipRefs(1)
    else skipStateInit(s)
  }
  return { info, init: between(start, s), body: s.clone() }
}

export const initOf = ({ init }: RelaxedMessage): Cell | undefined => {
  const s = init.clone()
  if (!s.loadBit()) return undefined
  return s.loadBit() ? s.loadRef() : s.asCell()
}

export const withInitMoved = (message: RelaxedMessage): RelaxedMessage => ({
  ...message,
  init: beginCell().storeUint(3, 2).storeRef(message.init.clone().skip(2).asCell()).end().slice(),
})

/** Moves an inline body into a reference. An empty body stays inline. */
export const withBodyMoved = (message: RelaxedMessage): RelaxedMessage => {
  const { body } = message
  if (body.preloadBit() || (body.remainingBits === 1 && body.remainingRefs === 0)) return message
  return { ...message, body: beginCell().storeBit(1).storeRef(body.clone().skip(1).asCell()).end().slice() }
}

/** CommonMsgInfo with the fields that the node fills in. */
export type FinalInfo = (
  | (Omit<RelaxedInternal, 'src' | 'valueIsValid' | 'extraFlags' | 'fwdFee'> & { readonly extraFlags: bigint; readonly fwdFee: bigint })
  | Omit<RelaxedExternal, 'src'>
) & { readonly src: MsgAddressInt; readonly createdLt: bigint; readonly createdAt: number }

const storeInfo = (info: FinalInfo): Builder => {
  const b = beginCell()
  if (info.type === 'external') storeAddressExt(storeAddressInt(b.storeUint(3, 2), info.src), info.dest)
  else {
    b.storeBit(0).storeBit(info.ihrDisabled).storeBit(info.bounce).storeBit(0)
    storeMoney(storeAddressInt(storeAddressInt(b, info.src), info.dest), info.value)
      .storeCoins(info.extraFlags)
      .storeCoins(info.fwdFee)
  }
  return b.storeUint(info.createdLt, 64).storeUint(info.createdAt, 32)
}

/** The finished message; undefined if it does not fit a cell. */
export const finishMessage = (info: FinalInfo, { init, body }: RelaxedMessage): Cell | undefined => {
  try {
    return storeInfo(info).storeSlice(init).storeSlice(body).end()
  } catch (error) {
    if (error instanceof CellError && error.kind === 'overflow') return undefined
    throw error
  }
}
