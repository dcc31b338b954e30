/** Thrown if a lite-server could not be asked, or if the connection was lost before the answer. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** Whether the query was sent. If so, nobody knows whether it had an effect. */
  readonly sent: boolean
  constructor(message: string, sent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.sent = sent
  }
}
