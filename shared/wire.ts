import type { ErrorKind, ParamIssue } from './errors.ts'

/** The `data` member of the error object in a strict JSON-RPC answer. */
export interface RpcErrorData {
  readonly kind: ErrorKind
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** Every refused parameter with what is accepted. */
  readonly issues?: readonly ParamIssue[]
}
