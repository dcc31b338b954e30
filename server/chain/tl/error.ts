export class TlError extends Error {
  override readonly name = 'TlError'
}
