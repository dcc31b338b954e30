import compress from 'koa-compress'
import { TonError } from '../../shared/errors.ts'
import { toTonError } from '../dispatch/failure.ts'
import { sendError, sendJson } from './answer/send.ts'
import type { Context, Middleware } from './context.ts'
import { bareBody, envelope } from './error-text.ts'
import { LIMITS } from './limits.ts'
import { type HeadFault, headFault } from './request-head.ts'
import { BAD_TARGET, toOriginForm } from './request-target.ts'
import type { Requests } from './requests.ts'

const compressor = compress({ threshold: LIMITS.compress, br: false, zstd: false, gzip: { level: 5 } })
const done = async (): Promise<void> => {}

/** Completes an answer that Koa writes: adds the headers that its endpoint has not set, and compresses it if it is long. */
const finish = async (ctx: Context): Promise<void> => {
  const { headers } = ctx.state
  for (let i = 0; i < headers.length; i += 2) if (!ctx.res.hasHeader(headers[i]!)) ctx.set(headers[i]!, headers[i + 1]!)
  // A client that accepts no encoding at all, not even identity, gets the plain text: compression would throw.
  if ((ctx.response.length ?? 0) >= LIMITS.compress && ctx.acceptsEncodings('gzip', 'deflate', 'identity')) await compressor(ctx, done)
}

/** Says which network is not served, for a path of the API below the name of a network; otherwise empty. */
const unservedNetwork = (path: string): string => {
  const name = /^\/(?!api\/)([a-z0-9][a-z0-9_-]{0,31})\/(?:api\/|jsonRPC$)/.exec(path)?.[1]
  return name === undefined ? '' : `; this service has no network ${name}`
}

/**
 * The outermost middleware. It creates the call, sets common headers, writes errors as JSON and compresses. No error may reach Koa's own error
 * handler, which strips the headers and answers with plain text.
 */
export const outermost =
  (requests: Requests): Middleware =>
  async (ctx, next) => {
    const isSound = toOriginForm(ctx.req)
    if (ctx.originalUrl !== ctx.url) ctx.originalUrl = ctx.url
    const state = requests.open(ctx.req, ctx.res)
    ctx.state = state
    try {
      if (!isSound) throw new TonError('INVALID_REQUEST', BAD_TARGET)
      await next()
      if (ctx.respond !== false && ctx.status === 404 && ctx.body == null)
        sendError(ctx, new TonError('NOT_FOUND', `${state.form === 'v3' ? 'not found' : 'Not Found'}${unservedNetwork(ctx.path)}`))
    } catch (thrown) {
      sendError(ctx, toTonError(thrown, state.call))
    }
    if (ctx.respond !== false) await finish(ctx)
    requests.answered(ctx)
  }

/** Refuses a request with an HTTP status that no kind of TonError has. */
const refuseHead = (ctx: Context, { status, text }: HeadFault): Promise<void> => {
  sendJson(ctx, status, ctx.state.form === 'v3' ? bareBody(text, status) : envelope(text, status))
  return done()
}

/** Refuses malformed heads and URLs that are too long (node's own refusals have no body). */
export const soundHead: Middleware = (ctx, next) => {
  const fault = headFault(ctx.req)
  if (fault) return refuseHead(ctx, fault)
  const longest = ctx.state.form === 'v3' ? LIMITS.urlV3 : LIMITS.url
  if (ctx.url.length > longest) throw new TonError('URI_TOO_LONG', `URL is over ${longest} bytes`)
  return next()
}
