export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** True if the query was sent, so that it may have had an effect. */
  readonly sent: boolean
  constructor(message: string, sent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.sent = sent
  }
}
