const HEX = /^[0-9a-fA-F]*$/

/** Bytes of a hex text of even length, any case; undefined for other texts. */
export const decodeHex = (text: string): Uint8Array | undefined => {
  if (text.length % 2 !== 0 || !HEX.test(text)) return undefined
  const out = new Uint8Array(text.length / 2)
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return out
}

/** Lower-case hex. */
export const encodeHex = (bytes: Uint8Array): string => {
  let out = ''
  for (const byte of bytes) out += (byte < 16 ? '0' : '') + byte.toString(16)
  return out
}
