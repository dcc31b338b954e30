import { performance } from 'node:perf_hooks'
import compress from 'koa-compress'
import { TonError } from '../../shared/errors.ts'
import type { DoorMeter, Meter } from '../metrics/meter.ts'
import { type CallDeps, createCall } from './call.ts'
import { NO_EXTRA } from './extra.ts'
import { type Context, type Middleware, sendError, sendJson } from './koa.ts'
import { LIMITS } from './limits.ts'
import { DOORS, type Door, doorOf } from './ops/doors.ts'
import type { Readiness } from './ops/readiness.ts'

export interface OutermostDeps extends CallDeps {
  /** Of the v2 interface, and of v3. */
  readonly apiVersion: string
  readonly apiVersionV3: string
  readonly readiness: Readiness
  readonly meter: Meter
  /** Tells of each request when it has been answered; undefined where nobody wants to know. */
  readonly accessLog: ((ctx: Context, status: number, milliseconds: number) => void) | undefined
}

/** Where v3's manners hold. */
const V3 = '/api/v3/'

/** Headers that a page of any origin may read. */
const EXPOSED = 'X-API-Version, X-Request-Id, X-Unknown-Params, X-Index-Seqno, X-Next-Cursor, Retry-After'

/** What keeps browsers from making a page, a frame or a cached copy of an answer; any page may read it (the interfaces are open to all origins). */
const SAFE = [
  ...['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'cross-origin', 'Cache-Control', 'no-store'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

/** The status of a request whose caller hung up before its answer, as nginx writes it. */
const HUNG_UP = 499

const compressor = compress({ threshold: LIMITS.compress, br: false, zstd: false, gzip: { level: 5 } })
const done = async (): Promise<void> => {}

/**
 * Around everything else: the call, the headers that every answer has, errors as JSON, compression. Nothing may reach Koa's own error
 * handler, which strips the headers and answers with plain text.
 */
export const outermost = (deps: OutermostDeps): Middleware => {
  const headersOf = (apiVersion: string): readonly string[] => [
    ...['X-API-Version', apiVersion],
    ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED],
    ...SAFE,
  ]
  const common = { envelope: headersOf(deps.apiVersion), v3: headersOf(deps.apiVersionV3) }

  /** An answer that was not written at once: it gets the headers that its endpoint has not set itself, and is compressed if it is long. */
  const finish = async (ctx: Context): Promise<void> => {
    const { headers } = ctx.state
    for (let i = 0; i < headers.length; i += 2) if (!ctx.res.hasHeader(headers[i]!)) ctx.set(headers[i]!, headers[i + 1]!)
    if ((ctx.response.length ?? 0) >= LIMITS.compress) await compressor(ctx, done)
  }

  const doors = Object.fromEntries(DOORS.map((door) => [door, deps.meter.door(door)])) as Readonly<Record<Door, DoorMeter>>

  /** Counts a request, and tells of it. */
  const answered = (ctx: Context): void => {
    const { req, res, state } = ctx
    const status = req.socket.destroyed ? HUNG_UP : res.statusCode
    const milliseconds = performance.now() - state.started
    doors[doorOf(req.url ?? '')].done(status, milliseconds)
    deps.accessLog?.(ctx, status, milliseconds)
  }

  return async (ctx, next) => {
    const { state } = ctx
    state.started = performance.now()
    const call = createCall(deps, ctx.req, ctx.res)
    state.call = call
    state.form = ctx.req.url?.startsWith(V3) ? 'v3' : 'envelope'
    state.headers = [...common[state.form], 'X-Request-Id', call.requestId]
    if (deps.readiness.phase() === 'stopping') state.headers.push('Connection', 'close')
    try {
      await next()
      if (ctx.respond !== false && ctx.status === 404 && ctx.body == null)
        sendError(ctx, new TonError('NOT_FOUND', state.form === 'v3' ? 'not found' : 'Not Found'))
    } catch (thrown) {
      sendError(
        ctx,
        ownError(thrown, call.requestId, (error) => call.log.error('request.failed', { err: error })),
      )
    }
    if (ctx.respond !== false) await finish(ctx)
    answered(ctx)
  }
}

const ownError = (thrown: unknown, requestId: string, report: (error: unknown) => void): TonError => {
  if (thrown instanceof TonError) return thrown
  report(thrown)
  return new TonError('INTERNAL', `internal error, request ${requestId}`, { cause: thrown })
}

/** Refuses URLs that are too long, too many headers, and HTTP/1.1 without a Host (node's own refusal has no body). */
export const soundHead: Middleware = (ctx, next) => {
  if (ctx.req.rawHeaders.length > LIMITS.headerLines * 2) {
    const text = `over ${LIMITS.headerLines} header lines`
    sendJson(ctx, 431, JSON.stringify({ ok: false, error: text, code: 431, '@extra': NO_EXTRA }))
    return done()
  }
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion === '1.1')
    throw new TonError('INVALID_REQUEST', 'HTTP/1.1 requires a Host header')
  const longest = ctx.state.form === 'v3' ? LIMITS.urlV3 : LIMITS.url
  if (ctx.url.length > longest) throw new TonError('URI_TOO_LONG', `URL is over ${longest} bytes`)
  return next()
}
