import type { RequestListener, Server } from 'node:http'
import cors from '@koa/cors'
import Koa from 'koa'
import compress from 'koa-compress'
import { createPermits } from '../base/permits.ts'
import { toTonError } from '../dispatch/failure.ts'
import { sendError, sendRefusal } from './answer-forms.ts'
import { turnForLongHeads } from './body.ts'
import type { Middleware, State } from './context.ts'
import { EXPOSED_HEADERS } from './headers.ts'
import { LIMITS } from './limits.ts'
import { openRequest, type RequestDeps } from './open-request.ts'

/*
 * The Koa middleware that every HTTP request passes through, in order. Work outside Koa is in node.ts, the paths are in routes.ts, and answer-forms.ts writes
 * the answers.
 */

export interface AppDeps extends RequestDeps {
  readonly routes: readonly Middleware[]
  readonly server: Pick<Server, 'on'>
}

export const createApp = (deps: AppDeps): RequestListener => {
  const app = new Koa<State>()
  app.on('error', (error: Error) => deps.log.debug('http.error', { err: error }))
  app.use(openRequest(deps))
  app.use(turnForLongHeads)
  app.use(answerOptions)
  app.use(cors({ origin: '*', exposeHeaders: EXPOSED_HEADERS, allowMethods: ALLOWED, maxAge: 86_400, keepHeadersOnError: false }))
  app.use(compressBody)
  app.use(answerErrors)
  app.use(waitForTurn(deps.server))
  app.use(checkHead)
  for (const each of deps.routes) app.use(each)
  return app.callback()
}

const ALLOWED = ['GET', 'HEAD', 'POST', 'OPTIONS']

const answerOptions: Middleware = (ctx, next) => (ctx.method === 'OPTIONS' ? answerPreflight(ctx, next) : next())

const answerPreflight: Middleware = async (ctx, next) => {
  ctx.set({ 'Access-Control-Allow-Origin': '*', Allow: ALLOWED.join(', ') })
  if (ctx.get('Access-Control-Request-Method') !== '') await next()
  ctx.status = 204
}

const compressed = compress({ threshold: LIMITS.compress, br: false, zstd: false, gzip: { level: 5 } }) as unknown as Middleware
/**
 * koa-compress throws for a client that accepts neither a compressed nor a plain body, so only clients that accept compression reach it. The others get the
 * plain body.
 */
const compressBody: Middleware = (ctx, next) => {
  if (ctx.get('Accept-Encoding') !== '' && ctx.acceptsEncodings('gzip', 'deflate')) return compressed(ctx, next)
  ctx.vary('Accept-Encoding')
  return next()
}

/** Writes errors as JSON. No error may reach Koa's own handler, which removes the headers and answers with plain text. */
const answerErrors: Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (thrown) {
    sendError(ctx, toTonError(thrown, ctx.state.call))
  }
}

/*
 * Limits the number of requests that begin in one event-loop turn: each takes a permit, which is released after the turn. A turn accepts one connection,
 * but reads what a thousand others have sent. Without this limit 2,000 busy connections would make a turn last for a second, and a new client would wait
 * for hundreds of turns.
 * Requests without a permit wait; the least active clients go first. A turn that accepted a connection releases only one permit, because more connections
 * may wait to be accepted.
 */
const waitForTurn = (server: AppDeps['server']): Middleware => {
  const turns = createPermits(LIMITS.turns)
  const begun: (() => void)[] = []
  let isAccepting = false
  server.on('connection', () => {
    isAccepting = true
  })
  const endTurn = (): void => {
    const ended = begun.splice(0, isAccepting ? 1 : begun.length)
    isAccepting = false
    if (begun.length > 0) setImmediate(endTurn)
    for (const release of ended) release()
  }
  return async ({ state: { call } }, next) => {
    const release = turns.takeNow() ?? (await turns.take(call.signal, call.client))
    if (begun.push(release) === 1) setImmediate(endTurn)
    await next()
  }
}

/** Refuses malformed heads and long URLs here, because node's own refusals have no body. */
const checkHead: Middleware = (ctx, next) => {
  const { fault, form } = ctx.state
  if (fault) return sendRefusal(ctx, fault.status, fault.text)
  const longest = form === 'v3' ? LIMITS.urlV3 : LIMITS.url
  if (ctx.url.length > longest) return sendRefusal(ctx, 414, `URL is over ${longest} bytes`)
  return next()
}
