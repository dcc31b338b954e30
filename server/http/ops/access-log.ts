import type { Log } from '../../base/log.ts'
import type { Context } from '../context.ts'

const PATH = 256
const AGENT = 120

/** The query is omitted, because it may contain an API key. */
const pathOf = ({ originalUrl }: Context): string => {
  const end = originalUrl.indexOf('?')
  return originalUrl.slice(0, Math.min(end === -1 ? originalUrl.length : end, PATH))
}

const PROBES: ReadonlySet<string> = new Set(['/health', '/healthcheck', '/api/v2/healthcheck', '/ready', '/api/streaming/healthz'])

/** Probes of load balancers and supervisors are not logged: thousands of such lines a day would hide everything else. */
const isProbe = ({ req, originalUrl }: Context): boolean => PROBES.has((req.url ?? originalUrl).split('?', 1)[0]!)

/** Logs one line for each HTTP request after its answer is sent. The field `asked` is the method of a JSON-RPC call, or the number of calls in a batch. */
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
