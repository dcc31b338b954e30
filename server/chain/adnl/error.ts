/** Thrown if a peer breaks the ADNL protocol or the connection is lost. */
export class AdnlError extends Error {
  override readonly name = 'AdnlError'
}
