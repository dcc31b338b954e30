/** Values of the digits by their code; 255 for every other code below 128. */
const DIGITS = new Uint8Array(128).fill(255)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}
const digitOf = (code: number): number => (code < 128 ? DIGITS[code]! : 255)

/** Bytes of a hex text of even length, any case; undefined for other texts. */
export const decodeHex = (text: string): Uint8Array | undefined => {
  if (text.length % 2 !== 0) return undefined
  const out = new Uint8Array(text.length / 2)
  for (let i = 0; i < out.length; i++) {
    const high = digitOf(text.charCodeAt(2 * i))
    const low = digitOf(text.charCodeAt(2 * i + 1))
    if (high > 15 || low > 15) return undefined
    out[i] = (high << 4) | low
  }
  return out
}

/** Lower-case hex. */
export const encodeHex = (bytes: Uint8Array): string => {
  let out = ''
  for (const byte of bytes) out += (byte < 16 ? '0' : '') + byte.toString(16)
  return out
}
