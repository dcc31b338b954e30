import type Koa from 'koa'
import { TonError } from '../../shared/errors.ts'
import type { AnswerHeaders } from '../base/answer.ts'
import type { OpenCall } from './call.ts'
import { type ErrorForm, errorText, statusOf } from './error-text.ts'
import { JSON_TYPE } from './headers.ts'
import { LIMITS } from './limits.ts'
import { sendLong } from './long.ts'
import type { Outflow } from './outflow.ts'

/** What the outermost middleware knows of a request and the endpoints read. */
export interface State {
  call: OpenCall
  /** performance.now() when the request came. */
  started: number
  /** How a refusal is written. */
  form: ErrorForm
  /** Headers of the answer besides type and length: names and values in turn. */
  headers: string[]
  /** Long answers on their way out, of all requests. */
  outflow: Outflow
  /** What a JSON-RPC request asked for, for the access log: a method's name, or how many calls. */
  asked?: string
}
export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>

/** Characters from which an answer is written as bytes: below, a text takes a quarter less (measured). */
const LARGE = 1 << 16
/** Nothing is told of the answer that was made: its reader has to ask again. */
const UNREAD = new TonError('UNAVAILABLE', 'too much of what was answered is not read yet', { retryAfter: 1 })

/**
 * Answers with JSON text. Short answers are written at once, past Koa: setting seven headers one by one and asking Koa to respond costs as much as
 * all the rest of a cached answer (measured, see http.bench.ts). Others go through Koa and are compressed; long ones count until their reader has taken them.
 */
export const sendJson = (ctx: Context, status: number, text: string): void => {
  if (text.length >= LIMITS.long && ctx.method !== 'HEAD') {
    const flow = ctx.state.outflow.admit(ctx.res, text.length)
    if (flow) void sendLong(ctx, status, text, flow)
    else sendError(ctx, UNREAD)
    return
  }
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

/** Headers that an error asks for: when a retry makes sense, and its own. */
export const errorHeaders = (ctx: Context, { retryAfter, headers }: TonError): void => {
  if (retryAfter !== undefined) ctx.state.headers.push('Retry-After', String(retryAfter))
  if (headers) sendHeaders(ctx, headers)
}

/** Headers of one answer. */
export const sendHeaders = (ctx: Context, headers: AnswerHeaders): void => {
  for (const [name, value] of Object.entries(headers)) ctx.state.headers.push(name, value)
}

/** The refusal of a whole request, in the form of its door. */
export const sendError = (ctx: Context, error: TonError): void => {
  errorHeaders(ctx, error)
  sendJson(ctx, statusOf(error), errorText(ctx.state.form, error))
}

/** 405 with the verbs that are served. */
export const sendNotAllowed = (ctx: Context, allow: string, text: string): void => {
  ctx.state.headers.push('Allow', allow)
  sendError(ctx, new TonError('METHOD_NOT_ALLOWED', text))
}
