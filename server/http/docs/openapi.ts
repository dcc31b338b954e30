import { ERRORS, type ErrorKind } from '../../../shared/errors.ts'
import { OVERRIDE_HEADERS } from '../../../shared/fields/v3/request-settings.ts'
import type { Resolved } from '../../../shared/registry.ts'
import { groupsOf } from '../../base/memory/grouped.ts'
import { createPauses } from '../../base/yield.ts'
import { statusOf } from '../answer-forms.ts'
import { ERROR_DOCS, failuresOf } from './errors.ts'
import { jsonRpcPaths, otherModels, servicePaths } from './other-paths.ts'
import { createComponents, type Json, type ParamDoc, paramDocs, paramsSchema, tagOf } from './schema.ts'

/* OpenAPI 3.1 of the REST interface, JSON-RPC and the service's own endpoints. */

const headerRefs = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const errorContent = (v3: boolean): Json => ({
  'application/json': { schema: { $ref: `#/components/schemas/${v3 ? 'V3Error' : 'Error'}` } },
})

const failure = (status: number, kinds: readonly ErrorKind[], v3: boolean): Json => ({
  description: kinds.map((kind) => ERROR_DOCS[kind]).join(' '),
  headers: headerRefs('X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])),
  content: errorContent(v3),
})

const envelope = (result: Json): Json => ({
  type: 'object',
  properties: {
    ok: { const: true },
    result,
    '@extra': { type: 'string', description: '<unix seconds>:<lite-servers or _>:<elapsed ms>, then :c for a cached answer' },
  },
  required: ['ok', 'result', '@extra'],
})

const parameter = ({ name, required, description, schema, example: usual }: ParamDoc, inPath: boolean, example: unknown = usual): Json => ({
  name,
  in: inPath ? 'path' : 'query',
  required: required || inPath,
  ...(description && { description }),
  schema,
  ...(schema['type'] === 'array' && (inPath ? { style: 'simple' } : { style: 'form', explode: true })),
  ...(example !== undefined && { example }),
})

/** Header parameters of a method: those that replace query parameters, and X-Request-Id. */
const headerParameters = ({ def }: Resolved): Json[] => [
  ...Object.entries(OVERRIDE_HEADERS)
    .filter(([, name]) => name in def.params.shape)
    .map(([header]) => ({ $ref: `#/components/parameters/${header}` })),
  { $ref: '#/components/parameters/x-request-id' },
]

const ANSWER_HEADERS = headerRefs('X-Request-Id', 'X-API-Version')
const QUERY_HEADERS = { ...ANSWER_HEADERS, ...headerRefs('X-Unknown-Params') }
const INDEX_HEADERS = { ...QUERY_HEADERS, ...headerRefs('X-Index-Seqno', 'X-Index-First', 'X-Next-Cursor', 'X-Fork') }

const operations = (method: Resolved, path: string, result: Json): Json => {
  const { name, def, verbs, paths } = method
  const inPath: readonly string[] = path.match(/(?<=:)\w+/g) ?? []
  const alias = paths.get(path)!
  const v3 = def.api !== undefined
  const calls = def.examples
  const isFirst = path === paths.keys().next().value
  const suffix = alias !== name ? `_${alias}` : isFirst ? '' : `_${inPath.at(-1)}`
  const schema = v3 ? result : envelope(result)
  const failures = groupsOf(failuresOf(def), (kind) => statusOf(kind, def))
  const responses = (headers: Json): Json => ({
    200: { description: 'The answer.', headers, content: { 'application/json': { schema } } },
    ...Object.fromEntries([...failures].map(([status, kinds]) => [status, failure(status, kinds, v3)])),
    default: { description: 'Any other failure; `code` is the HTTP status.', content: errorContent(v3) },
  })
  const common = { summary: def.summary, tags: [tagOf(method)] }
  const first: Readonly<Record<string, unknown>> = calls[0].params
  const indexed = def.api === 'v3' && def.needs === 'index' && def.cache !== 'head' && def.effect === 'read'
  const get = {
    ...common,
    operationId: `${name}_get${suffix}`,
    parameters: [
      ...paramDocs(def).map((param) => parameter(param, inPath.includes(param.name), first[param.name])),
      ...headerParameters(method),
    ],
    responses: responses(indexed ? INDEX_HEADERS : QUERY_HEADERS),
  }
  const post = {
    ...common,
    operationId: `${name}_post${suffix}`,
    parameters: [{ $ref: '#/components/parameters/x-request-id' }],
    requestBody: {
      required: paramDocs(def).some((param) => param.required),
      content: {
        'application/json': {
          schema: paramsSchema(def),
          examples: Object.fromEntries(calls.map(({ title, params }, i) => [`example${i + 1}`, { summary: title, value: params }])),
        },
      },
    },
    responses: responses(ANSWER_HEADERS),
  }
  return { ...(verbs.includes('GET') && { get }), ...(verbs.includes('POST') && { post }) }
}

const errorSchema: Json = {
  type: 'object',
  properties: {
    ok: { const: false },
    error: { type: 'string', description: 'What went wrong, for people.' },
    code: { type: 'integer', description: 'The HTTP status.', enum: [...new Set(Object.values(ERRORS).map((kind) => kind.http))] },
    result: { type: 'string', description: 'The text of `error` again, in a 429.' },
    '@extra': { type: 'string' },
  },
  required: ['ok', 'error', 'code'],
}

const v3ErrorSchema: Json = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'What went wrong, for people.' },
    code: { type: 'integer', description: 'The HTTP status.' },
  },
  required: ['error', 'code'],
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } })
const headers: Json = {
  'X-Request-Id': text("Names the request in the service's log; a well-formed one of the caller's is given back."),
  'X-API-Version': text('Version of the interface; v4 has none.'),
  'X-Unknown-Params': text('Names in the query that the method does not take: they were ignored.'),
  'X-Index-First': text('Masterchain seqno from which on the index has whole blocks. Earlier history has left, or was never indexed.'),
  'X-Index-Seqno': text('Masterchain seqno up to which the answer is complete; `as_of` takes it.'),
  'X-Next-Cursor': text('Where the next page begins; `cursor` takes it.'),
  'X-Fork': text(
    'Only on a fork: the network that it forks. The index begins at the fork, and knows the accounts that were read or changed since.',
  ),
  'X-Tvm-Version': text(
    'Global version whose rules a get-method or a fee estimate ran by. Where the network is at another one, that follows: `15; network=16`. Below version 4 the rules of 4 are an approximation.',
  ),
  'Retry-After': { description: 'Seconds after which the call may succeed.', schema: { type: 'integer', minimum: 0 } },
}

