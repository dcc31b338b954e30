import { gzipSync } from 'node:zlib'
import type Koa from 'koa'
import { TonError } from '../../shared/errors.ts'
import type { AnswerHeaders } from '../base/answer.ts'
import type { OpenCall } from './call.ts'
import { type ErrorForm, errorText, statusOf } from './error-text.ts'
import { JSON_TYPE } from './headers.ts'
import { LIMITS } from './limits.ts'
import { sendLong } from './long.ts'
import type { Outflow } from './outflow.ts'

/** What the outermost middleware knows about a request. Endpoints read it. */
export interface State {
  call: OpenCall
  /** performance.now() when the request arrived. */
  started: number
  /** How errors are written. */
  form: ErrorForm
  /** Headers of the answer besides type and length, as alternating names and values. */
  headers: string[]
  /** Long answers being sent, of all requests. */
  outflow: Outflow
  /** What a JSON-RPC request asked for, for the access log: a method name, or the number of calls. */
  asked?: string
}
export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>

/** Answers of at most this many characters are compressed at once: that takes a quarter of a millisecond, and a stream of gzip takes more to set up. */
const QUICK = 1 << 15
/** Answers of more characters are written as bytes. For shorter ones a string takes a quarter less (measured). */
const LARGE = 1 << 16
const FAST = { level: 1 } as const
/** Sent instead of an answer that has no room: the client has to ask again. */
const UNREAD = new TonError('UNAVAILABLE', 'too many bytes of earlier answers are not read yet', { retryAfter: 1 })

/**
 * Answers with JSON text. Most answers are written directly, without Koa: setting seven headers one by one and asking Koa to respond costs as much as
 * all the rest of a cached answer (measured, see http.bench.ts). Answers to be compressed go through Koa. Long ones count until they are read
 * (outflow.ts).
 */
export const sendJson = (ctx: Context, status: number, text: string): void => {
  if (text.length >= LIMITS.long && ctx.method !== 'HEAD') {
    const flow = ctx.state.outflow.admit(ctx.res, text.length)
    if (flow) void sendLong(ctx, status, text, flow)
    else sendError(ctx, UNREAD)
    return
  }
  if (text.length >= LIMITS.compress && ctx.req.headers['accept-encoding'] !== undefined) {
    if (text.length <= QUICK && ctx.acceptsEncodings('gzip', 'deflate', 'identity') === 'gzip') {
      ctx.state.headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding')
      sendBytes(ctx, status, gzipSync(text, FAST), JSON_TYPE)
      return
    }
    ctx.status = status
    ctx.set('Content-Type', JSON_TYPE)
    ctx.body = Buffer.from(text)
    return
  }
  // A string goes out in one piece with its headers, but node encodes it into memory of three times its length.
  const body = text.length > LARGE ? Buffer.from(text) : text
  sendBytes(ctx, status, body, JSON_TYPE)
}

/** Writes the answer directly, without Koa and its compression. `own`: headers that replace or extend the common ones. */
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

/** Adds the headers of an error: Retry-After and its own. */
export const errorHeaders = (ctx: Context, { retryAfter, headers }: TonError): void => {
  if (retryAfter !== undefined) ctx.state.headers.push('Retry-After', String(retryAfter))
  if (headers) sendHeaders(ctx, headers)
}

/** Adds headers to the answer. */
export const sendHeaders = (ctx: Context, headers: AnswerHeaders): void => {
  for (const [name, value] of Object.entries(headers)) ctx.state.headers.push(name, value)
}

/** Refuses a whole request, with an error body in the form of its endpoint. */
export const sendError = (ctx: Context, error: TonError): void => {
  errorHeaders(ctx, error)
  sendJson(ctx, statusOf(error), errorText(ctx.state.form, error))
}

/** Answers 405 with the allowed verbs. */
export const sendNotAllowed = (ctx: Context, allow: string, text: string): void => {
  ctx.state.headers.push('Allow', allow)
  sendError(ctx, new TonError('METHOD_NOT_ALLOWED', text))
}
