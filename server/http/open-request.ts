import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { createAbortController } from '../base/abort.ts'
import { type Call, type Caller, waitsForBlock } from '../base/call.ts'
import { type Log, withFields } from '../base/log.ts'
import { isTracing } from '../base/tracing/tracer.ts'
import { API_VERSION, API_VERSION_V3 } from '../base/version.ts'
import { clientNet } from '../net/client-net.ts'
import type { Context, Middleware } from './context.ts'
import { COMMON_HEADERS } from './headers.ts'
import { createAccessLog } from './ops/access-log.ts'
import { createRequestCounter } from './ops/metrics.ts'
import { tracedRequest } from './ops/traced.ts'
import type { Parts } from './parts.ts'
import { BAD_TARGET, dropLongAccept, toOriginForm, validateRequestHead } from './request-head.ts'

const GIVEN = /^[\w.:-]{1,64}$/

/** The caller's X-Request-Id; undefined if it is absent, or unsafe in a header and a log line. */
const givenRequestId = (req: IncomingMessage): string | undefined => {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && GIVEN.test(given) ? given : undefined
}

const MAX_LISTENERS = 20

/** A signal that is aborted if a response closes before it is written. */
const hangUpOf = (res: ServerResponse): AbortSignal => {
  const hungUp = createAbortController()
  if (res.destroyed) hungUp.abort()
  // Koa, the compression, the body and our limits wait for the end of a response too. Node warns of a leak from eleven listeners on.
  res.setMaxListeners(MAX_LISTENERS)
  res.once('close', () => {
    if (!res.writableFinished) hungUp.abort()
  })
  return hungUp.signal
}

/**
 * The call of one request. The signal and the logger are made when they are read, because an answer from the cache needs neither. The caller is set later,
 * after the gate has checked the key.
 */
export class RequestCall implements Call {
  readonly requestId: string
  readonly network: string
  caller: Caller | undefined = undefined
  /** Set by endpoints that can write an answer in pieces. */
  acceptsPieces = false
  private readonly deps: Parts
  private readonly req: IncomingMessage
  private readonly res: ServerResponse
  private ownSignal: AbortSignal | undefined
  constructor(deps: Parts, req: IncomingMessage, res: ServerResponse) {
    this.requestId = givenRequestId(req) ?? randomUUID()
    this.network = deps.chooseNetwork(req)
    this.deps = deps
    this.req = req
    this.res = res
  }
  get signal(): AbortSignal {
    this.ownSignal ??= hangUpOf(this.res)
    return this.ownSignal
  }
  get log(): Log {
    return withFields(this.deps.log, { requestId: this.requestId })
  }
  get client(): string {
    return this.caller?.bucket ?? clientNet(this.deps.clientAddress(this.req))
  }
  get waitsForBlock(): boolean {
    return waitsForBlock(this.req.socket)
  }
  get localAllowed(): boolean {
    return this.deps.localAccess(this.req)
  }
}

const HEADERS = Object.entries(COMMON_HEADERS)

const isV4 = (url: string): boolean => url.startsWith('/api/v4/')
/** Returns whether a URL belongs to v3, or to v4 or emulate, which have v3's error format and URL limit. */
const isV3 = (url: string): boolean => url.startsWith('/api/v3/') || url.startsWith('/api/emulate/') || isV4(url)
/** Status in metrics and logs of a request whose client disconnected before the answer, as in nginx. */
const HUNG_UP = 499

/**
 * Assigns the request's id, its network (from the path or the Host header) and its call. Counts the request when its answer is made, or when a streamed
 * answer ends.
 */
export const openRequest = (deps: Parts): Middleware => {
  const count = createRequestCounter(deps.meter)
  const logAnswer = deps.accessLog && createAccessLog(deps.accessLog, deps.clientAddress)
  // This runs for every request. Koa's setters cost a multiple of node's, so the headers are set on the response itself.
  const serve: Middleware = (ctx, next) => {
    const { req, res } = ctx
    const started = performance.now()
    dropLongAccept(req)
    const isTarget = toOriginForm(req)
    // Koa has stored the target before toOriginForm, when it could be an absolute URL.
    ctx.originalUrl = req.url ?? '/'
    const call = new RequestCall(deps, req, res)
    const url = req.url ?? '/'
    const form = isV3(url) ? 'v3' : 'v2'
    const fault = isTarget ? validateRequestHead(req) : { status: 400, text: BAD_TARGET }
    ctx.state = { call, started, form, fault, bodies: deps.bodies }
    for (const [name, value] of HEADERS) res.setHeader(name, value)
    if (!isV4(url)) res.setHeader('X-API-Version', form === 'v3' ? API_VERSION_V3 : API_VERSION)
    res.setHeader('X-Request-Id', call.requestId)
    if (deps.readiness.isStopping) res.setHeader('Connection', 'close')
    const answered = (): void => {
      const status = req.socket.destroyed ? HUNG_UP : res.statusCode
      const milliseconds = performance.now() - started
      count(url, status, milliseconds)
      logAnswer?.(ctx, status, milliseconds)
    }
    return next().then(() => {
      // A streamed answer is counted when it ends, so that the recorded time includes its production.
      if (ctx.state.isBeingMade && !res.closed) res.once('close', AsyncResource.bind(answered))
      else answered()
    })
  }
  return isTracing() ? (ctx, next) => tracedRequest(ctx, () => serve(ctx, next)) : serve
}

/**
 * Lets this call write a large answer while the answer is produced. HEAD is excluded, because its answer states the length. HTTP/1.0 is excluded too: there
 * the end of the connection ends the answer, so a truncated answer would look complete.
 */
export const allowPieces = ({ req, res, state: { call } }: Context): void => {
  // An answer behind others of its connection has no socket yet, and would hold a large page's permit until it has.
  call.acceptsPieces = req.method !== 'HEAD' && req.httpVersion === '1.1' && res.socket !== null
}
