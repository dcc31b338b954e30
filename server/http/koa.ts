import type Koa from 'koa'
import { ERRORS, TonError } from '../../shared/errors.ts'
import type { OpenCall } from './call.ts'
import { NO_EXTRA } from './extra.ts'
import { LIMITS } from './limits.ts'
import { errorReply } from './rpc/rpc.ts'

/** What the outermost middleware knows of a request and the endpoints read. */
export interface State {
  call: OpenCall
  /** performance.now() when the request came. */
  started: number
  /** How a refusal is written: v2's envelope, v3's bare body, or a JSON-RPC error object. */
  form: 'envelope' | 'v3' | 'rpc'
  /** Headers of the answer besides type and length: names and values in turn. */
  headers: string[]
  /** What a JSON-RPC request asked for, for the access log: a method's name, or how many calls. */
  asked?: string
}
export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>

/** Characters from which an answer is written as bytes: below, a text takes a quarter less (measured). */
const LARGE = 1 << 16
export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Answers with JSON text. Short answers are written at once, past Koa: setting seven headers one by one and asking Koa to respond costs as much as
 * all the rest of a cached answer (measured, see http.bench.ts). Long ones go through Koa and are compressed.
 */
export const sendJson = (ctx: Context, status: number, text: string): void => {
  if (text.length >= LIMITS.compress && ctx.req.headers['accept-encoding'] !== undefined) {
    ctx.status = status
    ctx.set('Content-Type', JSON_TYPE)
    ctx.body = Buffer.from(text)
    return
  }
  // A text goes out in one piece with its headers, but node encodes it into memory three times its length.
  const body = text.length > LARGE ? Buffer.from(text) : text
  sendBytes(ctx, status, body, JSON_TYPE)
}

/** Answers at once, past Koa and its compression. `own`: headers that take the place of those of every answer. */
export const sendBytes = (
  ctx: Context,
  status: number,
  body: Buffer | string,
  type: string,
  own?: Readonly<Record<string, string>>,
): void => {
  const { res } = ctx
  ctx.respond = false
  const { headers } = ctx.state
  if (own) {
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!
      if (name in own) headers[i + 1] = own[name]!
    }
    for (const [name, value] of Object.entries(own)) if (!headers.includes(name)) headers.push(name, value)
  }
  headers.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)))
  res.writeHead(status, headers)
  if (ctx.method === 'HEAD') res.end()
  else res.end(body)
}

/** TON Center's error body; `tail`: further members, each with its comma. */
export const errorEnvelope = (error: TonError, extra: string = NO_EXTRA, tail = ''): string =>
  `{"ok":false,"error":${JSON.stringify(error.message)},"code":${ERRORS[error.kind].http}${tail},"@extra":"${extra}"}`

/** v3's error body (v3.md 1.1). */
const errorBody = (error: TonError): string => JSON.stringify({ error: error.message, code: ERRORS[error.kind].http })

/** Tells when a retry makes sense, if the error knows. */
export const tellRetry = (ctx: Context, error: TonError): void => {
  if (error.retryAfter !== undefined) ctx.state.headers.push('Retry-After', String(error.retryAfter))
}

/** The refusal of a whole request, in the form of its endpoint. */
export const sendError = (ctx: Context, error: TonError): void => {
  tellRetry(ctx, error)
  const { form } = ctx.state
  const body = form === 'rpc' ? errorReply(error) : form === 'v3' ? errorBody(error) : errorEnvelope(error)
  sendJson(ctx, ERRORS[error.kind].http, body)
}

/** 405 with the verbs that are served. */
export const sendNotAllowed = (ctx: Context, allow: string, text: string): void => {
  ctx.state.headers.push('Allow', allow)
  sendError(ctx, new TonError('METHOD_NOT_ALLOWED', text))
}
