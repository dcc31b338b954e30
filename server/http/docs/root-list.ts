import { sendJson } from '../answer-forms.ts'
import type { Context } from '../context.ts'

const ENDPOINTS: readonly (readonly [verbs: string, path: string, what: string])[] = [
  ['POST, ws', '/jsonRPC', 'JSON-RPC 2.0, single and batch'],
  ['POST', '/api/v2/jsonRPC', 'JSON-RPC in the dialect of TON Center v2; also at / and /api/v2/'],
  ['GET, POST', '/api/v2/<method>', 'TON Center v2, e.g. /api/v2/getMasterchainInfo'],
  ['GET', '/api/v3/<path>', 'TON Center v3, from the index'],
  ['GET', '/api/v4/<path>', 'TON API v4, for TonClient4; POST /api/v4/send'],
  ['POST', '/api/emulate/v1/<method>', 'what would follow from a message, without sending it'],
  ['POST', '/mcp', 'tools for agents, over the Model Context Protocol'],
  ['GET', '/picture/<account>', 'the picture of a token'],
  ['GET', '/docs', 'every method, with a form to try it'],
  ['GET', '/openapi.json', 'OpenAPI 3.1 of the REST interfaces'],
  ['GET', '/openrpc.json', 'OpenRPC of the JSON-RPC interface'],
  ['GET', '/asyncapi.json', 'AsyncAPI 3 of the events'],
  ['GET', '/llms.txt', 'all of it in short, for language models'],
  ['GET', '/health', 'the process answers'],
  ['GET', '/ready', 'calls are answered from a present head'],
  ['GET', '/status', 'head, versions, figures'],
  ['GET', '/metrics', 'the same for Prometheus'],
]

/** Serves `/` to clients that do not get the page: all except browsers, or all if the page is not built or is off. */
export const createRootList = (version: string): ((ctx: Context) => void) => {
  const endpoints = ENDPOINTS.map(([verbs, path, what]) => ({ verbs, path, what }))
  const list = JSON.stringify({ ok: true, result: { name: 'tonway', version, endpoints } })
  return (ctx) => sendJson(ctx, 200, list)
}
