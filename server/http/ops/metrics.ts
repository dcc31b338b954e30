import { createServer, type Server } from 'node:http'
import { TonError } from '../../../shared/errors.ts'
import type { Exposition } from '../../metrics/exposition.ts'
import type { Meter } from '../../metrics/meter.ts'
import { sendBody } from '../answer-forms.ts'
import type { Context } from '../context.ts'
import { LIMITS, type Times } from '../limits.ts'
import { createLocalAccess } from '../local-access.ts'

/** Access to /metrics: `local` for callers on this machine, `all` for everybody, `off` for nobody. A number is a separate port, which is open to everybody. */
export type MetricsAccess = 'local' | 'all' | 'off' | number

/** The code of the metrics is loaded on the first scrape. */
export type LazyExposition = () => Promise<Exposition>

const FORBIDDEN = new TonError('FORBIDDEN', 'metrics are for callers on this machine; TONWAY_METRICS opens them')

export const createMetricsRoute = (access: 'local' | 'all', exposition: LazyExposition) => {
  const local = createLocalAccess([])
  return async (ctx: Context): Promise<void> => {
    if (access === 'local' && !local(ctx.req)) throw FORBIDDEN
    const { contentType, text } = await exposition()
    sendBody(ctx, 200, contentType, await text())
  }
}

export const createMetricsServer = (exposition: LazyExposition, times: Times): Server => {
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headers,
      headersTimeout: times.headers,
      requestTimeout: times.request,
      connectionsCheckingInterval: times.check,
    },
    (req, res) => {
      if (req.url?.split('?', 1)[0] !== '/metrics') return void res.writeHead(404).end()
      if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { Allow: 'GET, HEAD' }).end()
      exposition()
        .then(async ({ contentType, text }) => res.writeHead(200, { 'Content-Type': contentType }).end(await text()))
        .catch(() => res.writeHead(500).end())
    },
  )
  server.maxConnections = 64
  return server
}

/**
 * A path belongs to the first endpoint that it begins with. `label`: by which requests are counted. `route`: `http.route` in traces, because tracing tools need
 * names with few distinct values.
 */
const ENDPOINTS = [
  { label: 'jsonRPC', begins: '/jsonRPC', route: '/jsonRPC' },
  { label: 'v2.jsonRPC', begins: '/api/v2/jsonRPC', route: '/api/v2/jsonRPC' },
  { label: 'v2', begins: '/api/v2/', route: '/api/v2/{name}' },
  { label: 'v3', begins: '/api/v3/', route: '/api/v3/{path}' },
  { label: 'v4', begins: '/api/v4/', route: '/api/v4/{path}' },
  { label: 'emulate', begins: '/api/emulate/', route: '/api/emulate/v1/{name}' },
  { label: 'mcp', begins: '/mcp', route: '/mcp' },
  { label: 'other', begins: '', route: undefined },
]

export const endpointOf = (url: string) => ENDPOINTS.find(({ begins }) => url.startsWith(begins))!

export const createRequestCounter = (meter: Meter): ((url: string, status: number, milliseconds: number) => void) => {
  const counters = new Map(ENDPOINTS.map((endpoint) => [endpoint, meter.endpoint(endpoint.label)]))
  return (url, status, milliseconds) => counters.get(endpointOf(url))!.done(status, milliseconds)
}
