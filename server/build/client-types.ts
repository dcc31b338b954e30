import * as z from 'zod'
import { ERRORS } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { meaningText, modelId } from '../../shared/value-description.ts'

/*
 * Generates the declarations of client/methods.ts for the client's package, without the registry and zod. Results are printed from their schemas, so that
 * models have their names. Params are the compiler's expansion of z.input.
 * A schema of an unsupported type is printed as `unknown`; then test/client/package.test.ts fails, which compares the text with z.input and z.output of
 * every method.
 */

type Schema = z.core.$ZodType

/** Types from the compiler. `params`: the params of each method as an object type, one member per line. `declarations`: types that params name. */
export interface Inputs {
  readonly params: Readonly<Record<string, string>>
  readonly declarations: string
}

const OPEN = `/** An object of which some members are named and any other is an \`Other\`. */
type Open<Named, Other> = Flat<Named & { [name: string]: Other }>
type Flat<T> = { [K in keyof T]: T[K] }
`

const doc = (text: string | undefined, indent = ''): string => (text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '')
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

/** Prints schemas. A model (a schema with an id) is printed once, under its name. */
const createPrinter = () => {
  const models = new Map<string, string>()

  const print = (schema: Schema): string => {
    const id = modelId(schema)
    if (!id) return body(schema)
    if (!models.has(id)) {
      // Reserves the name before the model is printed, because a model may contain itself.
      models.set(id, '')
      const type = body(schema)
      models.set(id, isPlain(schema) ? `export interface ${id} ${type}\n` : `export type ${id} = ${type}\n`)
    }
    return id
  }

  const object = (shape: Readonly<Record<string, Schema>>): string => {
    const members = Object.entries(shape).map(([name, schema]) => {
      const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as Schema) : undefined
      const type = inner ? `${nameOf(name)}?: ${print(inner)} | undefined` : `${nameOf(name)}: ${print(schema)}`
      // `@type` has the same description in every object, so it is omitted.
      return `${name === '@type' ? '' : doc(meaningText(schema))}${type}`
    })
    return `{\n${members.join('\n').replace(/^/gm, '  ')}\n}`
  }

  const body = (schema: Schema): string => {
    if (schema instanceof z.ZodLazy) return body(schema.unwrap())
    if (schema instanceof z.ZodObject) {
      const own = object(schema.shape)
      return isPlain(schema) ? own : `Open<${own}, ${print(schema.def.catchall!)}>`
    }
    if (schema instanceof z.ZodArray) return arrayOf(print(schema.element))
    if (schema instanceof z.ZodTuple) return `[${schema.def.items.map(print).join(', ')}]`
    if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map(print))].join(' | ')
    if (schema instanceof z.ZodRecord) return `Record<${print(schema.keyType)}, ${print(schema.valueType)}>`
    if (schema instanceof z.ZodLiteral) return [...schema.values].map(literal).join(' | ')
    if (schema instanceof z.ZodEnum) return schema.options.map(literal).join(' | ')
    if (schema instanceof z.ZodNullable) return `${print(schema.unwrap())} | null`
    if (schema instanceof z.ZodString) return 'string'
    if (schema instanceof z.ZodNumber) return 'number'
    if (schema instanceof z.ZodBoolean) return 'boolean'
    if (schema instanceof z.ZodUnknown) return 'unknown'
    if (schema instanceof z.ZodNever) return 'never'
    if (schema instanceof z.ZodNull) return 'null'
    return 'unknown'
  }
  return { print, models }
}

/** Returns whether a schema is an object without additional members. */
const isPlain = (schema: Schema): boolean =>
  schema instanceof z.ZodObject && (!schema.def.catchall || schema.def.catchall instanceof z.ZodNever)

const indented = (text: string): string => text.replaceAll('\n', '\n    ')
const arrayOf = (item: string): string => (/[ |]/.test(item) ? `(${item})[]` : `${item}[]`)

const documented = (def: MethodDef, params: string): string =>
  params.replace(/^ {4}'?(\w+)'?\??:/gm, (line, name: string) => {
    const schema = Object.hasOwn(def.params.shape, name) ? def.params.shape[name] : undefined
    return doc(schema && meaningText(schema), '    ') + line
  })

interface Branch {
  readonly leaves: Map<string, string>
  readonly under: Map<string, Branch>
}
const branch = (): Branch => ({ leaves: new Map(), under: new Map() })

/** `Members`: the tree of names and aliases. Each method is a documented function, because editors show no documentation in mapped types. */
const members = (methods: Readonly<Record<string, MethodDef>>): string => {
  const root = branch()
  const add = (dotted: string, name: string, text: string): void => {
    const parts = dotted.split('.')
    const last = parts.pop()!
    let at = root
    for (const part of parts) {
      if (!at.under.has(part)) at.under.set(part, branch())
      at = at.under.get(part)!
    }
    at.leaves.set(last, `${doc(text)}readonly ${nameOf(last)}: Fn<Methods['${name}']>`)
  }
  for (const [name, { summary, aliases = [] }] of Object.entries(methods)) {
    add(name, name, summary)
    for (const alias of aliases) add(alias, name, `Another name of \`${name}\`. ${summary}`)
  }
  const printed = ({ leaves, under }: Branch): string => {
    const inner = [...under].map(([part, below]) => `readonly ${nameOf(part)}: ${printed(below)}`)
    return `{\n${[...leaves.values(), ...inner].join('\n').replace(/^/gm, '  ')}\n}`
  }
  return printed(root)
}

export const clientTypes = (methods: Readonly<Record<string, MethodDef>>, { params, declarations }: Inputs): string => {
  const { print, models } = createPrinter()
  const entries = Object.entries(methods).map(
    ([name, def]) =>
      `${doc(def.summary, '  ')}  readonly ${nameOf(name)}: {\n    readonly params: ${indented(documented(def, params[name]!))}\n    readonly result: ${indented(print(def.result))}\n    readonly effect: '${def.effect}'\n  }`,
  )
  const kinds = Object.entries(ERRORS)
  const union = (names: readonly string[]): string => names.map((name) => `  | '${name}'`).join('\n')
  return `import type { Fn } from './types.ts'

/** Kinds of errors that the server tells. */
export type ErrorKind =
${union(kinds.map(([kind]) => kind))}

/** Kinds after which the same read is worth another try. */
export type RetriedKind =
${union(kinds.filter(([, { retry }]) => retry).map(([kind]) => kind))}

/** One refused parameter: what was wrong and what is accepted. */
export interface ParamIssue {
  readonly param: string
  readonly message: string
  readonly expected?: string
}

${OPEN}
${declarations}
${[...models.values()].join('\n')}
/** Every method of the service: what a caller writes, what stands in \`result\`, and whether it changes anything. */
export type Methods = {
${entries.join('\n')}
}

/** The methods and their aliases as functions, under the parts of their names. */
export interface Members ${members(methods)}
`
}
