import type { Log } from '../../base/log.ts'
import type { Context } from '../context.ts'

/** Largest number of characters of a path in a log line. */
const PATH = 256
const AGENT = 120

/** The requested path with its network prefix. Never the query: it may hold an API key. */
const pathOf = ({ originalUrl }: Context): string => {
  const end = originalUrl.indexOf('?')
  return originalUrl.slice(0, Math.min(end === -1 ? originalUrl.length : end, PATH))
}

/** Paths that balancers and supervisors ask for every few seconds, without a network's prefix. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/healthcheck', '/api/v2/healthcheck', '/ready', '/api/streaming/healthz'])

/** Whether a request is a probe. Thousands of such lines a day would hide the others. */
const isProbe = ({ req, originalUrl }: Context): boolean => PROBES.has((req.url ?? originalUrl).split('?', 1)[0]!)

/** Logs one line per HTTP request once it is answered, unless it is a probe. The field `asked` is the method of a JSON-RPC call, or the number of calls in a batch. */
export const createAccessLog =
  (log: Log, clientAddress: (req: Context['req']) => string | undefined) =>
  (ctx: Context, status: number, milliseconds: number): void => {
    if (isProbe(ctx)) return
    const { call, requestName } = ctx.state
    log.info('http.request', {
      requestId: call.requestId,
      client: clientAddress(ctx.req),
      verb: ctx.method,
      path: pathOf(ctx),
      ...(requestName !== undefined && { asked: requestName }),
      network: call.network,
      keyId: call.caller?.keyId,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      agent: ctx.req.headers['user-agent']?.slice(0, AGENT),
    })
  }
