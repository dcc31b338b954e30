import { traced, traceHeaders } from '../../base/tracing/tracer.ts'
import type { Context } from '../context.ts'
import { endpointOf } from './metrics.ts'

/**
 * Serves a request in a span, whose parent is the span in `traceparent`. The span ends when the response begins to be written. Its attributes omit the
 * query, which may contain an API key.
 */
export const tracedRequest = (ctx: Context, serve: () => Promise<void>): Promise<void> => {
  const { method, path, req, protocol } = ctx
  const attributes = {
    'http.request.method': method,
    'url.path': path.slice(0, 256),
    'url.scheme': protocol,
    'network.protocol.version': req.httpVersion,
    'user_agent.original': req.headers['user-agent']?.slice(0, 120),
  }
  return traced({ name: method, kind: 'request', attributes, headers: req.headers }, async (span) => {
    ctx.set('traceresponse', traceHeaders()['traceparent'] ?? '')
    await serve()
    // `ctx.url` no longer has the network prefix here.
    const { route } = endpointOf(ctx.url)
    span.set({ 'http.response.status_code': ctx.status, 'http.route': route })
    if (route !== undefined) span.rename(`${method} ${route}`)
    if (ctx.status >= 500) span.fail(String(ctx.status))
  })
}
