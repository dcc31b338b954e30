import * as z from 'zod'
import { wireOf } from '../../../shared/fields/field.ts'
import type { MethodDef } from '../../../shared/method.ts'
import type { Resolved } from '../../../shared/registry.ts'
import { meaningOf, meaningText } from '../../../shared/value-description.ts'

export type Json = Record<string, unknown>

export const REF = '#/components/schemas/'

export type ParamDoc = ReturnType<typeof paramDocs>[number]

/** Parameters of a method as clients send them. z.toJSONSchema cannot see this form behind a transform. */
export const paramDocs = (def: MethodDef) =>
  Object.entries(def.params.shape).map(([name, schema]) => ({
    name,
    required: !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault),
    description: meaningText(schema),
    example: meaningOf(schema).example,
    schema: { ...wireForm(schema), ...defaultOf(schema) } as Json,
  }))

/** JSON Schema of the form that clients send: the schema that a field declares, otherwise the converted zod schema. */
const wireForm = (schema: z.core.$ZodType): Json => {
  const own = wireOf(schema)
  if (own !== undefined) return own
  const { $schema: _, ...plain } = z.toJSONSchema(unwrapped(schema), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, wireOf(zodSchema))
      delete jsonSchema['wire']
      describe(zodSchema, jsonSchema)
    },
  }) as Json
  return plain
}

/** Adds description and example. They stand at the top level of a nullable schema, not in its variants. */
const describe = (schema: z.core.$ZodType, json: Json): void => {
  delete json['form']
  const text = meaningText(schema)
  if (text !== undefined) json['description'] = text
  if (!(schema instanceof z.ZodNullable) || !Array.isArray(json['anyOf'])) return
  const { example } = meaningOf(schema)
  if (example !== undefined) json['examples'] = [example]
  for (const each of json['anyOf'] as Json[]) {
    delete each['description']
    delete each['examples']
  }
}

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema

const defaultOf = (schema: z.core.$ZodType): Json => {
  if (!(schema instanceof z.ZodDefault)) return {}
  const value = schema._zod.def.defaultValue
  return { default: typeof value === 'bigint' ? value.toString() : value }
}

/** Schema of a POST body, and of `params` in a JSON-RPC call. */
export const paramsSchema = (def: MethodDef): Json => {
  const params = paramDocs(def)
  const required = params.filter((param) => param.required).map((param) => param.name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      params.map(({ name, description, schema, example }) => [
        name,
        { ...schema, ...(description && { description }), ...(example !== undefined && { examples: [example] }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

const DEFINITION = '#/$defs/'
/** zod names a recursive schema without an id `__schema0`, and counts from 0 in each conversion, so such names are not unique. */
const isUnnamed = (id: string): boolean => id.startsWith('__schema')

export const createComponents = () => {
  const schemas: Json = { LegacyStackArgument: legacyStackArgument }
  const convert = (schema: z.core.$ZodType): Json => {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, {
      io: 'output',
      override: ({ zodSchema, jsonSchema }) => {
        describe(zodSchema, jsonSchema)
        adaptForTools(jsonSchema)
      },
    }) as Json & { $defs?: Json }
    for (const [id, model] of Object.entries($defs)) if (!isUnnamed(id)) schemas[id] = relocate(model, $defs)
    return relocate(own, $defs) as Json
  }
  return { schemas, convert }
}

/** Changes references to named definitions into references to components. Inlines unnamed definitions. */
const relocate = (node: unknown, definitions: Json): unknown => {
  if (Array.isArray(node)) return node.map((each) => relocate(each, definitions))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as Json
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, relocate(value, definitions)]))
  if (typeof $ref !== 'string') return own
  const id = $ref.slice(DEFINITION.length)
  return isUnnamed(id) ? { ...(relocate(definitions[id], definitions) as Json), ...own } : { ...own, $ref: REF + id }
}

/**
 * Rewrites keywords that client generators do not support. For example `items: false` of a tuple is removed (the length of the tuple says the same), and
 * `type: null` becomes `string` or `null` with the constant null.
 */
const adaptForTools = (schema: Json): void => {
  if (schema['items'] === false) delete schema['items']
  if (schema['type'] === 'null') Object.assign(schema, { type: ['string', 'null'], const: null })
  if (typeof schema['const'] === 'boolean') delete schema['type']
  if (Array.isArray(schema['prefixItems'])) schema['prefixItems'] = schema['prefixItems'].map(constantAsEnum)
}
const constantAsEnum = ({ const: value, ...rest }: Json): Json => (value === undefined ? rest : { ...rest, enum: [value] })

const tagged = (tag: string) => ({
  type: 'object',
  properties: { '@type': { const: tag }, elements: { type: 'array', items: { $ref: `${REF}StackEntry` } } },
  required: ['@type', 'elements'],
})
const pair = (types: readonly string[], value: Json): Json => ({
  type: 'array',
  prefixItems: [{ type: 'string', enum: types }, value],
  minItems: 2,
  maxItems: 2,
})
const text = { type: 'string', contentEncoding: 'base64', minLength: 1 }

const legacyStackArgument: Json = {
  description: 'An argument of a get-method: [type, value].',
  // Each argument matches only one variant, but generators read a tuple as an array of any values. To them every argument matches all variants, which oneOf
  // would reject, so this is anyOf.
  anyOf: [
    pair(['num', 'number', 'int', 'integer'], {
      oneOf: [{ type: 'string', pattern: '^-?(0[xX][0-9a-fA-F]+|[0-9]+)$' }, { type: 'integer' }],
    }),
    pair(['tvm.Cell', 'tvm.Slice'], text),
    pair(['cell', 'slice'], { type: 'object', properties: { bytes: text }, required: ['bytes'] }),
    pair(['tuple', 'tvm.Tuple'], tagged('tvm.tuple')),
    pair(['list', 'tvm.List'], tagged('tvm.list')),
  ],
}

export const tagOf = ({ section, def: { heading } }: Resolved): string =>
  section === 'v2' || section === 'v3' || section === 'v4' ? `${section} · ${heading}` : heading
