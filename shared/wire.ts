import type { ErrorKind, ParamIssue } from './errors.ts'

/** What the error object of a strict JSON-RPC answer tells beside its text. */
export interface RpcErrorData {
  readonly kind: ErrorKind
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** Every refused parameter with what is accepted. */
  readonly issues?: readonly ParamIssue[]
}
