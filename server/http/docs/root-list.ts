import { createHash } from 'node:crypto'
import { sendJson } from '../answer/send.ts'
import type { Context } from '../context.ts'
import { escapeHtml } from './html.ts'

/** Headers of a page with its own policy. Linked sites get no referrer. */
export const pageHeaders = (policy: string): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

export const HTML_TYPE = 'text/html; charset=utf-8'

/** The endpoints, for people and programs that open `/`. */
const PLACES: readonly (readonly [verbs: string, path: string, what: string])[] = [
  ['POST, ws', '/jsonRPC', 'JSON-RPC 2.0, single and batch'],
  ['POST', '/api/v2/jsonRPC', 'JSON-RPC in the dialect of TON Center v2; also at / and /api/v2/'],
  ['GET, POST', '/api/v2/<method>', 'TON Center v2, e.g. /api/v2/getMasterchainInfo'],
  ['GET', '/api/v3/<path>', 'TON Center v3, from the index'],
  ['POST', '/api/emulate/v1/<method>', 'what would follow from a message, without sending it'],
  ['GET', '/picture/<account>', 'the picture of a token'],
  ['GET', '/docs', 'every method, with a form to try it'],
  ['GET', '/openapi.json', 'OpenAPI 3.1 of the REST interfaces'],
  ['GET', '/openrpc.json', 'OpenRPC of the JSON-RPC interface'],
  ['GET', '/health', 'the process answers'],
  ['GET', '/ready', 'calls are answered from a present head'],
  ['GET', '/status', 'head, versions, figures'],
  ['GET', '/metrics', 'the same for Prometheus'],
]

const STYLE =
  ':root{color-scheme:light dark;--line:light-dark(#dfe6ee,#26313d);--dim:light-dark(#5b6b7b,#8fa1b3);--accent:light-dark(#0074c2,#4cb8ff)}body{background:light-dark(#f6f8fb,#0f141a);color:light-dark(#15202b,#e4ebf2);font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere}h1 small{color:var(--dim);font-weight:400;font-size:1rem}table{border-collapse:collapse;width:100%}td{padding:.4rem 1rem .4rem 0;vertical-align:top;border-top:1px solid var(--line)}td:first-child{color:var(--dim);white-space:nowrap;font-size:.85rem}code{font-size:.95em}a{color:var(--accent)}'

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

const html = (version: string): string => {
  const rows = PLACES.map(([verbs, path, what]) => {
    const shown =
      verbs === 'GET' && !path.includes('<') ? `<a href="${path.slice(1)}"><code>${path}</code></a>` : `<code>${escapeHtml(path)}</code>`
    return `<tr><td>${verbs}</td><td>${shown}</td><td>${escapeHtml(what)}</td></tr>`
  }).join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>tonway</title><style>${STYLE}</style></head>
<body><h1>tonway <small>${escapeHtml(version)}</small></h1><p>A TON access service: <a href="docs">its methods, and a form to try each</a>.</p><table>
${rows}
</table></body></html>
`
}

/** `/`: a page for browsers, the same as JSON for other clients. */
export const createRootList = (version: string) => {
  const page = html(version)
  const headers = pageHeaders(POLICY)
  const list = JSON.stringify({
    ok: true,
    result: { name: 'tonway', version, endpoints: PLACES.map(([verbs, path, what]) => ({ verbs, path, what })) },
  })
  return (ctx: Context): void => {
    ctx.vary('Accept')
    if (ctx.accepts('json', 'html') !== 'html') {
      sendJson(ctx, 200, list)
      return
    }
    for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
    ctx.type = HTML_TYPE
    ctx.body = page
  }
}
