/*
 * Lists as parameters of statements, in PostgreSQL's binary format. The driver would write a list as text, with byte strings in hex, and the server would parse
 * it: for a hundred hashes this takes longer than the look-up.
 */

const OID_BYTEA = 17
const OID_INT8 = 20
const OID_TEXT = 25
/** Bytes of an array's header: number of dimensions, flags, element type, length and lower bound, four bytes each. */
const HEAD = 20

const begin = (bytes: number, type: number, length: number): Buffer => {
  const out = Buffer.allocUnsafe(HEAD + bytes)
  out.writeInt32BE(1, 0)
  out.writeInt32BE(0, 4)
  out.writeInt32BE(type, 8)
  out.writeInt32BE(length, 12)
  out.writeInt32BE(1, 16)
  return out
}

/** Encodes a parameter that the statement has to cast: `$1::bytea[]`. */
export const bytesList = (values: readonly Uint8Array[]): Buffer => {
  let bytes = 0
  for (const { length } of values) bytes += 4 + length
  const out = begin(bytes, OID_BYTEA, values.length)
  let at = HEAD
  for (const value of values) {
    at = out.writeInt32BE(value.length, at)
    out.set(value, at)
    at += value.length
  }
  return out
}

/** Encodes decimal texts as a parameter that the statement has to cast: `$1::bigint[]`. */
export const integersList = (values: readonly string[]): Buffer => {
  const out = begin(12 * values.length, OID_INT8, values.length)
  let at = HEAD
  for (const value of values) {
    at = out.writeInt32BE(8, at)
    at = out.writeBigInt64BE(BigInt(value), at)
  }
  return out
}

/** Encodes a parameter that the statement has to cast: `$1::text[]`. */
export const textsList = (values: readonly string[]): Buffer => {
  let bytes = 0
  for (const value of values) bytes += 4 + Buffer.byteLength(value)
  const out = begin(bytes, OID_TEXT, values.length)
  let at = HEAD
  for (const value of values) {
    const end = at + 4 + out.write(value, at + 4)
    out.writeInt32BE(end - at - 4, at)
    at = end
  }
  return out
}
