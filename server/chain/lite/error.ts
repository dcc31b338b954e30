/** A lite-server that could not be asked, or was lost before it answered. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** Whether the query had left: then nobody knows what became of it. */
  readonly sent: boolean
  constructor(message: string, sent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.sent = sent
  }
}
