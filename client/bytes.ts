/** Decodes base64, also url-safe or unpadded. Throws TypeError. */
export const bytesOf = (text: string): Uint8Array => {
  try {
    const chars = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
    const bytes = new Uint8Array(chars.length)
    for (let i = 0; i < chars.length; i++) bytes[i] = chars.charCodeAt(i)
    return bytes
  } catch {
    throw new TypeError('not base64')
  }
}

export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Lower-case hex. */
export const hexOf = (bytes: Uint8Array): string => {
  let hex = ''
  for (const byte of bytes) hex += (256 + byte).toString(16).slice(1)
  return hex
}

/** Bytes of a text that is hex, two digits each. */
export const hexBytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
