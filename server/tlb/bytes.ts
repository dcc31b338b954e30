import { byteText } from '../base/memory/byte-text.ts'
import { CellError } from '../cell/cell.ts'

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false
  return true
}

export const toHex = (bytes: Uint8Array): string => byteText(bytes, 'hex')

/** Big-endian bytes as an unsigned number. */
export const bigOfBytes = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`))

/** Converts 32 bytes to an unsigned number, which is a key of dictionaries by hash. Throws CellError 'range' for another length. */
export const hashToBig = (hash: Uint8Array): bigint => {
  if (hash.length !== 32) throw new CellError('range', `a hash has 32 bytes, not ${hash.length}`)
  return bigOfBytes(hash)
}
