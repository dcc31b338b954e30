import type { RequestListener } from 'node:http'
import cors from '@koa/cors'
import Koa from 'koa'
import compress from 'koa-compress'
import { TonError } from '../../shared/errors.ts'
import { toTonError } from '../dispatch/failure.ts'
import { sendError, sendRefusal } from './answer-forms.ts'
import { turnToBegin } from './body.ts'
import type { Context, Middleware, State } from './context.ts'
import { LIMITS } from './limits.ts'
import { openRequest } from './open-request.ts'
import type { Parts } from './parts.ts'

/*
 * The Koa middleware that every HTTP request passes through, in order. Work outside Koa is in node.ts, the paths are in routes.ts, answer-forms.ts makes
 * the envelopes of answers, and Koa sends them.
 */

export const createApp = (deps: Parts & { readonly routes: readonly Middleware[] }): RequestListener => {
  const app = new Koa<State>()
  app.on('error', (error: Error) => deps.log.debug('http.error', { err: error }))
  app.use(openRequest(deps))
  app.use(waitForTurn)
  app.use(answerOptions)
  app.use(compressBody)
  app.use(answerErrors)
  app.use(checkHead)
  for (const each of deps.routes) app.use(each)
  return app.callback()
}

const ALLOWED = ['GET', 'HEAD', 'POST', 'OPTIONS']

const answerOptions: Middleware = (ctx, next) => (ctx.req.method === 'OPTIONS' ? answerPreflight(ctx) : next())

/** The headers of other requests do not depend on their origin (headers.ts). */
const preflight = cors({ origin: '*', allowMethods: ALLOWED, maxAge: 86_400 })

const answerPreflight = async (ctx: Context): Promise<void> => {
  ctx.set('Allow', ALLOWED.join(', '))
  await preflight(ctx, async () => {})
  ctx.status = 204
}

const compressed = compress({ threshold: LIMITS.compress, br: false, zstd: false, gzip: { level: 5 } }) as unknown as Middleware
/**
 * koa-compress throws for a client that accepts neither a compressed nor a plain body, so only clients that accept compression reach it. The others get the
 * plain body, without Vary: of what may be stored only documents come in two forms (docs/send-document.ts).
 */
const compressBody: Middleware = (ctx, next) => {
  if (ctx.req.headers['accept-encoding'] && ctx.acceptsEncodings('gzip', 'deflate')) return compressed(ctx, next)
  return next()
}

/** Writes errors as JSON. No error may reach Koa's own handler, which removes the headers and answers with plain text. */
const answerErrors: Middleware = (ctx, next) => next().catch((thrown) => sendError(ctx, toTonError(thrown, ctx.state.call)))

/** Maximum wait for a turn (ms). */
const PATIENCE = 10_000
const CROWDED = new TonError('UNAVAILABLE', 'too many requests are waiting; try again later', { retryAfter: 3 })

/** Waits for an event-loop turn. Does nothing for a client that disconnected meanwhile. */
const waitForTurn: Middleware = (ctx, next) => {
  const { req, state } = ctx
  return (
    turnToBegin(req, state.call)?.then((isAdmitted) => {
      if (!isAdmitted || performance.now() - state.started > PATIENCE) return sendError(ctx, CROWDED)
      return req.socket.destroyed ? undefined : next()
    }) ?? next()
  )
}

/** Refuses malformed heads and long URLs here, because node's own refusals have no body. */
const checkHead: Middleware = (ctx, next) => {
  const { fault, form } = ctx.state
  if (fault) return sendRefusal(ctx, fault.status, fault.text)
  const longest = form === 'v3' ? LIMITS.urlV3 : LIMITS.url
  if (ctx.req.url!.length > longest) return sendRefusal(ctx, 414, `URL is over ${longest} bytes`)
  return next()
}
