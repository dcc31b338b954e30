import type { Log } from '../../base/log.ts'
import type { Context } from '../koa.ts'

/** Longest path that a line repeats. */
const PATH = 256
const AGENT = 120

/** The path that was asked for, a network's prefix included, never the query: keys are given there. */
const pathOf = ({ originalUrl }: Context): string => {
  const end = originalUrl.indexOf('?')
  return originalUrl.slice(0, Math.min(end === -1 ? originalUrl.length : end, PATH))
}

/** One line for each HTTP request, when it has been answered. `asked`: the method of a JSON-RPC call, or how many a batch had. */
export const createAccessLog =
  (log: Log, clientAddress: (req: Context['req']) => string | undefined) =>
  (ctx: Context, status: number, milliseconds: number): void => {
    const { call, asked } = ctx.state
    log.info('http.request', {
      requestId: call.requestId,
      client: clientAddress(ctx.req),
      verb: ctx.method,
      path: pathOf(ctx),
      ...(asked !== undefined && { asked }),
      network: call.network,
      keyId: call.caller?.keyId,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      agent: ctx.req.headers['user-agent']?.slice(0, AGENT),
    })
  }
