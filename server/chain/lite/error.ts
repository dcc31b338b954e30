/** Thrown if a query could not be sent to a lite-server, or if the connection was lost before the answer. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** True if the query was sent, so that it may have had an effect. */
  readonly sent: boolean
  constructor(message: string, sent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.sent = sent
  }
}
