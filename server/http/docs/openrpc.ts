import { ERRORS, type ErrorKind } from '../../../shared/errors.ts'
import type { Resolved } from '../../../shared/registry.ts'
import { createPauses } from '../../base/yield.ts'
import { ERROR_DOCS, failuresOf } from './errors.ts'
import { openRpcModels, openRpcSchema } from './openrpc-schema.ts'
import recorded from './recorded.json' with { type: 'json' }
import { createComponents, type Json, paramDocs, tagOf } from './schema.ts'

/**
 * Recorded results of the examples by method, in the order of the examples; null if an example fails. They come from an embedded chain with a fixed genesis
 * and clock. test/v3/documents/recorded-results.test.ts compares and records them.
 */
const RESULTS: Readonly<Record<string, readonly unknown[]>> = recorded

/** Builds the OpenRPC 1.3 document of a service at `origin`. Parameters are by name. Each schema includes the values of the method's examples. */
export const buildOpenRpc = async (methods: readonly Resolved[], version: string, origin: string) => {
  const components = createComponents()
  const pause = createPauses()
  const documents: Json[] = []
  for (const method of methods) {
    documents.push(methodDoc(method, components.convert(method.def.result)))
    await pause()
  }
  return {
    openrpc: '1.3.2',
    info: {
      title: 'tonway',
      version,
      description: 'Access to a TON blockchain over JSON-RPC 2.0: POST and WebSocket on /jsonRPC, single calls and batches.',
      license: { name: 'MIT' },
    },
    servers: [{ name: 'here', url: `${origin}/jsonRPC`, summary: 'POST or WebSocket' }],
    methods: documents,
    components: { schemas: openRpcModels(components.schemas), errors: errorDocs() },
  }
}

const methodDoc = (method: Resolved, result: Json): Json => {
  const { name, def, paths } = method
  const { examples } = def
  return {
    name,
    summary: def.summary,
    tags: [{ name: tagOf(method) }],
    paramStructure: 'by-name',
    params: paramDocs(def).map((param) => {
      const values = examples.map((example) => (example.params as Readonly<Record<string, unknown>>)[param.name])
      const given = values.filter((value) => value !== undefined)
      const shown = given.length > 0 ? given : [param.example]
      return {
        name: param.name,
        required: param.required,
        ...(param.description && { description: param.description }),
        schema: { ...(openRpcSchema(param.schema) as Json), examples: shown },
      }
    }),
    result: { name: 'result', schema: openRpcSchema(result) },
    examples: examples.map(({ title, params, fails }, i) => ({
      name: title,
      params: Object.entries(params).map(([param, value]) => ({ name: param, value })),
      ...(fails === undefined && name in RESULTS && { result: { name: 'on a new embedded chain', value: RESULTS[name]![i] } }),
    })),
    errors: failuresOf(def).map((kind) => ({ $ref: `#/components/errors/${kind}` })),
    ...(def.aliases && { 'x-aliases': def.aliases }),
    'x-effect': def.effect,
    ...(paths.size > 0 && { 'x-rest': def.rest }),
    ...(def.paths && { 'x-paths': [...paths.keys()] }),
  }
}

const errorDocs = (): Json =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([kind, { rpc, http, retry }]) => [
      kind,
      { code: rpc, message: ERROR_DOCS[kind as ErrorKind], data: { kind, status: http, retry } },
    ]),
  )
