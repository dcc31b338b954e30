import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { loadAddressExt, loadAddressInt, loadMaybeAddressInt } from '../../tlb/address.ts'
import { loadMoney, NO_MONEY } from './currency.ts'
import { ExecutorError } from './error.ts'
import { skipStateInit, validCurrencies, validStateInit } from './validate-messages.ts'

/**
 * `src` is undefined and `value` is zero for external messages. `value`: the one written in the message. `extraFlags`: the number in extra_flags, which was
 * ihr_fee before version 12.
 */
export type InMessage = Readonly<ReturnType<typeof loadInMessage>>

/** The part of a cell between two positions, as a cell of its own. */
export const between = (from: Slice, to: Slice): Slice => {
  const bits = from.remainingBits - to.remainingBits
  const b = beginCell().storeBits(from.preloadBits(bits), bits)
  for (let i = 0; i < from.remainingRefs - to.remainingRefs; i++) b.storeRef(from.preloadRef(i))
  return b.end().slice()
}

/* ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo; */
const loadExternal = (s: Slice) => {
  const start = s.clone()
  loadAddressExt(s)
  const srcBits = between(start, s)
  const dest = loadAddressInt(s)
  s.loadCoins()
  const defaults = { src: undefined, value: NO_MONEY, extraFlags: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 }
  return { external: true, bounce: false, bounced: false, srcBits, dest, ...defaults }
}

/*
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
 *   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
 */
const loadInternal = (s: Slice) => {
  s.skip(1)
  const [bounce, bounced] = [s.loadBit(), s.loadBit()]
  const start = s.clone()
  const src = loadMaybeAddressInt(s)
  if (src === undefined) throw new CellError('range', 'an internal message without a source')
  const srcBits = between(start, s)
  const dest = loadAddressInt(s)
  const valueStart = s.clone()
  const value = loadMoney(s)
  // A node makes this check when a message is sent. A block is invalid if a transaction in it received a message that fails the check.
  if (value.extra !== undefined && !validCurrencies(between(valueStart, s)))
    throw new CellError('range', 'its extra currencies are malformed or too many')
  const [extraFlags, fwdFee] = [s.loadCoins(), s.loadCoins()]
  return {
    external: false,
    bounce,
    bounced,
    srcBits,
    src,
    dest,
    value,
    extraFlags,
    fwdFee,
    createdLt: s.loadUintBig(64),
    createdAt: s.loadUint(32),
  }
}

/* init:(Maybe (Either StateInit ^StateInit)) */
const loadInit = (s: Slice): Cell | undefined => {
  if (!s.loadBit()) return undefined
  let init: Cell
  if (s.loadBit()) init = s.loadRef()
  else {
    const start = s.clone()
    skipStateInit(s)
    init = between(start, s).asCell()
  }
  if (!validStateInit(init)) throw new CellError('range', 'its StateInit is malformed')
  return init
}

/* body:(Either X ^X) */
const loadBody = (s: Slice): Slice => {
  if (!s.loadBit()) return s.clone()
  const body = s.loadRef()
  s.end()
  return body.slice()
}

/** Reads an internal or external-in message. Throws ExecutorError `message` for anything else. */
export const loadInMessage = (cell: Cell) => {
  try {
    const s = cell.slice()
    const info = !s.loadBit() ? loadInternal(s) : s.loadBit() ? undefined : loadExternal(s)
    if (info === undefined) throw new CellError('range', 'an external-out message')
    return { ...info, cell, init: loadInit(s), body: loadBody(s) }
  } catch (error) {
    if (error instanceof CellError) throw new ExecutorError('message', `the message cannot be read: ${error.message}`, { cause: error })
    throw error
  }
}
