import { PICTURE_TYPES } from '../../../shared/v2/picture.ts'
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

const answer = (description: string, type: string, schema: Json): Json => ({ description, content: { [type]: { schema } } })
const object = (properties: Json, required: readonly string[]): Json => ({ type: 'object', properties, required })

const service = (operationId: string, summary: string, responses: Json, parameters?: readonly Json[]): Json => ({
  get: { operationId, summary, tags: ['Service'], security: [{}], ...(parameters && { parameters }), responses },
})

const troubles: Json = { type: 'array', items: { type: 'string' }, description: 'Why not, for people.' }
const apiReady: Json = object({ ok: { type: 'boolean' }, troubles }, ['ok', 'troubles'])
const ready: Json = object(
  {
    ok: { type: 'boolean' },
    phase: { enum: ['starting', 'ready', 'failed', 'stopping'] },
    seqno: { type: ['integer', 'null'] },
    utime: { type: ['integer', 'null'] },
    index_seqno: { type: 'integer' },
    troubles,
    v2: apiReady,
    v3: apiReady,
  },
  ['ok', 'phase', 'troubles', 'v2', 'v3'],
)
const JSON_TYPE = 'application/json'

export const servicePaths: Json = {
  '/health': service('health', 'The process answers.', {
    200: answer('It does.', JSON_TYPE, object({ ok: { const: true }, result: { const: 'OK' } }, ['ok', 'result'])),
  }),
  '/ready': service(
    'ready',
    'Whether calls are answered from a present head, and the index is there too.',
    {
      200: answer('They are.', JSON_TYPE, ready),
      400: answer('It is neither v2 nor v3.', JSON_TYPE, { $ref: '#/components/schemas/Error' }),
      503: answer('They are not.', JSON_TYPE, ready),
    },
    [{ name: 'for', in: 'query', schema: { enum: ['v2', 'v3'] }, description: 'The interface that is meant; v2 needs no index.' }],
  ),
  '/status': service('status', 'Heads, lag, caches, workers, lite-servers, versions.', {
    200: answer(
      'As of now.',
      JSON_TYPE,
      object({ ok: { const: true }, version: { type: 'string' }, phase: { type: 'string' } }, ['ok', 'version', 'phase']),
    ),
  }),
  '/metrics': service('metrics', 'Figures for Prometheus.', {
    200: answer('In its text format.', 'text/plain', { type: 'string' }),
    403: answer('Not for this caller.', JSON_TYPE, { $ref: '#/components/schemas/Error' }),
  }),
  '/picture/{account}': {
    get: {
      operationId: 'picture',
      summary: 'The picture of a jetton, an NFT or a collection: the bytes of token.picture.',
      tags: ['Service'],
      parameters: [{ name: 'account', in: 'path', required: true, schema: { type: 'string' }, description: 'Its address in any form.' }],
      responses: {
        200: {
          description: 'The picture.',
          content: Object.fromEntries(PICTURE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
        },
        404: answer('The index has no picture of it, or the picture is not shown.', JSON_TYPE, { $ref: '#/components/schemas/Error' }),
      },
    },
  },
  '/openapi.json': service('openapi', 'This document.', { 200: answer('OpenAPI 3.1.', JSON_TYPE, { type: 'object' }) }),
  '/openrpc.json': service('openrpc', 'The same for JSON-RPC; also the method rpc.discover.', {
    200: answer('OpenRPC 1.3.', JSON_TYPE, { type: 'object' }),
  }),
  '/asyncapi.json': service('asyncapi', 'The events of streams and subscriptions.', {
    200: answer('AsyncAPI 3.', JSON_TYPE, { type: 'object' }),
  }),
  '/llms.txt': service('llms', 'What is served, in short, for language models.', {
    200: answer('Markdown, as llmstxt.org has it.', 'text/plain', { type: 'string' }),
  }),
}
