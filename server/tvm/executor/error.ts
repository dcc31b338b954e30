/** Why a transaction could not be made at all, as opposed to one that failed. */
export type ExecutorErrorKind =
  /** The configuration lacks a parameter or has one that cannot be read. */
  | 'config'
  /** The shard account cannot be read or belongs to another address. */
  | 'account'
  /** The message is no message, or an external one that is refused before it runs. */
  | 'message'
  /** The transaction cannot be built: an amount or size does not fit. */
  | 'transaction'

/** The one error that leaves the executor. */
export class ExecutorError extends Error {
  override readonly name = 'ExecutorError'
  readonly kind: ExecutorErrorKind
  constructor(kind: ExecutorErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
