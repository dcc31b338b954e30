import type { Slice } from '../../cell/slice.ts'

/*
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
 *   extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 * ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 * message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
 */

/** A message parsed for SENDMSG. Lengths are in bits. */
export interface SendmsgMessage {
  readonly external: boolean
  readonly ihrDisabled: boolean
  readonly destination: Slice
  /** Nanograms. */
  readonly value: bigint
  readonly hasExtra: boolean
  /** The number in extra_flags (formerly the IHR fee), and the length of the field. */
  readonly flags: bigint
  readonly flagsLength: number
  readonly forwardFee: bigint
  /** StateInit inline (its length and references) or in a reference; undefined if there is none. */
  readonly init: Part | undefined
  readonly body: Part
}
export interface Part {
  readonly inRef: boolean
  readonly bits: number
  readonly refs: number
}

class Malformed {}

const need = (s: Slice, bits: number): void => {
  if (s.remainingBits < bits) throw new Malformed()
}
const uint = (s: Slice, bits: number): number => {
  need(s, bits)
  return s.loadUint(bits)
}
const skip = (s: Slice, bits: number): void => {
  need(s, bits)
  s.skip(bits)
}
const skipRef = (s: Slice): void => {
  if (s.remainingRefs === 0) throw new Malformed()
  s.skipRefs(1)
}

const skipAddress = (s: Slice, kinds: readonly number[]): Slice => {
  const start = s.clone()
  const kind = uint(s, 2)
  if (!kinds.includes(kind)) throw new Malformed()
  if (kind === 1) skip(s, uint(s, 9))
  if (kind >= 2) {
    if (uint(s, 1) === 1) {
      const depth = uint(s, 5)
      if (depth < 1 || depth > 30) throw new Malformed()
      skip(s, depth)
    }
    if (kind === 2) skip(s, 264)
    else {
      const length = uint(s, 9)
      skip(s, 32 + length)
    }
  }
  return start.part(0, start.remainingBits - s.remainingBits, 0, 0)
}

const coins = (s: Slice): bigint => {
  const bits = uint(s, 4) * 8
  need(s, bits)
  return s.loadUintBig(bits)
}

/**
 * _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(Maybe ^Cell) = StateInit;
 */
const skipInit = (s: Slice): Part => {
  const bits = s.remainingBits
  const refs = s.remainingRefs
  if (uint(s, 1)) skip(s, 5)
  if (uint(s, 1)) skip(s, 2)
  for (let i = 0; i < 3; i++) if (uint(s, 1)) skipRef(s)
  return { inRef: false, bits: bits - s.remainingBits, refs: refs - s.remainingRefs }
}

const readInit = (s: Slice): Part | undefined => {
  if (uint(s, 1) === 0) return undefined
  if (uint(s, 1) === 0) return skipInit(s)
  skipRef(s)
  return { inRef: true, bits: 0, refs: 1 }
}
const readBody = (s: Slice): Part => {
  if (uint(s, 1) === 0) return { inRef: false, bits: s.remainingBits, refs: s.remainingRefs }
  skipRef(s)
  if (s.remainingBits !== 0 || s.remainingRefs !== 0) throw new Malformed()
  return { inRef: true, bits: 0, refs: 1 }
}

const read = (s: Slice): SendmsgMessage => {
  if (uint(s, 1) === 1) {
    if (uint(s, 1) !== 1) throw new Malformed()
    skipAddress(s, [0, 1, 2, 3])
    const destination = skipAddress(s, [0, 1])
    skip(s, 96)
    const none = { value: 0n, hasExtra: false, flags: 0n, flagsLength: 0, forwardFee: 0n }
    return { external: true, ihrDisabled: true, destination, ...none, init: readInit(s), body: readBody(s) }
  }
  const ihrDisabled = uint(s, 1) === 1
  skip(s, 2)
  skipAddress(s, [0, 1, 2, 3])
  const destination = skipAddress(s, [2, 3])
  const value = coins(s)
  const hasExtra = uint(s, 1) === 1
  if (hasExtra) skipRef(s)
  const before = s.remainingBits
  const flags = coins(s)
  const flagsLength = before - s.remainingBits
  const forwardFee = coins(s)
  skip(s, 96)
  const info = { destination, value, hasExtra, flags, flagsLength, forwardFee }
  return { external: false, ihrDisabled, ...info, init: readInit(s), body: readBody(s) }
}

export const readSendmsgMessage = (slice: Slice): SendmsgMessage | undefined => {
  try {
    return read(slice.clone())
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
