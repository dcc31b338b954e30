import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { MethodDef } from '../../shared/method.ts'
import { methodNames, registry } from '../../shared/registry.ts'
import { meaningOf, meaningText } from '../../shared/value-description.ts'

/* Every parameter and every field of a result says what it is, how it is written, and shows one. */

type Schema = z.core.$ZodType

const bare = (schema: Schema): Schema =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema

/** Whether a value of it explains itself: its type and its words say all. */
const isPlain = (schema: Schema): boolean => {
  const inner = bare(schema)
  return [z.ZodBoolean, z.ZodLiteral, z.ZodObject, z.ZodArray, z.ZodLazy, z.ZodUnion, z.ZodTuple, z.ZodNever, z.ZodNull].some(
    (kind) => inner instanceof kind,
  )
}

/** Fields of objects at any depth, each with the path that leads to it; a model is looked at once. */
const fieldsOf = (schema: Schema, path: string, seen: Set<Schema>): [path: string, field: Schema][] => {
  const inner = bare(schema)
  const root = inner._zod.parent ?? inner
  if (seen.has(inner) || (seen.has(root) && !(inner instanceof z.ZodString))) return []
  seen.add(inner).add(root)
  if (inner instanceof z.ZodLazy) return fieldsOf(inner.unwrap(), path, seen)
  if (inner instanceof z.ZodArray) return fieldsOf(inner.element, `${path}[]`, seen)
  if (inner instanceof z.ZodRecord) return fieldsOf(inner.valueType as Schema, `${path}{}`, seen)
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((each, i) => fieldsOf(each, `${path}|${i}`, seen))
  if (inner instanceof z.ZodTuple) return inner.def.items.flatMap((each) => fieldsOf(each, path, seen))
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries(inner.shape).flatMap(([name, field]): [string, Schema][] => [
    [`${path}.${name}`, field],
    ...fieldsOf(field, `${path}.${name}`, seen),
  ])
}

/** A sentence of its own that is not the form once more. */
const faults = ([path, field]: readonly [string, Schema]): string[] => {
  const { what, form, example } = meaningOf(field)
  if (what === undefined) return [`${path} does not say what it is`]
  return [
    ...(/^[`A-Z0-9].*[.!]$/.test(what) && !/undefined|\s\s/.test(what) ? [] : [`${path}: "${what}" is no sentence`]),
    ...(form !== undefined && what.toLowerCase().startsWith(form.toLowerCase()) ? [`${path} says its form alone`] : []),
    ...(example === undefined && !isPlain(field) ? [`${path} has no example`] : []),
  ]
}

const params = methodNames.flatMap((name) =>
  Object.entries(registry[name].params.shape).map(([param, schema]) => [`${name} ${param}`, schema] as const),
)
const results = (() => {
  const seen = new Set<Schema>()
  return methodNames.flatMap((name) => fieldsOf((registry[name] as MethodDef).result, `${name} =>`, seen))
})()

describe('meanings', () => {
  it('every parameter of every method says what it is, how it is written, and has an example', () => {
    expect(params.length).toBeGreaterThan(250)
    expect(params.flatMap(faults)).toEqual([])
    // What is in a parameter that is an object too.
    expect(params.flatMap(([path, schema]) => fieldsOf(schema, path, new Set())).flatMap(faults)).toEqual([])
    const formless = params.filter(([, schema]) => meaningOf(schema).form === undefined).map(([path]) => path)
    expect(formless).toEqual([
      'dnsResolve category',
      'emulate.bundle messages',
      'emulate.bundle overrides',
      'local.deployCollection kind',
      'local.deployCollection royalty',
    ])
  })

  it('every field of every result says what it is, and has an example where its type does not say all', () => {
    expect(results.length).toBeGreaterThan(500)
    expect(results.flatMap(faults)).toEqual([])
  })

  it('results that are one value say what it is', () => {
    const values = methodNames.filter((name) => !isPlain((registry[name] as MethodDef).result))
    expect(values).toEqual(expect.arrayContaining(['getAddressBalance', 'getAddressState', 'packAddress', 'unpackAddress']))
    expect(values.flatMap((name) => faults([name, (registry[name] as MethodDef).result]))).toEqual([])
  })

  it('examples are taken by the field that shows them', () => {
    for (const [path, schema] of [...params, ...results]) {
      const { example } = meaningOf(schema)
      if (example !== undefined) expect([path, example, z.safeParse(schema, example).error?.message]).toEqual([path, example, undefined])
    }
  })

  it('no two parameters of a method mean the same', () => {
    for (const name of methodNames) {
      const texts = Object.values(registry[name].params.shape).map((schema) => meaningOf(schema).what)
      const twice = texts.filter((text, i) => texts.indexOf(text) !== i)
      expect([name, twice]).toEqual([name, []])
    }
  })

  it('a meaning and its form make one text, behind wrappers too', () => {
    const field = z.string().meta({ description: 'The name.', form: 'text', examples: ['a'] })
    expect(meaningText(field.nullable().optional())).toBe('The name. Text.')
    expect(meaningText(z.string())).toBeUndefined()
    // What a definition without a meaning is refused for.
    expect(faults(['x', z.string()])).toEqual(['x does not say what it is'])
    expect(faults(['x', z.string().meta({ description: 'text', form: 'text' })])).toHaveLength(3)
  })
})
