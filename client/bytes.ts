/** Decodes base64, also url-safe or unpadded. Throws TypeError. */
export const bytesOf = (text: string): Uint8Array => {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
  } catch {
    throw new TypeError('not base64')
  }
}

export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
