import { deflate, gzip, gzipSync } from 'node:zlib'
import { TonError } from '../../../shared/errors.ts'
import type { AnswerHeaders } from '../../base/answer.ts'
import { errorText, statusOf } from '../error-text.ts'
import type { Exchange } from '../exchange.ts'
import { JSON_TYPE } from '../headers.ts'
import { LIMITS } from '../limits.ts'
import { sendLong } from './long.ts'

/* Writes answers. */

/** Answers of at most this many characters are compressed at once: that takes a quarter of a millisecond, and a stream of gzip takes more to set up. */
const QUICK = 1 << 15
/** Answers of more characters are written as bytes. For shorter ones a string takes a quarter less (measured). */
const LARGE = 1 << 16
const FAST = { level: 1 } as const
/** For longer ones, as for koa-compress (outermost.ts). They are compressed in another thread. */
const USUAL = { level: 5 } as const
/** Sent instead of an answer that has no room: the client has to ask again. */
const UNREAD = new TonError('UNAVAILABLE', 'too many bytes of earlier answers are not read yet', { retryAfter: 1 })

/**
 * Answers with JSON text. It is written directly, without Koa: setting seven headers one by one and asking Koa to respond costs as much as all the rest
 * of a cached answer (measured, see http.bench.ts). Long answers count until they are read (outflow.ts).
 */
export const sendJson = (ctx: Exchange, status: number, text: string): void => {
  if (text.length >= LIMITS.long && ctx.method !== 'HEAD') {
    const flow = ctx.state.outflow.admit(ctx.res, text.length)
    if (flow) void sendLong(ctx, status, text, flow)
    else sendError(ctx, UNREAD)
    return
  }
  if (text.length >= LIMITS.compress && ctx.req.headers['accept-encoding'] !== undefined) {
    sendCompressed(ctx, status, text)
    return
  }
  sendText(ctx, status, text)
}

/** Answers with JSON text as it is. A string goes out in one piece with its headers, but node encodes it into memory of three times its length. */
const sendText = (ctx: Exchange, status: number, text: string): void =>
  sendBytes(ctx, status, text.length > LARGE ? Buffer.from(text) : text, JSON_TYPE)

/** Answers with text in the encoding that the client prefers. A client that accepts no encoding at all, not even identity, gets the plain text. */
const sendCompressed = (ctx: Exchange, status: number, text: string): void => {
  const { headers } = ctx.state
  headers.push('Vary', 'Accept-Encoding')
  const coding = ctx.acceptsEncodings('gzip', 'deflate', 'identity')
  const isQuick = coding === 'gzip' && text.length <= QUICK
  if (coding === false || coding === 'identity' || (ctx.method === 'HEAD' && !isQuick)) {
    sendText(ctx, status, text)
    return
  }
  headers.push('Content-Encoding', coding)
  if (isQuick) {
    sendBytes(ctx, status, gzipSync(text, FAST), JSON_TYPE)
    return
  }
  ctx.respond = false
  // Whoever counts the request may look at the status before the answer is compressed.
  ctx.res.statusCode = status
  const compress = coding === 'gzip' ? gzip : deflate
  compress(text, USUAL, (error, bytes) => {
    // Another answer may have been sent meanwhile.
    if (ctx.res.headersSent) return
    try {
      if (error) throw error
      sendBytes(ctx, status, bytes, JSON_TYPE)
    } catch (thrown) {
      // Nobody would catch it here, and the process would end.
      ctx.state.call.log.error('answer.failed', { err: thrown })
      ctx.res.destroy()
    }
  })
}

/** Writes the answer directly, without Koa and its compression. `own`: headers that replace or extend the common ones. */
export const sendBytes = (
  ctx: Exchange,
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

/** Answers 204 without a body. */
export const sendNothing = (ctx: Exchange): void => {
  ctx.respond = false
  ctx.res.writeHead(204, ctx.state.headers).end()
}

/** Adds the headers of an error: Retry-After and its own. */
export const errorHeaders = (ctx: Exchange, { retryAfter, headers }: TonError): void => {
  if (retryAfter !== undefined) ctx.state.headers.push('Retry-After', String(retryAfter))
  if (headers) sendHeaders(ctx, headers)
}

/** Adds headers to the answer. */
export const sendHeaders = (ctx: Exchange, headers: AnswerHeaders): void => {
  for (const [name, value] of Object.entries(headers)) ctx.state.headers.push(name, value)
}

/** Refuses a whole request, with an error body in the form of its endpoint. */
export const sendError = (ctx: Exchange, error: TonError): void => {
  errorHeaders(ctx, error)
  sendJson(ctx, statusOf(error), errorText(ctx.state.form, error))
}

/** Answers 405 with the allowed verbs. */
export const sendNotAllowed = (ctx: Exchange, allow: string, text: string): void => {
  ctx.state.headers.push('Allow', allow)
  sendError(ctx, new TonError('METHOD_NOT_ALLOWED', text))
}
