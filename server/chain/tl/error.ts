/** Thrown for bytes that do not follow the TL schema. */
export class TlError extends Error {
  override readonly name = 'TlError'
}
