/** Table of CRC32C (Castagnoli, reflected 0x82f63b78), eight slices of 256 entries. */
const table = ((): Uint32Array => {
  const t = new Uint32Array(8 * 256)
  for (let i = 0; i < 256; i++) {
    let c = i
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1
    t[i] = c >>> 0
  }
  for (let i = 256; i < 8 * 256; i++) t[i] = (t[i - 256]! >>> 8) ^ t[t[i - 256]! & 255]!
  return t
})()

export const crc32c = (bytes: Uint8Array, from = 0, to = bytes.length): number => {
  const t = table
  let crc = -1
  let at = from
  for (const end = to - 7; at < end; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24))
    crc =
      t[0x700 + (low & 255)]! ^
      t[0x600 + ((low >>> 8) & 255)]! ^
      t[0x500 + ((low >>> 16) & 255)]! ^
      t[0x400 + (low >>> 24)]! ^
      t[0x300 + bytes[at + 4]!]! ^
      t[0x200 + bytes[at + 5]!]! ^
      t[0x100 + bytes[at + 6]!]! ^
      t[bytes[at + 7]!]!
  }
  for (; at < to; at++) crc = t[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}
