import Router from '@koa/router'
import { sendBody } from './answer-forms.ts'
import type { Context, Middleware, State } from './context.ts'
import { createDocumentRoutes } from './docs/routes.ts'
import { refuseForeignPages, takeBearer } from './mcp-access.ts'
import { createNotFound } from './not-found.ts'
import { createReady, createStatus, createStreamHealth, health } from './ops/health.ts'
import { createMetricsRoute, type LazyExposition } from './ops/metrics.ts'
import type { Parts } from './parts.ts'
import { createPictures } from './picture.ts'
import { createMirror, pathsWithParams, restRoutes } from './rest/rest.ts'
import { createDialect, createStrict, DIALECT } from './rpc/endpoints.ts'

/* Every URL of the service, without the prefix of a network, which networks.ts removes. upgrades.ts accepts WebSockets at two of them. */

export interface RouteDeps extends Parts {
  readonly exposition: LazyExposition
  readonly process: () => object
  readonly sse: (ctx: Context) => Promise<void>
  readonly serveMcp: ((ctx: Context) => Promise<void>) | undefined
}

/**
 * Paths to which TonClient posts in common configurations: Blueprint's preset for a custom network is `http://localhost:8081/`, and many projects write
 * `--custom .../api/v2/`.
 */
const DIALECT_ALIASES = ['/', '/api/v2', '/api/v2/']
const STREAM_PATH = '/api/streaming/v2/sse'
const MCP_PATH = '/mcp'
/** Paths of TON Center's documentation. */
const TON_CENTER_DOCS = ['/docs/', ...['v2', 'v3'].flatMap((api) => [`/api/${api}`, `/api/${api}/`, `/api/${api}/index.html`])]

export const createRoutes = (deps: RouteDeps): readonly Middleware[] => {
  const { gate, dispatch, readiness, status } = deps
  const rest = restRoutes(deps.methods)
  const documents = createDocumentRoutes(deps)
  const mirror = createMirror(deps)
  const dialect = createDialect(deps)
  const notFound = createNotFound([...rest.keys(), '/jsonRPC', DIALECT, STREAM_PATH], deps.methods)

  const caller: Middleware = async ({ req, state: { call } }, next) => {
    call.caller = await gate?.admit(req, call.network)
    await next()
  }
  const rpcErrors: Middleware = (ctx, next) => {
    ctx.state.form = 'rpc'
    return next()
  }
  /** Serves the method of a path without parameters. The router decodes paths, so the undecoded path is compared here. */
  const method: Middleware = (ctx, next) => {
    const entry = rest.get(ctx.path)
    return entry ? caller(ctx, () => mirror(ctx, entry)) : next()
  }

  // A router compares a path with all of its routes in turn. So calls have their own router, which is tried first.
  const calls = new Router<State>({ sensitive: true, strict: true })
  calls.all('/jsonRPC', rpcErrors, caller, createStrict(deps))
  calls.all(DIALECT, caller, dialect)
  calls.all(/^\/api\/(?:v2|v3|emulate\/v1)\/./, method)

  const others = new Router<State>({ sensitive: true, strict: true })
  others.post(DIALECT_ALIASES, caller, dialect)
  others.all(STREAM_PATH, caller, deps.sse)
  if (deps.serveMcp) others.all(MCP_PATH, rpcErrors, refuseForeignPages, takeBearer, caller, deps.serveMcp)
  for (const [path, entry] of pathsWithParams(rest)) others.all(path, caller, (ctx) => mirror(ctx, entry))
  others.get('/api/streaming/v2/ws', upgradeRequired)
  others.get('/api/streaming/healthz', createStreamHealth(status))
  others.get(['/health', '/healthcheck', '/api/v2/healthcheck'], health)
  others.get('/ready', createReady(readiness, status))
  others.get('/status', createStatus(readiness, status, deps.process))
  if (deps.metrics === 'local' || deps.metrics === 'all') others.get('/metrics', createMetricsRoute(deps.metrics, deps.exposition))
  for (const [paths, send] of documents.described) others.get([...paths], caller, send)
  others.get('/docs', documents.docs)
  others.get(TON_CENTER_DOCS, documents.toDocs)
  others.get('/', documents.root)
  others.get('/page/:name', documents.pageFile)
  others.get('/global.config.json', caller, documents.globalConfig)
  others.get('/picture/:account', caller, createPictures(dispatch))
  others.get('/favicon.ico', (ctx) => {
    ctx.status = 204
  })
  return [
    calls.routes() as Middleware,
    others.routes() as Middleware,
    (ctx) => {
      throw notFound(ctx)
    },
  ]
}

const upgradeRequired: Middleware = (ctx) => {
  ctx.set('Upgrade', 'websocket')
  sendBody(ctx, 426, 'text/plain; charset=utf-8', 'Upgrade Required')
}
