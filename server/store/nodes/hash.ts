/*
 * The hash by which Citus finds the shard of a row: PostgreSQL's own for `bytea` (hash_bytes in src/common/hashfn.c, Bob Jenkins' lookup3) on a little-endian machine.
 */

/** What the state begins with, besides the number of bytes. */
const BEGIN = (0x9e3779b9 + 3923095) | 0

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** A byte string whose hash tells whether a server hashes as we do: a round of twelve bytes, and a rest of five. */
export const PROBE = Buffer.from('00ff102030405060708090a0b0c0d0e0f1', 'hex')

/** The signed 32-bit hash of a value. */
export const hashOf = (bytes: Uint8Array): number => {
  const { length } = bytes
  let a = (BEGIN + length) | 0
  let b = a
  let c = a
  const word = (at: number): number => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
  let at = 0
  for (; length - at >= 12; at += 12) {
    a = (a + word(at)) | 0
    b = (b + word(at + 4)) | 0
    c = (c + word(at + 8)) | 0
    a = ((a - c) | 0) ^ rotated(c, 4)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotated(a, 6)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotated(b, 8)
    b = (b + a) | 0
    a = ((a - c) | 0) ^ rotated(c, 16)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotated(a, 19)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotated(b, 4)
    b = (b + a) | 0
  }
  for (let i = at; i < length; i++) {
    const place = i - at
    // The lowest byte of the third word is left to the length.
    if (place < 4) a = (a + (bytes[i]! << (8 * place))) | 0
    else if (place < 8) b = (b + (bytes[i]! << (8 * (place - 4)))) | 0
    else c = (c + (bytes[i]! << (8 * (place - 7)))) | 0
  }
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  return ((c ^ b) - rotated(b, 24)) | 0
}
