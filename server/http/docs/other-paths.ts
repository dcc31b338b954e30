import type { Json } from './schema.ts'

/* Paths that do not belong to a method: JSON-RPC, health, documents. */

const rpcCall: Json = { $ref: '#/components/schemas/JsonRpcCall' }
const rpcBatch: Json = { $ref: '#/components/schemas/JsonRpcBatch' }

export const otherModels: Json = {
  JsonRpcBatch: { type: 'array', items: rpcCall, minItems: 1, maxItems: 1000, description: 'Calls of JSON-RPC 2.0 in one request.' },
  JsonRpcCall: {
    type: 'object',
    description: 'A call of JSON-RPC 2.0.',
    properties: {
      jsonrpc: { const: '2.0', description: 'Version of JSON-RPC.' },
      id: { type: ['string', 'integer'], description: 'Names the call in its answer.' },
      method: { type: 'string', description: 'Name of the method.' },
      params: { type: 'object', description: 'Parameters by name.' },
    },
    required: ['method'],
  },
}

const call = (id: number, method: string): Json => ({ jsonrpc: '2.0', id, method, params: {} })

const jsonRpc = (operationId: string, summary: string): Json => ({
  post: {
    operationId,
    summary,
    tags: ['JSON-RPC'],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { anyOf: [rpcCall, rpcBatch] },
          examples: {
            single: { summary: 'one call', value: call(1, 'getMasterchainInfo') },
            batch: { summary: 'two calls', value: [call(1, 'getMasterchainInfo'), call(2, 'getConsensusBlock')] },
          },
        },
      },
    },
    responses: {
      200: { description: 'The answer, or one answer for each item.', content: { 'application/json': { schema: {} } } },
      204: { description: 'Notifications only: nothing is answered.' },
      default: {
        description: 'The request as a whole was refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  },
})

export const jsonRpcPaths: Json = {
  '/api/v2/jsonRPC': jsonRpc('jsonRPC_post', "JSON-RPC in TON Center's dialect for one call; strict JSON-RPC 2.0 for an array."),
  '/jsonRPC': jsonRpc('strictJsonRPC_post', 'Strict JSON-RPC 2.0, single calls and batches; also a WebSocket.'),
}

type Endpoint = readonly [verbs: string, path: string, what: string, type?: string]
const JSON_TYPE = 'application/json'

/** Endpoints of the service: `/` lists them. One that names the type of its answer is in the OpenAPI document too. */
export const ENDPOINTS: readonly Endpoint[] = [
  ['POST, ws', '/jsonRPC', 'JSON-RPC 2.0, single and batch'],
  ['POST', '/api/v2/jsonRPC', 'JSON-RPC in the dialect of TON Center v2; also at / and /api/v2/'],
  ['GET, POST', '/api/v2/<method>', 'TON Center v2, e.g. /api/v2/getMasterchainInfo'],
  ['GET', '/api/v3/<path>', 'TON Center v3, from the index'],
  ['GET', '/api/v4/<path>', 'TON API v4, for TonClient4; POST /api/v4/send'],
  ['POST', '/api/emulate/v1/<method>', 'what would follow from a message, without sending it'],
  ['GET, POST', '/api/streaming/v2/sse', 'events as they happen; as a WebSocket at /api/streaming/v2/ws'],
  ['POST', '/mcp', 'tools for agents, over the Model Context Protocol'],
  ['GET', '/picture/<account>', 'the picture of a token', 'image/*'],
  ['GET', '/docs', 'every method, with a form to try it'],
  ['GET', '/openapi.json', 'OpenAPI 3.1 of the REST interfaces', JSON_TYPE],
  ['GET', '/openrpc.json', 'OpenRPC of the JSON-RPC interface', JSON_TYPE],
  ['GET', '/asyncapi.json', 'AsyncAPI 3 of the events', JSON_TYPE],
  ['GET', '/llms.txt', 'all of it in short, for language models', 'text/plain'],
  ['GET', '/global.config.json', 'the config of an embedded chain, for lite-server clients'],
  ['GET', '/health', 'the process answers', JSON_TYPE],
  ['GET', '/ready', 'calls are answered from a present head', JSON_TYPE],
  ['GET', '/status', 'head, versions, figures', JSON_TYPE],
  ['GET', '/metrics', 'the same for Prometheus', 'text/plain'],
]

const operationOf = ([, path, what, type]: Endpoint): Json => ({
  operationId: /\w+/.exec(path)![0],
  summary: what,
  tags: ['Service'],
  security: [{}],
  parameters: [...path.matchAll(/<(\w+)>/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  responses: { 200: { description: 'The answer.', content: { [type!]: { schema: type === JSON_TYPE ? {} : { type: 'string' } } } } },
})

export const servicePaths: Json = Object.fromEntries(
  ENDPOINTS.filter(([, , , type]) => type !== undefined).map((endpoint) => [
    endpoint[1].replace(/<(\w+)>/, '{$1}'),
    { get: operationOf(endpoint) },
  ]),
)
