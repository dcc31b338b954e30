import type { Resolved } from '../../../shared/registry.ts'
import { escapeHtml as html } from './html.ts'
import { createComponents, type Json } from './schema.ts'

/* Answers of calls as tables: one table per method, and one per model. */

const MODEL = '#/components/schemas/'

/** A short type description of a schema; a model links to its table. */
const typeHtml = (schema: Json): string => {
  const { type, enum: values, const: only, oneOf, anyOf, items, prefixItems, additionalProperties, $ref } = schema
  if (typeof $ref === 'string') {
    const name = html($ref.slice(MODEL.length))
    return `<a href="#${name}">${name}</a>`
  }
  if (only !== undefined) return html(JSON.stringify(only))
  if (Array.isArray(values)) return html(values.map((value) => JSON.stringify(value)).join(' | '))
  const choice = (oneOf ?? anyOf) as readonly Json[] | undefined
  if (choice) return [...new Set(choice.map(typeHtml))].join(' | ')
  if (Array.isArray(prefixItems)) return `[${prefixItems.map(typeHtml).join(', ')}]`
  if (type === 'array') return items ? `list of ${typeHtml(items as Json)}` : 'list'
  if (type === 'object' && typeof additionalProperties === 'object') return `by name: ${typeHtml(additionalProperties as Json)}`
  return html(typeof type === 'string' ? type : 'any')
}

const fieldRow = ([name, field]: readonly [string, Json], required: readonly string[]): string => {
  const maybe = required.includes(name) ? '' : ' <span class="dim">may be left out</span>'
  return `<tr><td><code>${html(name)}</code>${maybe}</td><td>${html(String(field['description'] ?? ''))}</td><td class="dim">${typeHtml(field)}</td></tr>`
}

/** The fields of an object, the fields of each variant of a choice, or the type of any other schema. */
const fieldsTable = (schema: Json): string => {
  const { properties, required = [], oneOf, anyOf } = schema as { properties?: Record<string, Json>; required?: readonly string[] } & Json
  const choice = (oneOf ?? anyOf) as readonly Json[] | undefined
  if (choice?.some((each) => 'properties' in each)) return choice.map(fieldsTable).join('<p class="dim">or</p>')
  if (!properties) return `<p>${html(String(schema['description'] ?? ''))} <span class="dim">${typeHtml(schema)}</span></p>`
  // An inline object has no model of its own, so its fields are listed below it.
  const inner = Object.entries(properties).flatMap(([name, field]): [string, Json][] => {
    const item = (field['type'] === 'array' ? field['items'] : field) as Json
    const nested = Object.entries((item?.['properties'] ?? {}) as Record<string, Json>)
    return [[name, field], ...nested.map(([below, each]): [string, Json] => [`${name}.${below}`, each])]
  })
  const needed = [...required, ...inner.map(([name]) => name).filter((name) => name.includes('.'))]
  return `<table class="params">${inner.map((each) => fieldRow(each, needed)).join('')}</table>`
}

export interface ResultTables {
  /** Table of the answer of one method. */
  readonly of: (method: Resolved) => string
  /** Cards of all models that those answers refer to. */
  readonly models: () => readonly { readonly name: string; readonly html: string }[]
}

/** Tables of the answers of these methods. */
export const createResultTables = (methods: readonly Resolved[]): ResultTables => {
  const components = createComponents()
  const results = new Map(methods.map(({ name, def }) => [name as string, components.convert(def.result)]))
  const schemas = components.schemas as Readonly<Record<string, Json>>
  return {
    of: ({ name }) => {
      const result = results.get(name) ?? {}
      const model = typeof result['$ref'] === 'string' ? result['$ref'].slice(MODEL.length) : undefined
      return fieldsTable((model === undefined ? undefined : schemas[model]) ?? result)
    },
    models: () =>
      Object.entries(schemas)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, schema]) => ({
          name,
          html: `<details class="method" id="${html(name)}" data-words="${html(name.toLowerCase())}"><summary><span class="name">${html(name)}</span></summary><div class="body">${fieldsTable(schema)}</div></details>`,
        })),
  }
}
