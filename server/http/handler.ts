import cors from '@koa/cors'
import Router from '@koa/router'
import Koa from 'koa'
import { entriesByName } from '../../shared/entries.ts'
import { TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { Log } from '../base/log.ts'
import { asQuestion, createGuess, rateLimited } from '../base/suggest.ts'
import type { Dispatch } from '../dispatch/types.ts'
import { sendError, sendJson } from './answer/send.ts'
import type { Context, Middleware } from './context.ts'
import { openBuiltPage } from './docs/built-page.ts'
import { createRootList } from './docs/root-list.ts'
import { createDocumentSender } from './docs/send-document.ts'
import type { State } from './exchange.ts'
import { JSON_TYPE } from './headers.ts'
import { LIMITS } from './limits.ts'
import type { ServedNetwork } from './networks.ts'
import { createReady, createStatus, health, type StatusSource } from './ops/health.ts'
import type { LazyExposition, MetricsAccess } from './ops/metrics.ts'
import { createMetricsRoute } from './ops/metrics-route.ts'
import type { Readiness } from './ops/readiness.ts'
import { outermost, soundHead } from './outermost.ts'
import { createPictures } from './picture.ts'
import type { RequestHandler } from './pipeline.ts'
import type { Requests } from './requests.ts'
import { createRest, restRoutes } from './rest/rest.ts'
import { createDoor, type RpcEndpoint } from './rpc/door.ts'
import { createEndpoints, DIALECT, serveEndpoint } from './rpc/jsonrpc.ts'
import type { Rpc } from './rpc/rpc.ts'
import { createStreamHealth } from './stream/health.ts'
import { chargeUndispatched } from './undispatched.ts'

export interface HandlerDeps {
  readonly dispatch: Dispatch
  readonly requests: Requests
  readonly rpc: Rpc
  readonly methods: Readonly<Record<string, MethodDef>>
  readonly log: Log
  readonly readiness: Readiness
  readonly status: StatusSource
  readonly metrics: MetricsAccess
  readonly exposition: LazyExposition
  /** Figures of this process for /status. */
  readonly process: () => object
  /** Serves streaming v2 over SSE. */
  readonly sse: (ctx: Context) => Promise<void>
  /** Whether browsers get the page at `/`; by default they do. */
  readonly page?: boolean
  /** Version of the program, and the X-API-Version value of v3. */
  readonly version: string
  readonly apiVersionV3: string
  readonly networks: readonly ServedNetwork[]
}

const preflight = cors({ origin: '*', allowMethods: 'GET,HEAD,POST,OPTIONS', maxAge: 86_400 })
const noPreflight = async (): Promise<void> => {}

/** OPTIONS: @koa/cors adds the headers of a preflight, and every answer has Allow. All other answers already have CORS headers (outermost.ts). */
const options: Middleware = (ctx, next) => (ctx.method === 'OPTIONS' ? answerOptions(ctx) : next())

const answerOptions = async (ctx: Context): Promise<void> => {
  await preflight(ctx, noPreflight)
  ctx.set('Allow', 'GET, HEAD, POST, OPTIONS')
  ctx.status = 204
}

/**
 * A POST to one of these is a call in TON Center's dialect. Blueprint's preset for a network of one's own is `http://localhost:8081/`, and many
 * projects write `--custom .../api/v2/`. Older Blueprints added `jsonRPC` to it; newer ones give it to TonClient as it is.
 */
const BASES: ReadonlySet<string> = new Set(['/', '/api/v2', '/api/v2/'])

const endpointOf = ({ method, path }: Context): string => (method === 'POST' && BASES.has(path) ? DIALECT : path)

/** An unknown path under /api/ gets a 404 that suggests a similar path. Other unknown paths get a plain 404 (outermost.ts). */
const unknownPath = (paths: readonly string[]): Middleware => {
  const guess = rateLimited(createGuess(paths))
  return (ctx, next) => {
    const meant = ctx.path.startsWith('/api/') ? asQuestion(guess(ctx.path)) : ''
    if (meant === '' || ctx.status !== 404 || ctx.body != null) return next()
    throw new TonError('NOT_FOUND', `${ctx.state.form === 'v3' ? 'not found' : 'Not Found'}${meant}`)
  }
}

/** The HTTP side of the service: two JSON-RPC endpoints, the REST mirror, documents and health, behind CORS and compression. */
const createKoa = (deps: HandlerDeps, endpoints: ReadonlyMap<string, RpcEndpoint>): Koa<State> => {
  const routes = restRoutes(deps.methods)
  const rest = createRest(deps.dispatch)
  const calls = new Map<string, (ctx: Context) => void | Promise<void>>(
    [...routes].map(([path, route]) => [path, (ctx) => rest(ctx, route)]),
  )
  calls.set('/api/streaming/v2/sse', deps.sse)
  for (const [path, endpoint] of endpoints) calls.set(path, serveEndpoint(endpoint))
  /** Identifies the caller. Throws if the gate refuses. */
  const admit = (ctx: Context): Promise<void> | undefined => {
    ctx.state.form = endpoints.get(endpointOf(ctx))?.form ?? ctx.state.form
    return deps.requests.admit(ctx)
  }
  // Paths of calls are looked up in a map: the router tries its layers in turn, and even one parametric layer costs as much as Koa itself.
  const callRoutes: Middleware = (ctx, next) => {
    const serve = calls.get(endpointOf(ctx))
    if (!serve) return next()
    const admitted = admit(ctx)
    if (admitted) return admitted.then(() => serve(ctx))
    return deps.readiness.phase() === 'starting' ? deps.readiness.wait(LIMITS.startWait).then(() => serve(ctx)) : serve(ctx)
  }
  const served = new Map(deps.networks.map((network) => [network.name, network]))
  const networkOf = (ctx: Context): ServedNetwork => served.get(ctx.state.call.network)!
  /** The network prefix of the requested path (`/testnet`); '' if it has none. */
  const baseOf = ({ originalUrl, url }: Context): string => originalUrl.slice(0, originalUrl.length - url.length)
  const send = createDocumentSender()
  /** Sends a document of the network. Its URLs have the prefix of the request. */
  const sendDocument = async (ctx: Context, kind: 'openapi' | 'openrpc'): Promise<void> => {
    const documents = await networkOf(ctx).documents()
    const base = baseOf(ctx)
    await send(ctx, { name: `${ctx.state.call.network} ${kind} ${base}`, type: JSON_TYPE, text: () => documents[kind](base) })
  }
  const page = deps.page === false ? undefined : openBuiltPage(send)
  const wantsHtml = (ctx: Context): boolean => ctx.accepts('json', 'html') === 'html'
  /** Browsers get the page, which shows the methods. Without the page, and for other clients, the OpenAPI document has them. */
  const sendDocs = async (ctx: Context): Promise<void> => {
    ctx.state.headers.push('Vary', 'Accept')
    if (page && wantsHtml(ctx)) return page.index(ctx)
    ctx.redirect(`${baseOf(ctx)}/openapi.json`)
  }
  /** Identifies the caller, because a document costs as much as a call. */
  const admitted: Middleware = async (ctx, next) => {
    await admit(ctx)
    await next()
  }

  const router = new Router<State>({ sensitive: true, strict: true })
  router.get(['/health', '/healthcheck', '/api/v2/healthcheck'], health)
  router.get(['/openapi.json', '/api/v2/openapi.json'], admitted, (ctx) => sendDocument(ctx, 'openapi'))
  router.get('/openrpc.json', admitted, (ctx) => sendDocument(ctx, 'openrpc'))
  router.get('/docs', sendDocs)
  // TON Center's addresses of its documents, and `/docs/`, redirect to /docs.
  router.get(['/docs/', ...['v2', 'v3'].flatMap((api) => [`/api/${api}`, `/api/${api}/`, `/api/${api}/index.html`])], (ctx) =>
    ctx.redirect(`${baseOf(ctx)}/docs`),
  )
  router.get('/ready', createReady(deps.readiness, deps.status))
  router.get(
    '/status',
    createStatus(deps.readiness, deps.status, { version: deps.version, api_version_v3: deps.apiVersionV3 }, deps.process),
  )
  router.get('/api/streaming/healthz', createStreamHealth(deps.status))
  router.get('/api/streaming/v2/ws', (ctx) => {
    ctx.status = 426
    ctx.set('Upgrade', 'websocket')
    ctx.body = 'Upgrade Required'
  })
  router.get('/metrics', createMetricsRoute(deps.metrics, deps.exposition))
  const rootList = createRootList(deps.version)
  router.get('/', (ctx) => {
    ctx.state.headers.push('Vary', 'Accept')
    if (page === undefined || !wantsHtml(ctx)) return rootList(ctx)
    // Under a prefix without its slash, relative links would lead out of the prefix.
    const asked = ctx.originalUrl.split('?', 1)[0]!
    return asked.endsWith('/') ? page.index(ctx) : ctx.redirect(`${asked.slice(asked.lastIndexOf('/') + 1)}/${ctx.search}`)
  })
  if (page) router.get('/page/:name', async (ctx, next) => ((await page.file(ctx, ctx.params['name']!)) ? undefined : next()))
  const sendPicture = createPictures(deps.dispatch)
  router.get('/picture/:account', admitted, async (ctx) => {
    if (deps.readiness.phase() === 'starting') await deps.readiness.wait(LIMITS.startWait)
    await sendPicture(ctx, ctx.params['account']!)
  })
  router.get('/global.config.json', admitted, async (ctx) => {
    await chargeUndispatched(ctx.state.call)
    if (deps.readiness.phase() === 'starting') await deps.readiness.wait(LIMITS.startWait)
    const text = await networkOf(ctx).globalConfig(ctx.hostname, ctx.state.call.signal)
    if (text === undefined) sendError(ctx, new TonError('NOT_FOUND', 'the lite-server protocol is off'))
    else sendJson(ctx, 200, text)
  })
  router.get('/favicon.ico', (ctx) => {
    ctx.status = 204
  })

  const koa = new Koa<State>()
  koa.on('error', (error: Error) => deps.log.debug('http.error', { err: error }))
  koa.use(outermost(deps.requests))
  koa.use(options)
  koa.use(soundHead)
  koa.use(callRoutes)
  koa.use(router.routes())
  koa.use(unknownPath([...calls.keys()]))
  return koa
}

/** Serves every request: ordinary JSON-RPC by its own door, the rest by Koa. */
export const createHandler = (deps: HandlerDeps): RequestHandler => {
  const endpoints = createEndpoints(deps.dispatch, deps.rpc, entriesByName(deps.methods))
  const koa = createKoa(deps, endpoints)
  return createDoor({
    ...deps,
    endpoints,
    negotiate: (req, res, encodings) => koa.createContext(req, res).acceptsEncodings(...encodings),
    otherwise: koa.callback(),
  })
}
