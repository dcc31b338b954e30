/** A peer that does not keep to ADNL, or a connection that was lost. */
export class AdnlError extends Error {
  override readonly name = 'AdnlError'
}
