import type { RequestListener } from 'node:http'
import { performance } from 'node:perf_hooks'
import cors from '@koa/cors'
import Koa from 'koa'
import compress from 'koa-compress'
import type { Log } from '../base/log.ts'
import { toTonError } from '../dispatch/failure.ts'
import type { Meter } from '../metrics/meter.ts'
import { type CallDeps, createCall } from './call.ts'
import type { Context, Middleware, State } from './context.ts'
import { sendError, sendRefusal } from './encode.ts'
import { EXPOSED_HEADERS, SAFE_HEADERS } from './headers.ts'
import { LIMITS } from './limits.ts'
import { createDoorCounter } from './ops/metrics.ts'
import type { Readiness } from './ops/readiness.ts'
import type { Outflow } from './outflow.ts'
import { BAD_TARGET, headFault, toOriginForm } from './request-head.ts'

/* The way of an HTTP request: the list of middleware, in order. What is no middleware is in node.ts, the paths are in routes.ts, the answers in encode.ts. */

export interface AppDeps extends CallDeps {
  readonly log: Log
  /** Versions of the v2 and v3 interfaces. */
  readonly apiVersion: string
  readonly apiVersionV3: string
  readonly readiness: Readiness
  readonly meter: Meter
  readonly outflow: Outflow
  /** Called for each request once it is answered; undefined if the access log is off. */
  readonly accessLog: ((ctx: Context, status: number, milliseconds: number) => void) | undefined
  /** Serves every path (routes.ts). */
  readonly routes: readonly Middleware[]
}

export const createApp = (deps: AppDeps): RequestListener => {
  const app = new Koa<State>()
  app.on('error', (error: Error) => deps.log.debug('http.error', { err: error }))
  app.use(openRequest(deps))
  app.use(answerOptions)
  app.use(cors({ origin: '*', exposeHeaders: EXPOSED_HEADERS, allowMethods: ALLOWED, maxAge: 86_400, keepHeadersOnError: false }))
  app.use(compressBody)
  app.use(answerErrors)
  app.use(checkHead)
  for (const each of deps.routes) app.use(each)
  return app.callback()
}

const ALLOWED = ['GET', 'HEAD', 'POST', 'OPTIONS']
/** Paths that follow v3's conventions. */
const V3_PATHS = ['/api/v3/', '/api/emulate/'] as const
const MAX_LISTENERS = 20
/** Status recorded for a request whose caller hung up before the answer, as in nginx. */
const HUNG_UP = 499

/** Gives the request its id, its network (from the path or the Host header) and its call, and counts it once it is answered. */
const openRequest = (deps: AppDeps): Middleware => {
  const count = createDoorCounter(deps.meter)
  return async (ctx, next) => {
    const { req, res } = ctx
    const started = performance.now()
    // Koa, the compression, the stream of the body and our bounds each wait for the response's end: eleven in all, where node warns of a leak.
    res.setMaxListeners(MAX_LISTENERS)
    const isTarget = toOriginForm(req)
    // Koa has noted the target as it came.
    ctx.originalUrl = ctx.url
    const call = createCall(deps, req, res)
    const form = V3_PATHS.some((prefix) => ctx.url.startsWith(prefix)) ? 'v3' : 'v2'
    const fault = isTarget ? headFault(req) : { status: 400, text: BAD_TARGET }
    ctx.state = { call, started, form, fault, outflow: deps.outflow }
    ctx.set(SAFE_HEADERS)
    ctx.set('X-API-Version', form === 'v3' ? deps.apiVersionV3 : deps.apiVersion)
    ctx.set('X-Request-Id', call.requestId)
    if (deps.readiness.phase === 'stopping') ctx.set('Connection', 'close')
    const answered = (): void => {
      const status = req.socket.destroyed ? HUNG_UP : ctx.status
      const milliseconds = performance.now() - started
      count(ctx.url, status, milliseconds)
      deps.accessLog?.(ctx, status, milliseconds)
    }
    await next()
    // The making of the rest belongs to the time of the call.
    if (ctx.state.isBeingMade && !res.closed) res.once('close', answered)
    else answered()
  }
}

/** OPTIONS: cors completes the answer to a preflight of a browser. */
const answerOptions: Middleware = async (ctx, next) => {
  if (ctx.method !== 'OPTIONS') return next()
  ctx.set({ 'Access-Control-Allow-Origin': '*', Allow: ALLOWED.join(', ') })
  if (ctx.get('Access-Control-Request-Method') !== '') await next()
  ctx.status = 204
}

const compressed = compress({ threshold: LIMITS.compress, br: false, zstd: false, gzip: { level: 5 } }) as unknown as Middleware
/** A client that accepts no encoding at all, not even identity, gets the plain text: compression would throw. */
const compressBody: Middleware = (ctx, next) => {
  if (ctx.acceptsEncodings('gzip', 'deflate', 'identity')) return compressed(ctx, next)
  ctx.vary('Accept-Encoding')
  return next()
}

/** Writes errors as JSON. None may reach Koa's own handler, which strips the headers and answers with plain text. */
const answerErrors: Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (thrown) {
    sendError(ctx, toTonError(thrown, ctx.state.call))
  }
}

/** Refuses malformed heads and URLs that are too long (node's own refusals have no body). */
const checkHead: Middleware = async (ctx, next) => {
  const { fault, form } = ctx.state
  if (fault) return sendRefusal(ctx, fault.status, fault.text)
  const longest = form === 'v3' ? LIMITS.urlV3 : LIMITS.url
  if (ctx.url.length > longest) return sendRefusal(ctx, 414, `URL is over ${longest} bytes`)
  await next()
}
