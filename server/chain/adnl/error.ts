export class AdnlError extends Error {
  override readonly name = 'AdnlError'
}
