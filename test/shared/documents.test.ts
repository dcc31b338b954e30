import * as openrpcMeta from '@open-rpc/meta-schema'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createDocuments } from '../../server/http/docs/documents.ts'
import { tagOf } from '../../server/http/docs/schema.ts'
import { ERRORS } from '../../shared/errors.ts'
import { type MethodName, methodNames, registry, resolve } from '../../shared/registry.ts'
import { examples } from '../kit/service/examples.ts'
import { documentPath } from '../kit/service/rest-path.ts'
import { at, type Node } from './setup/conformance.ts'

/** What any method may fail with. */
const COMMON = ['INVALID_PARAMS', 'UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL', 'SOURCE_TIMEOUT'] as const

const documents = createDocuments({ served: methodNames, version: '2.2.0' })
const openapi: Node = JSON.parse(await documents.openapi())
const openrpc: Node = JSON.parse(await documents.openrpc())

/** Compiles schemas of a document by their place in it. Each is compiled once, also what others refer to: that takes seconds. */
const compilerOf = (document: Node) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ ...document, $id: 'doc' })
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (pointer: string) => {
    const made = compiled.get(pointer) ?? ajv.compile({ $ref: `doc#${pointer}` })
    compiled.set(pointer, made)
    return made
  }
}
const compile = compilerOf(openapi)
const compileRpc = compilerOf(openrpc)
const pointer = (...path: readonly string[]): string => path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

