/** Undefined for an invalid length, and for a text with a character that `invalid` finds. Buffer alone would skip such characters. */
const decode = (text: string, invalid: RegExp): Uint8Array | undefined =>
  text.length % 4 === 1 || invalid.test(text) ? undefined : new Uint8Array(Buffer.from(text, 'base64'))

/** Decodes standard base64 with padding, which is v2's type `bytes`; undefined for other texts. The empty text gives zero bytes. */
export const decodeBase64 = (text: string): Uint8Array | undefined => {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return decode(text.slice(0, text.length - padding), /[^A-Za-z0-9+/]/)
}

/** Decodes base64 or base64url without padding, as in friendly addresses and url-safe hashes. */
export const decodeBase64Any = (text: string): Uint8Array | undefined => decode(text, /[^A-Za-z0-9+/_-]/)

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

/** Encodes standard base64 with padding, the form of all byte strings in v2's answers. */
export const encodeBase64 = (bytes: Uint8Array): string => bufferOf(bytes).toString('base64')
/** Encodes base64url without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string => bufferOf(bytes).toString('base64url')
