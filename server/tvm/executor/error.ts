/** The reasons why no transaction could be made. (A failed transaction is not an error.) */
export type ExecutorErrorKind =
  /** A parameter of the configuration is missing or unreadable. */
  | 'config'
  /** The shard account cannot be read or belongs to another address. */
  | 'account'
  /** The message is malformed, or an external message is refused before its run. */
  | 'message'
  /** The transaction cannot be built, because an amount or a size does not fit. */
  | 'transaction'

export class ExecutorError extends Error {
  override readonly name = 'ExecutorError'
  readonly kind: ExecutorErrorKind
  constructor(kind: ExecutorErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
