import type { IncomingMessage } from 'node:http'
import { TonError } from '../../../shared/errors.ts'
import type { Context } from '../context.ts'
import { sendBody, sendError } from '../encode.ts'
import { createLocalAccess } from '../local-access.ts'
import type { LazyExposition, MetricsAccess } from './metrics.ts'

/** GET /metrics on the service's own port. */
export const createMetricsRoute = (access: MetricsAccess, exposition: LazyExposition) => {
  const local = createLocalAccess([])
  const refusal = (req: IncomingMessage): TonError | undefined => {
    if (access === 'off' || typeof access === 'number') return new TonError('NOT_FOUND', 'Not Found')
    if (access === 'all' || local(req)) return undefined
    return new TonError('FORBIDDEN', 'metrics are for callers on this machine; TONWAY_METRICS opens them')
  }
  return async (ctx: Context): Promise<void> => {
    const refused = refusal(ctx.req)
    if (refused) return sendError(ctx, refused)
    const { contentType, text } = await exposition()
    sendBody(ctx, 200, contentType, await text)
  }
}
