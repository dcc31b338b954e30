/** Bytes that are not what the TL schema says. */
export class TlError extends Error {
  override readonly name = 'TlError'
}
