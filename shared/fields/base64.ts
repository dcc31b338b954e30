const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = `${STANDARD.slice(0, 62)}-_`

const table = (...alphabets: readonly string[]): Uint8Array => {
  const values = new Uint8Array(128).fill(255)
  for (const alphabet of alphabets) for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i
  return values
}
const FROM_STANDARD = table(STANDARD)
const FROM_EITHER = table(STANDARD, URL_SAFE)

/** Undefined for an invalid character or length. */
const decode = (text: string, length: number, values: Uint8Array): Uint8Array | undefined => {
  if (length % 4 === 1) return undefined
  const out = new Uint8Array(Math.floor((length * 3) / 4))
  let at = 0
  let bits = 0
  let buffer = 0
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    const value = code < 128 ? values[code]! : 255
    if (value === 255) return undefined
    buffer = ((buffer << 6) | value) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      out[at++] = (buffer >> bits) & 0xff
    }
  }
  return out
}

/** Decodes standard base64 with padding, which is v2's type `bytes`; undefined for other texts. The empty text gives zero bytes. */
export const decodeBase64 = (text: string): Uint8Array | undefined => {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return decode(text, text.length - padding, FROM_STANDARD)
}

/** Decodes base64 or base64url without padding, as in friendly addresses and url-safe hashes. */
export const decodeBase64Any = (text: string): Uint8Array | undefined => decode(text, text.length, FROM_EITHER)

const encode = (bytes: Uint8Array, alphabet: string, pad: boolean): string => {
  let out = ''
  const whole = bytes.length - (bytes.length % 3)
  for (let i = 0; i < whole; i += 3) {
    const n = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!
    out += alphabet[n >> 18]! + alphabet[(n >> 12) & 63]! + alphabet[(n >> 6) & 63]! + alphabet[n & 63]!
  }
  const rest = bytes.length - whole
  if (rest === 0) return out
  const n = (bytes[whole]! << 16) | ((rest === 2 ? bytes[whole + 1]! : 0) << 8)
  out += alphabet[n >> 18]! + alphabet[(n >> 12) & 63]!
  if (rest === 2) out += alphabet[(n >> 6) & 63]!
  return pad ? out + '='.repeat(3 - rest) : out
}

/** Encodes standard base64 with padding, the form of all byte strings in v2's answers. */
export const encodeBase64 = (bytes: Uint8Array): string => encode(bytes, STANDARD, true)
/** Encodes base64url without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string => encode(bytes, URL_SAFE, false)
