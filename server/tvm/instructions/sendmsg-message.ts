import { attempt, CellError } from '../../cell/error.ts'
import type { Slice } from '../../cell/slice.ts'
import { addressExt, addressInt, anyAddress, skipStateInit } from '../executor/validate-messages.ts'

/*
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
 *   extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 * ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 * message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
 */

/**
 * A message parsed for SENDMSG. Lengths are in bits, amounts in nanograms. `flags` and `flagsLength`: the number in extra_flags (formerly the IHR fee), and the
 * length of the field. `init`: StateInit inline (its length and references) or in a reference; undefined if there is none.
 */
export type SendmsgMessage = Readonly<ReturnType<typeof read>>
type Part = Readonly<typeof IN_REF>

const IN_REF = { inRef: true, bits: 0, refs: 1 }

const malformed = (): never => {
  throw new CellError('range', 'a malformed message')
}

const skipAddress = (s: Slice, skip: (s: Slice) => boolean): Slice => {
  const start = s.clone()
  if (!skip(s)) malformed()
  return start.part(0, start.remainingBits - s.remainingBits, 0, 0)
}

const readInit = (s: Slice): Part | undefined => {
  if (!s.loadBit()) return undefined
  if (s.loadBit()) {
    s.skipRefs(1)
    return IN_REF
  }
  const [bits, refs] = [s.remainingBits, s.remainingRefs]
  skipStateInit(s)
  return { inRef: false, bits: bits - s.remainingBits, refs: refs - s.remainingRefs }
}
const readBody = (s: Slice): Part => {
  if (!s.loadBit()) return { inRef: false, bits: s.remainingBits, refs: s.remainingRefs }
  s.skipRefs(1).end()
  return IN_REF
}

const read = (s: Slice) => {
  if (s.loadBit()) {
    if (!s.loadBit()) malformed()
    skipAddress(s, anyAddress)
    const destination = skipAddress(s, addressExt)
    s.skip(96)
    const none = { value: 0n, hasExtra: false, flags: 0n, flagsLength: 0, forwardFee: 0n }
    return { external: true, ihrDisabled: true, destination, ...none, init: readInit(s), body: readBody(s) }
  }
  const ihrDisabled = s.loadBit()
  s.skip(2)
  skipAddress(s, anyAddress)
  const destination = skipAddress(s, addressInt)
  const value = s.loadCoins()
  const hasExtra = s.loadBit()
  if (hasExtra) s.skipRefs(1)
  const before = s.remainingBits
  const flags = s.loadCoins()
  const flagsLength = before - s.remainingBits
  const forwardFee = s.loadCoins()
  s.skip(96)
  const info = { destination, value, hasExtra, flags, flagsLength, forwardFee }
  return { external: false, ihrDisabled, ...info, init: readInit(s), body: readBody(s) }
}

/** Returns undefined for a malformed message. */
export const readSendmsgMessage = (slice: Slice): SendmsgMessage | undefined => attempt(() => read(slice.clone()))
