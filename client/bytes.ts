/** Decodes base64 or base64url, with or without padding. Throws TypeError. */
export const bytesOf = (text: string): Uint8Array => {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
  } catch {
    throw new TypeError('not base64')
  }
}

export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Lower-case hex. */
export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const hexBytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
