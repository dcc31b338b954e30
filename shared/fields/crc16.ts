/** CRC16-XMODEM (polynomial 0x1021, initial value 0) of the first `length` bytes, for friendly addresses and get-method ids. */
export const crc16 = (bytes: Uint8Array, length: number = bytes.length): number => {
  let crc = 0
  for (let i = 0; i < length; i++) crc = ((crc << 8) & 0xffff) ^ STEPS[(crc >> 8) ^ bytes[i]!]!
  return crc
}

/** Remainder for each byte value. */
const STEPS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  return crc
})
