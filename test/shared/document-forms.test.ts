import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createDocuments } from '../../server/http/docs/documents.ts'
import { methodNames } from '../../shared/registry.ts'
import { at, type Node } from './setup/conformance.ts'

/* Forms of schemas that generators of clients read. test/http/docs/generators.slow.test.ts runs some of them. */

const documents = createDocuments({ served: methodNames, version: '2.2.0' })
const openapi: Node = JSON.parse(await documents.openapi())
const openrpc: Node = JSON.parse(await documents.openrpc())
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object in a document with its path; values of examples and the like are no schemas. */
const nodesOf = (value: unknown, path = ''): [string, Node][] => {
  if (Array.isArray(value)) return value.flatMap((each, i) => nodesOf(each, `${path}/${i}`))
  if (!isNode(value)) return []
  const inner = Object.entries(value).filter(([key]) => !['examples', 'example', 'default'].includes(key))
  return [[path, value], ...inner.flatMap(([key, each]) => nodesOf(each, `${path}/${key}`))]
}
const pathsOf = (document: Node, is: (node: Node, path: string) => boolean): string[] =>
  nodesOf(document).flatMap(([path, node]) => (is(node, path) ? [path] : []))

describe('forms of schemas in both documents', () => {
  it.each([
    ['OpenAPI', openapi],
    ['OpenRPC', openrpc],
  ])('%s has no false schemas, no type that is null alone, and tuples that end by their length', (_, document) => {
    expect(pathsOf(document, (node) => node['items'] === false)).toEqual([])
    expect(pathsOf(document, ({ type }, path) => type === 'null' && !/(anyOf|oneOf)\/\d+$/.test(path))).toEqual([])
    const tuples = nodesOf(document).filter(([, node]) => Array.isArray(node['prefixItems']))
    expect(tuples.length).toBeGreaterThan(5)
    for (const [path, node] of tuples) expect([path, node['maxItems']]).toEqual([path, (node['prefixItems'] as unknown[]).length])
  })

  it('a member of a union that is a model has no objects of its own inside: openapi-python-client leaves such a member out', () => {
    const models = Object.entries(at(openapi, 'components', 'schemas') as Record<string, Node>)
    const members = models.flatMap(([name, { oneOf, anyOf }]) =>
      ((oneOf ?? anyOf ?? []) as Node[]).map((member) => [name, member] as const),
    )
    expect(members.length).toBeGreaterThan(20)
    const isInner = (node: Node, path: string): boolean =>
      path.includes('/properties/') && (node['properties'] !== undefined || isNode(node['additionalProperties']))
    expect(members.flatMap(([name, member]) => pathsOf(member, isInner).map((path) => name + path))).toEqual([])
  })

  it('models have the names that they were given, and none takes the place of another', () => {
    for (const document of [openapi, openrpc])
      expect(Object.keys(at(document, 'components', 'schemas')).filter((name) => name.startsWith('_'))).toEqual([])
    // Both contain themselves. They had one name for what is between, and the later one won.
    const schemas = at(openapi, 'components', 'schemas')
    expect(at(schemas, 'CellObject', 'properties', 'refs', 'items')).toEqual({ $ref: '#/components/schemas/CellObject' })
    expect(at(schemas, 'V3TraceNode', 'properties', 'children', 'items')).toEqual({ $ref: '#/components/schemas/V3TraceNode' })
  })

  it('what is always null is null alone', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ ...openapi, $id: 'doc' })
    const isAlwaysNull = ajv.compile({
      $ref: 'doc#/components/schemas/V3OrderActionBody/anyOf/1/properties/stonfi_swap_body',
    })
    expect([isAlwaysNull(null), isAlwaysNull(''), isAlwaysNull('a')]).toEqual([true, false, false])
  })
})

describe('models of the OpenRPC document', () => {
  const models = at(openrpc, 'components', 'schemas')
  const referred = (name: string): string[] =>
    nodesOf(models[name]).flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref.split('/').at(-1)!] : []))

  it('no model of the OpenRPC document leads back to itself by references', () => {
    const circles: string[] = []
    const done = new Set<string>()
    const visit = (name: string, way: readonly string[]): void => {
      if (way.includes(name)) circles.push([...way, name].join(' -> '))
      if (done.has(name) || way.includes(name)) return
      for (const next of referred(name)) visit(next, [...way, name])
      done.add(name)
    }
    for (const name of Object.keys(models)) visit(name, [])
    expect(circles).toEqual([])
  })

  it('models that contain themselves are checked to any depth', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ ...openrpc, $id: 'rpc' })
    const accepts = (model: string, value: unknown): boolean => ajv.validate({ $ref: `rpc#/components/schemas/${model}` }, value) as boolean
    const tuple = (value: unknown) => ({ '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [value] } })
    const number = (text: string) => ({ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: text } })
    expect(accepts('StackEntry', tuple(tuple(tuple(number('7')))))).toBe(true)
    expect(accepts('StackEntry', tuple(tuple(tuple(number('seven')))))).toBe(false)
    const entry = (value: unknown) => ({ type: 'list', value: [value] })
    expect(accepts('V3StackEntry', entry(entry({ type: 'num', value: '0x7' })))).toBe(true)
    expect(accepts('V3StackEntry', entry(entry({ type: 'num', value: 7 })))).toBe(false)
    const cell = (refs: unknown[]) => ({ data: { b64: 'gA==', len: 0 }, refs, special: false })
    expect(accepts('CellObject', cell([cell([cell([])])]))).toBe(true)
    expect(accepts('CellObject', cell([cell([cell([7])])]))).toBe(false)
  })

  it('the OpenRPC document has only formats that draft 7 defines, and one type a schema', () => {
    expect(pathsOf(openrpc, ({ format }) => format === 'int32' || format === 'int64')).toEqual([])
    expect(pathsOf(openrpc, ({ type }) => Array.isArray(type))).toEqual([])
  })
})
