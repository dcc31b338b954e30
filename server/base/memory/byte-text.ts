/** Arrays up to this length are copied first. V8 keeps those of at most 64 bytes in its own heap. */
const SMALL = 64
const scratch = Buffer.allocUnsafeSlow(SMALL)

/**
 * Bytes as text: hex, base64, or one character a byte (`latin1`, for keys). `bytes.buffer` of a small Uint8Array makes V8 move the bytes out of its heap, which
 * takes longer than all the rest, and as long again when the array is collected. So small ones are copied into a Buffer that is always there.
 */
export const byteText = (bytes: Uint8Array, encoding: 'hex' | 'base64' | 'latin1'): string => {
  const { length } = bytes
  if (length > SMALL) return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString(encoding)
  for (let i = 0; i < length; i++) scratch[i] = bytes[i]!
  return scratch.toString(encoding, 0, length)
}
