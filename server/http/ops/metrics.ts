import { createServer, type Server } from 'node:http'
import { TonError } from '../../../shared/errors.ts'
import type { Exposition } from '../../metrics/exposition.ts'
import type { AnswerCounter, Meter } from '../../metrics/meter.ts'
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

/** Endpoint labels by which requests are counted. Every path maps to one of these. */
const ENDPOINTS = ['jsonRPC', 'v2.jsonRPC', 'v2', 'v3', 'v4', 'emulate', 'mcp', 'other'] as const
export type Endpoint = (typeof ENDPOINTS)[number]

export const endpointOf = (url: string): Endpoint => {
  if (url.startsWith('/api/v2/')) return url.startsWith('jsonRPC', 8) ? 'v2.jsonRPC' : 'v2'
  if (url.startsWith('/api/v3/')) return 'v3'
  if (url.startsWith('/api/v4/')) return 'v4'
  if (url.startsWith('/api/emulate/')) return 'emulate'
  if (/^\/mcp(?:\?|$)/.test(url)) return 'mcp'
  return url.startsWith('/jsonRPC') ? 'jsonRPC' : 'other'
}

export const createRequestCounter = (meter: Meter): ((url: string, status: number, milliseconds: number) => void) => {
  const meters = Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint, meter.endpoint(endpoint)])) as Readonly<
    Record<Endpoint, AnswerCounter>
  >
  return (url, status, milliseconds) => meters[endpointOf(url)].done(status, milliseconds)
}