describe('OpenAPI', () => {
  it('the OpenAPI document is valid by the official 3.1 schema', async () => {
    const validator = new Validator()
    const outcome = await validator.validate(structuredClone(openapi) as Record<string, unknown>)
    expect(outcome.errors).toBeUndefined()
    expect([outcome.valid, validator.version]).toEqual([true, '3.1'])
  })

  it('the OpenAPI document has every REST method with its verbs and aliases, and no other', () => {
    for (const name of methodNames) {
      const { def } = resolve(name)!
      for (const known of [name, ...(def.aliases ?? [])])
        expect([known, Object.keys(at(openapi, 'paths', documentPath(known))).sort()]).toEqual([
          known,
          def.rest === 'none' ? [] : def.rest.toLowerCase().split(', ').sort(),
        ])
    }
  })

  it('operation ids of the OpenAPI document are unique', async () => {
    const ids = [...(await documents.openapi()).matchAll(/"operationId":"([^"]+)"/g)].map((match) => match[1])
    expect(ids.length).toBeGreaterThan(60)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('the OpenAPI document accepts every example, as body and as query, and refuses an unknown member', () => {
    for (const name of methodNames.filter((each) => resolve(each)!.def.rest !== 'none')) {
      const path = documentPath(name)
      if (resolve(name)!.def.rest.includes('POST')) {
        const body = compile(pointer('paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'))
        for (const { params } of examples[name]) {
          expect([name, body(params), body.errors]).toEqual([name, true, null])
          expect(body({ ...params, unknown: 1 })).toBe(false)
        }
      }
      const parameters = at(openapi, 'paths', path, 'get')['parameters']
      if (!Array.isArray(parameters)) continue
      for (const [i, parameter] of parameters.entries()) {
        if ((parameter as Node)['$ref'] !== undefined) continue
        const schema = compile(pointer('paths', path, 'get', 'parameters', String(i), 'schema'))
        for (const { params } of examples[name]) {
          const value = (params as Node)[(parameter as Node)['name'] as string]
          if (value !== undefined)
            expect([name, schema(Array.isArray(value) ? value : String(value)), schema.errors]).toEqual([name, true, null])
        }
      }
    }
  })

  it('the OpenAPI document keeps bounds and defaults of fields behind transforms', () => {
    const schema = at(openapi, 'paths', '/api/v2/getTransactions', 'post', 'requestBody', 'content', 'application/json', 'schema')
    expect(at(schema, 'properties', 'limit')).toMatchObject({
      default: 10,
      oneOf: [{ type: 'integer', minimum: 1, maximum: 1000 }, { type: 'string' }],
    })
    expect(schema['required']).toEqual(['address'])
    expect(at(schema, 'properties', 'to_lt')).toMatchObject({ default: '0' })
    expect(
      at(
        openapi,
        'paths',
        '/api/v2/getLibraries',
        'post',
        'requestBody',
        'content',
        'application/json',
        'schema',
        'properties',
        'libraries',
      ),
    ).toMatchObject({
      type: 'array',
      items: { type: 'string' },
    })
  })

  it('the OpenAPI document has every parameter, header and failure of every operation, and every example of a body', () => {
    for (const name of methodNames) {
      const { def } = resolve(name)!
      if (def.rest === 'none') continue
      for (const verb of def.rest.toLowerCase().split(', ')) {
        const operation = at(openapi, 'paths', documentPath(name), verb)
        const statuses = Object.keys(at(operation, 'responses'))
        for (const kind of [...(def.errors ?? []), ...COMMON])
          expect([name, verb, statuses.includes(String(ERRORS[kind].http))]).toEqual([name, verb, true])
        expect(at(operation, 'responses', '429', 'headers')).toHaveProperty('Retry-After')
        expect(at(operation, 'responses', '200', 'headers')).toHaveProperty('X-Request-Id')
        const named = (operation['parameters'] as readonly Node[]).map((parameter) => parameter['name'])
        if (verb === 'get') expect(named).toEqual(expect.arrayContaining(Object.keys(def.params.shape)))
        else
          expect(Object.keys(at(operation, 'requestBody', 'content', 'application/json', 'examples'))).toHaveLength(examples[name].length)
      }
    }
    expect(at(openapi, 'components', 'securitySchemes', 'ApiKeyHeader')).toMatchObject({ in: 'header', name: 'X-API-Key' })
    expect(at(openapi, 'components', 'securitySchemes', 'ApiKeyQuery')).toMatchObject({ in: 'query', name: 'api_key' })
    // A key is never required.
    expect(openapi['security']).toEqual([{}, { ApiKeyHeader: [] }, { ApiKeyQuery: [] }])
  })

  it('the references of the OpenAPI document lead somewhere', async () => {
    const text = await documents.openapi()
    for (const [, ref] of text.matchAll(/"\$ref":"#([^"]+)"/g)) {
      const path = ref!.slice(1).split('/')
      expect(Object.keys(at(openapi, ...path.slice(0, -1))), ref).toContain(path.at(-1))
    }
  })

  it('every method has a heading that both documents use', () => {
    const tags = new Set((openapi['tags'] as readonly Node[]).map((tag) => tag['name']))
    for (const name of methodNames) {
      const { def } = resolve(name)!
      expect(def.heading).not.toBe('')
      if (def.rest !== 'none') expect([...tags]).toContain(tagOf(resolve(name)!))
    }
    for (const method of openrpc['methods'] as readonly Node[])
      expect(method['tags']).toEqual([{ name: tagOf(resolve(String(method['name']))!) }])
  })

  it('the OpenAPI document says where its paths are, under the prefix of a network too', async () => {
    expect(at(openapi)['servers']).toEqual([{ url: '/' }])
    expect(JSON.parse(await documents.openapi('/testnet'))).toEqual({ ...openapi, servers: [{ url: '/testnet' }] })
    expect(at(JSON.parse(await documents.openrpc('/testnet')))['servers']).toMatchObject([{ url: '/testnet/jsonRPC' }])
    expect(at(openrpc)['servers']).toMatchObject([{ url: '/jsonRPC' }])
  })

  it('the OpenAPI document says what every parameter and every field of an answer is, with examples', async () => {
    const silent: string[] = []
    let fields = 0
    const look = (schema: unknown, path: string): void => {
      if (Array.isArray(schema)) for (const [i, each] of schema.entries()) look(each, `${path}/${i}`)
      if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
      const { properties, examples: _, ...rest } = schema as Node
      for (const [name, field] of Object.entries((properties ?? {}) as Node)) {
        fields++
        const { description, $ref } = field as { description?: string; $ref?: string }
        const model = at(openapi, 'components', 'schemas', $ref?.slice('#/components/schemas/'.length) ?? '')
        if (!String(description ?? model['description']).endsWith('.')) silent.push(`${path}.${name}`)
        look(field, `${path}.${name}`)
      }
      for (const [key, each] of Object.entries(rest)) look(each, `${path}/${key}`)
    }
    const { LegacyStackArgument: __, Error: ___, ...models } = at(openapi, 'components', 'schemas')
    look(models, 'models')
    for (const method of openrpc['methods'] as readonly Node[]) {
      look(at(method, 'result', 'schema'), String(method['name']))
      for (const param of method['params'] as readonly Node[]) {
        expect(String(param['description']), `${method['name']} ${param['name']}`).toMatch(/^[A-Z].*\.$/)
        expect(at(param, 'schema')['examples'], `${method['name']} ${param['name']}`).toBeDefined()
      }
    }
    expect(silent).toEqual([])
    expect(fields).toBeGreaterThan(600)
    for (const path of ['/api/v3/jetton/wallets', '/api/v2/getAddressBalance'])
      for (const parameter of at(openapi, 'paths', path, 'get')['parameters'] as readonly Node[])
        if (parameter['$ref'] === undefined) expect(parameter, path).toMatchObject({ description: expect.stringMatching(/^[A-Z].*\.$/) })
    // No key of ours is left in them.
    expect(await documents.openapi()).not.toMatch(/"(form|wire)":"/)
  })

  it('the OpenAPI document is made once, and leaves out methods that are not served', async () => {
    expect(await documents.openapi()).toBe(await documents.openapi())
    const few = createDocuments({ served: ['packAddress', 'local.mine'], version: '1' })
    expect(
      Object.keys(at(JSON.parse(await few.openapi()), 'paths')).filter((path) => path.startsWith('/api') || path === '/jsonRPC'),
    ).toEqual(['/api/v2/packAddress', '/api/v2/jsonRPC', '/jsonRPC'])
    expect((JSON.parse(await few.openrpc()) as { methods: { name: string }[] }).methods.map((method) => method.name)).toEqual([
      'packAddress',
      'local.mine',
    ])
  })
})

describe('OpenRPC', () => {
  it('the OpenRPC document says of every parameter what it takes', () => {
    type Method = { name: string; params: { name: string; schema: Record<string, unknown> }[] }
    const says = ({ schema }: Method['params'][number]): boolean =>
      ['type', 'oneOf', 'anyOf', 'enum', '$ref'].some((word) => word in schema)
    const methods = openrpc['methods'] as unknown as Method[]
    const silent = methods.flatMap(({ name, params }) => params.filter((param) => !says(param)).map((param) => `${name} ${param.name}`))
    // Taken whatever it is: TON Center does not look at it.
    expect(silent).toEqual(['dnsResolve category'])
    const { params } = methods.find(({ name }) => name === 'local.deployCollection')!
    const schemaOf = (name: string) => params.find((param) => param.name === name)?.schema
    expect(schemaOf('kind')).toMatchObject({ type: 'string', enum: ['nft', 'sbt', 'dns'], default: 'nft' })
    expect(schemaOf('royalty')).toMatchObject({
      type: 'object',
      properties: { numerator: { maximum: 65_535 }, destination: { type: 'string' } },
    })
  })

  it('the OpenRPC document is valid by its meta-schema', () => {
    // The meta-schema points at a JSON Schema meta-schema on the network; the schemas themselves are compiled in the next test.
    const local = JSON.parse(JSON.stringify((openrpcMeta as unknown as Node)['openrpcDocument']), (key, value: unknown) =>
      key === '$schema' || (key === '$ref' && typeof value === 'string' && value.startsWith('https:')) ? undefined : value,
    )
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(local)
    expect([validate(openrpc), validate.errors]).toEqual([true, null])
  })

  it('every example of the OpenRPC document that does not fail has a result, which its schema accepts', () => {
    const methods = openrpc['methods'] as readonly Node[]
    for (const [i, { name, examples: shown }] of methods.entries()) {
      const accepts = compileRpc(`/methods/${i}/result/schema`)
      for (const [j, { fails }] of examples[name as MethodName].entries()) {
        const { result } = (shown as { result?: { value: unknown } }[])[j]!
        // The result of rpc.discover is this document.
        if (fails !== undefined || name === 'rpc.discover') expect([name, result]).toEqual([name, undefined])
        else expect([name, j, accepts(result?.value), accepts.errors]).toEqual([name, j, true, null])
      }
    }
  })

  it('the OpenRPC document has every method of the registry with schemas that compile', async () => {
    const methods = openrpc['methods'] as readonly Node[]
    expect(methods.map((method) => method['name'])).toEqual(Object.keys(registry))
    for (const [i, method] of methods.entries()) {
      compileRpc(`/methods/${i}/result/schema`)
      for (const [j, param] of (method['params'] as readonly Node[]).entries()) {
        const accepts = compileRpc(`/methods/${i}/params/${j}/schema`)
        for (const example of (at(param, 'schema')['examples'] ?? []) as readonly unknown[])
          expect([method['name'], param['name'], accepts(example)]).toEqual([method['name'], param['name'], true])
      }
    }
    expect(documents.openrpc()).toBe(documents.openrpc())
  })

  it('the OpenRPC document has the examples of every method, by name', () => {
    for (const method of openrpc['methods'] as readonly Node[]) {
      const name = method['name'] as keyof typeof examples
      expect((method['examples'] as readonly Node[]).map((example) => example['name'])).toEqual(examples[name].map(({ title }) => title))
    }
  })
})
