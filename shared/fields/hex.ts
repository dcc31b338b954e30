/** Hex digit values by character code; 255 for all other codes below 128. */
const DIGITS = new Uint8Array(128).fill(255)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}
const digitOf = (code: number): number => (code < 128 ? DIGITS[code]! : 255)

/** Decodes hex of even length in any case; undefined for other texts. */
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

const CODES = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
/** Maximum bytes per call of String.fromCharCode. Each byte needs two arguments. */
const PART = 4_096

const encodePart = (bytes: Uint8Array): string => {
  const codes = new Array<number>(2 * bytes.length)
  for (let i = 0; i < bytes.length; i++) {
    codes[2 * i] = CODES[bytes[i]! >> 4]!
    codes[2 * i + 1] = CODES[bytes[i]! & 15]!
  }
  return String.fromCharCode.apply(null, codes)
}

/** Lower-case hex. Not by concatenation, because V8 would keep all pieces in memory: 2.4 KB for an account id. */
export const encodeHex = (bytes: Uint8Array): string => {
  if (bytes.length <= PART) return encodePart(bytes)
  let out = ''
  for (let i = 0; i < bytes.length; i += PART) out += encodePart(bytes.subarray(i, i + PART))
  return out
}