const header = (name: string, description: string, schema: Json): Json => ({ name, in: 'header', required: false, description, schema })
const parameters: Json = {
  'x-request-id': header('X-Request-Id', 'An id of your own for this request.', { type: 'string', pattern: '^[\\w.:-]{1,64}$' }),
  'x-timeout': header('X-Timeout', 'Milliseconds that the database has.', { type: 'string', pattern: '^[0-9]+$' }),
  'x-no-address-book': header('X-No-Address-Book', '`true` leaves `address_book` empty.', { type: 'string' }),
  'x-no-metadata': header('X-No-Metadata', '`true` leaves `metadata` empty.', { type: 'string' }),
  'x-actions-version': header(
    'X-Actions-Version',
    'Types of actions that the client knows: one version (`v1` to `v5`, `latest`) or one name.',
    { type: 'string' },
  ),
}

const securitySchemes: Json = {
  ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key; the header wins over the query.' },
  ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The same key in the query.' },
}

/** `url`: where the paths begin, such as `/testnet`. */
export const buildOpenApi = async (methods: readonly Resolved[], version: string, url: string): Promise<Json> => {
  const components = createComponents()
  const pause = createPauses()
  const paths: Json = {}
  const tags = new Set<string>()
  for (const method of methods) {
    if (method.paths.size === 0) continue
    const result = components.convert(method.def.result)
    tags.add(tagOf(method))
    for (const path of method.paths.keys()) paths[path.replace(/:(\w+)/g, '{$1}')] = operations(method, path, result)
    await pause()
  }
  Object.assign(paths, jsonRpcPaths, servicePaths)
  return {
    openapi: '3.1.0',
    info: {
      title: 'tonway',
      version,
      description: 'Access to a TON blockchain: the TON Center v2 and v3 interfaces and TON API v4 as REST and as JSON-RPC.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    // A key is never required: the empty object is the alternative without a key. A key raises the rate limit.
    security: [{}, { ApiKeyHeader: [] }, { ApiKeyQuery: [] }],
    tags: [...tags, 'JSON-RPC', 'Service'].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...components.schemas, ...otherModels, Error: errorSchema, V3Error: v3ErrorSchema },
      headers,
      parameters,
      securitySchemes,
    },
  }
}
