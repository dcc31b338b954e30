/* Texts of bytes. Pages have a megabyte of them, so these are faster than those of the client, and longer. */

/** Decodes base64, also url-safe or unpadded. Throws for other texts. */
export const bytesOf = (text: string): Uint8Array => {
  const chars = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  const bytes = new Uint8Array(chars.length)
  for (let i = 0; i < chars.length; i++) bytes[i] = chars.charCodeAt(i)
  return bytes
}

export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Lower-case hex. */
export const hexOf = (bytes: Uint8Array): string => {
  let hex = ''
  for (const byte of bytes) hex += (256 + byte).toString(16).slice(1)
  return hex
}

/** Bytes of a text that is hex, two digits each. */
export const hexBytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
