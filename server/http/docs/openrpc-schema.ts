import { type Json, REF } from './schema.ts'

/*
 * Adapts schemas to the tools of OpenRPC. These tools replace each `$ref` by its definition, and loop for ever on a recursive model. They read tuples as
 * draft 7 defines them, reject formats that draft 7 does not define, and name types by titles.
 */

/** Schema keywords whose values are plain JSON, not schemas. */
const VALUES = ['examples', 'default', 'const', 'enum', 'required']

/**
 * Converts a schema for OpenRPC. A tuple also gets `items`, which never applies because the tuple's length is fixed. A list of types becomes `anyOf`.
 * `reference` returns what replaces a `$ref`.
 */
export const openRpcSchema = (node: unknown, reference = (ref: string): Json => ({ $ref: ref })): unknown => {
  if (Array.isArray(node)) return node.map((each) => openRpcSchema(each, reference))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...own } = node as Json
  for (const [key, value] of Object.entries(own)) if (!VALUES.includes(key)) own[key] = openRpcSchema(value, reference)
  if (own['format'] === 'int32' || own['format'] === 'int64') delete own['format']
  if (own['prefixItems']) own['items'] ??= {}
  const { type: types } = own
  if (Array.isArray(types)) {
    delete own['type']
    own['anyOf'] = types.map((type: unknown) => ({ type }))
  }
  return typeof $ref === 'string' ? { ...own, ...reference($ref) } : own
}

/**
 * Converts models for OpenRPC. A reference that closes a cycle becomes a `$dynamicRef` to the anchor of its model: JSON Schema 2020-12 reads it like a
 * `$ref`, and older tools accept any value there. Titles end in `Model`, because the types of methods already have the plain names (`V3Transactions`).
 */
export const openRpcModels = (models: Json): Json => {
  const anchored = new Set<string>()
  const done: Json = {}
  const visit = (name: string, way: readonly string[]): void => {
    if (name in done || !(name in models)) return
    const here = [...way, name]
    done[name] = openRpcSchema(models[name], ($ref) => {
      const target = $ref.slice(REF.length)
      if (here.includes(target)) {
        anchored.add(target)
        return { $dynamicRef: `#${target}` }
      }
      visit(target, here)
      return { $ref }
    })
  }
  for (const name of Object.keys(models)) visit(name, [])
  const named = (name: string): Json => ({ title: `${name}Model`, ...(anchored.has(name) && { $dynamicAnchor: name }) })
  return Object.fromEntries(Object.keys(models).map((name) => [name, { ...named(name), ...(done[name] as Json) }]))
}
