let table: Int32Array | undefined

const makeTable = (): Int32Array =>
  Int32Array.from({ length: 256 }, (_, i) => {
    let c = i
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1
    return c
  })

/** CRC32C (Castagnoli, reflected 0x82f63b78) of bytes, unsigned. */
export const crc32c = (bytes: Uint8Array): number => {
  table ??= makeTable()
  let crc = -1
  for (const byte of bytes) crc = table[(crc ^ byte) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}
