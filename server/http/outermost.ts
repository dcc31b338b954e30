import { performance } from 'node:perf_hooks'
import compress from 'koa-compress'
import { TonError } from '../../shared/errors.ts'
import { toTonError } from '../dispatch/failure.ts'
import type { Meter } from '../metrics/meter.ts'
import { type CallDeps, createCall } from './call.ts'
import { bareBody, envelope } from './error-text.ts'
import { type HeadFault, headFault } from './head.ts'
import { commonHeaders } from './headers.ts'
import { type Context, type Middleware, sendError, sendJson } from './koa.ts'
import { LIMITS } from './limits.ts'
import { createDoorCounter } from './ops/metrics.ts'
import type { Readiness } from './ops/readiness.ts'
import type { Outflow } from './outflow.ts'
import { BAD_TARGET, toOriginForm } from './target.ts'

export interface OutermostDeps extends CallDeps {
  /** Versions of the v2 and v3 interfaces. */
  readonly apiVersion: string
  readonly apiVersionV3: string
  readonly readiness: Readiness
  readonly meter: Meter
  /** Long answers being sent. */
  readonly outflow: Outflow
  /** Called for each request once it is answered; undefined if the access log is off. */
  readonly accessLog: ((ctx: Context, status: number, milliseconds: number) => void) | undefined
}

/** Paths that follow v3's conventions. */
const BARE = ['/api/v3/', '/api/emulate/'] as const

/** Status recorded for a request whose caller hung up before the answer, as in nginx. */
const HUNG_UP = 499

const compressor = compress({ threshold: LIMITS.compress, br: false, zstd: false, gzip: { level: 5 } })
const done = async (): Promise<void> => {}

/**
 * The outermost middleware. It creates the call, sets common headers, writes errors as JSON and compresses. No error may reach Koa's own error
 * handler, which strips the headers and answers with plain text.
 */
export const outermost = (deps: OutermostDeps): Middleware => {
  const common = { envelope: commonHeaders(deps.apiVersion), v3: commonHeaders(deps.apiVersionV3) }

  /** Completes an answer that Koa writes: adds the headers that its endpoint has not set, and compresses it if it is long. */
  const finish = async (ctx: Context): Promise<void> => {
    const { headers } = ctx.state
    for (let i = 0; i < headers.length; i += 2) if (!ctx.res.hasHeader(headers[i]!)) ctx.set(headers[i]!, headers[i + 1]!)
    // A client that accepts no encoding at all, not even identity, gets the plain text: compression would throw.
    if ((ctx.response.length ?? 0) >= LIMITS.compress && ctx.acceptsEncodings('gzip', 'deflate', 'identity')) await compressor(ctx, done)
  }

  const count = createDoorCounter(deps.meter)

  /** Counts a request and logs it. */
  const answered = (ctx: Context): void => {
    const { req, res, state } = ctx
    const status = req.socket.destroyed ? HUNG_UP : res.statusCode
    const milliseconds = performance.now() - state.started
    count(req.url ?? '', status, milliseconds)
    deps.accessLog?.(ctx, status, milliseconds)
  }

  return async (ctx, next) => {
    const { state } = ctx
    state.started = performance.now()
    const isSound = toOriginForm(ctx.req)
    if (ctx.originalUrl !== ctx.url) ctx.originalUrl = ctx.url
    const call = createCall(deps, ctx.req, ctx.res)
    state.call = call
    const { url = '' } = ctx.req
    state.form = BARE.some((prefix) => url.startsWith(prefix)) ? 'v3' : 'envelope'
    state.outflow = deps.outflow
    state.headers = [...common[state.form], 'X-Request-Id', call.requestId]
    if (deps.readiness.phase() === 'stopping') state.headers.push('Connection', 'close')
    try {
      if (!isSound) throw new TonError('INVALID_REQUEST', BAD_TARGET)
      await next()
      if (ctx.respond !== false && ctx.status === 404 && ctx.body == null)
        sendError(ctx, new TonError('NOT_FOUND', state.form === 'v3' ? 'not found' : 'Not Found'))
    } catch (thrown) {
      sendError(ctx, toTonError(thrown, call))
    }
    if (ctx.respond !== false) await finish(ctx)
    answered(ctx)
  }
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
