import { createJSONRPCErrorResponse } from 'json-rpc-2.0'
import { ERRORS, type RpcErrorData, type TonError } from '../../shared/errors.ts'
import { NO_EXTRA } from './extra.ts'
import { type Id, NumberId } from './rpc/request-text.ts'

/* How each endpoint writes an error. dispatch/failure.ts decides which error it is. */

/** How errors are written: v2's envelope, v3's bare body, or a JSON-RPC error object (also on WebSockets). */
export type ErrorForm = 'envelope' | 'v3' | 'rpc'

export const statusOf = ({ kind }: TonError): number => ERRORS[kind].http

/** v2's error envelope with any HTTP status. `tail`: further members, each with a leading comma. */
export const envelope = (text: string, status: number, extra: string = NO_EXTRA, tail = ''): string =>
  `{"ok":false,"error":${JSON.stringify(text)},"code":${status}${tail},"@extra":"${extra}"}`

/** TON Center's error body (v2.md 1.3). */
export const errorEnvelope = (error: TonError, extra?: string, tail?: string): string =>
  envelope(error.message, statusOf(error), extra, tail)

/** v3's error body (v3.md 1.1), with any status. */
export const bareBody = (text: string, status: number): string => JSON.stringify({ error: text, code: status })

const errorBody = (error: TonError): string => bareBody(error.message, statusOf(error))

const dataOf = ({ kind, retryAfter, issues }: TonError): RpcErrorData => ({
  kind,
  ...(retryAfter === undefined ? {} : { retryAfter }),
  ...(issues === undefined ? {} : { issues }),
})

/** A JSON-RPC 2.0 error answer. Its id is null if the request's id is unknown: the request cannot be parsed, or is refused as a whole. */
export const errorReply = (error: TonError, id: Id = null): string => {
  const isToken = id instanceof NumberId
  const reply = createJSONRPCErrorResponse(isToken ? null : id, ERRORS[error.kind].rpc, error.message, dataOf(error))
  return isToken ? `{"jsonrpc":"2.0","id":${id.token},"error":${JSON.stringify(reply.error)}}` : JSON.stringify(reply)
}

const FORMS: { readonly [F in ErrorForm]: (error: TonError) => string } = { envelope: errorEnvelope, v3: errorBody, rpc: errorReply }

/** The error body for a request that is refused as a whole. */
export const errorText = (form: ErrorForm, error: TonError): string => FORMS[form](error)
