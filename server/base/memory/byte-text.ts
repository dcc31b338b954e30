/** Arrays up to this length are copied before conversion. V8 stores arrays of at most 64 bytes in its own heap. */
const SMALL = 64
const scratch = Buffer.allocUnsafeSlow(SMALL)

/**
 * Encodes bytes as hex, base64, or one character per byte (`latin1`, for keys). Reading `bytes.buffer` of a small Uint8Array makes V8 move the bytes out of
 * its heap, which takes longer than the encoding. So small arrays are copied to a reused Buffer.
 */
export const byteText = (bytes: Uint8Array, encoding: 'hex' | 'base64' | 'latin1'): string => {
  const { length } = bytes
  if (length > SMALL) return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString(encoding)
  scratch.set(bytes)
  return scratch.toString(encoding, 0, length)
}
