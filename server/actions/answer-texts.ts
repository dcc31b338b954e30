import { serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import type { Address } from './trace.ts'

/* Addresses, cells and numbers as answers show them. */

const pairs = new ArrayBuffer(2 * 256)
Buffer.from(pairs).write(Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(''), 'latin1')
/** The two hex digits of each byte, as they stand in memory. */
const PAIRS = new Uint16Array(pairs)

/** Where raw addresses are written: a text made at once costs less than one of several parts. */
const text = new ArrayBuffer(2 + 64)
const basic = Buffer.from(text)
basic.write('0:', 'latin1')
const digits = new Uint16Array(text, 2)
const END = basic.length

/** A raw address in upper case. */
export const rawAddress = (workchain: number, hash: Uint8Array): Address => {
  for (let i = 0; i < 32; i++) digits[i] = PAIRS[hash[i]!]!
  return workchain === 0 ? basic.toString('latin1', 0, END) : `${workchain}:${basic.toString('latin1', 2, END)}`
}

/** A BoC with a checksum, in base64. Payloads use this form. */
export const bocText = (cell: Cell): string => {
  const boc = serializeBoc(cell)
  return Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength).toString('base64')
}

/** A BoC without a checksum, in base64. Messages and orders use this form. */
export const bareBocText = (cell: Cell): string => Buffer.from(serializeBoc(cell, { crc32c: false })).toString('base64')

/** `0x...` without leading zeros. */
export const hexText = (value: bigint): string => `0x${value.toString(16)}`
