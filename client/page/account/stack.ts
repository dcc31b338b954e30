import { base64Of, bytesOf, hexBytesOf, hexOf } from '../../bytes.ts'
import { friendlyOf, parseAddress } from '../base/address.ts'

/* Converts arguments and results of get-methods between the text of a form and the stack entries of runGetMethod. */

export const ARGUMENT_KINDS = ['number', 'address', 'cell', 'slice'] as const
export type ArgumentKind = (typeof ARGUMENT_KINDS)[number]

const ADDRESS_BITS = 267
/** Header of a BoC with one cell: magic, size bytes of 1, one cell, one root, no absent cells. The total size and the root index follow. */
const HEAD = [0xb5, 0xee, 0x9c, 0x72, 0x01, 0x01, 0x01, 0x01, 0x00]

/** Encodes `addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;` in one cell, as a BoC in base64. */
const addressBoc = (workchain: number, hash: Uint8Array): string => {
  let bits = 0b100n
  bits = (bits << 8n) | BigInt(workchain & 0xff)
  for (const byte of hash) bits = (bits << 8n) | BigInt(byte)
  // The completion tag follows the 267 bits: a one, then zeros up to the end of the byte.
  bits = ((bits << 1n) | 1n) << 4n
  const data = hexBytesOf(bits.toString(16).padStart(68, '0'))
  return base64Of(Uint8Array.from([...HEAD, data.length + 2, 0, 0, 67, ...data]))
}

/** The address in a BoC of one cell that contains nothing else. Undefined for any other cell. */
const addressIn = (boc: string): string | undefined => {
  try {
    const bytes = bytesOf(boc)
    const start = bytes.findIndex((byte, i) => byte === 0 && bytes[i + 1] === 67 && i >= HEAD.length)
    if (start < 0 || bytes.length < start + 36 || bytes[6] !== 1) return undefined
    const data = bytes.slice(start + 2, start + 36)
    // Checks the completion tag of 267 bits. Other data of 34 bytes is not an address.
    if ((data[33]! & 0b11111) !== 0b10000) return undefined
    const bits = BigInt(`0x${hexOf(data)}`) >> 5n
    if (bits >> BigInt(ADDRESS_BITS - 3) !== 0b100n) return undefined
    const hash = hexBytesOf(BigInt.asUintN(256, bits).toString(16).padStart(64, '0'))
    return friendlyOf({ workchain: Number(BigInt.asIntN(8, bits >> 256n)), hash })
  } catch {
    return undefined
  }
}

/** Converts an argument to the form that runGetMethod expects. Throws an Error whose message is for the user. */
export const argumentOf = (kind: ArgumentKind, text: string): ['num', string] | ['tvm.Cell' | 'tvm.Slice', string] => {
  const typed = text.trim()
  if (kind === 'number') {
    if (!/^-?(0x[0-9a-fA-F]+|\d+)$/.test(typed)) throw new Error(`“${typed.slice(0, 40)}” is not a whole number: 12, -5 or 0x1f.`)
    return ['num', typed]
  }
  if (kind === 'address') {
    const address = parseAddress(typed)
    if (!address) throw new Error(`“${typed.slice(0, 60)}” is not an address.`)
    return ['tvm.Slice', addressBoc(address.workchain, address.hash)]
  }
  if (typed === '') throw new Error('A cell is needed, as a BoC in base64.')
  return [kind === 'cell' ? 'tvm.Cell' : 'tvm.Slice', typed]
}

const bocOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  const { bytes } = (value ?? {}) as { bytes?: unknown }
  return typeof bytes === 'string' ? bytes : undefined
}

const decimalOf = (text: string): string => {
  try {
    return (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)).toString()
  } catch {
    return text
  }
}

export const shownValue = (entry: unknown) => {
  const [kind, value] = Array.isArray(entry) ? (entry as [unknown, unknown]) : ['unknown', entry]
  if (kind === 'num' && typeof value === 'string') return { kind: 'number', text: decimalOf(value) }
  const bytes = bocOf(value)
  if (bytes !== undefined) {
    const address = addressIn(bytes)
    return { kind: String(kind), text: bytes, ...(address !== undefined && { address }) }
  }
  return { kind: String(kind), text: JSON.stringify(value) }
}
