import { ton } from '../base/service.ts'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema | false
  readonly properties?: Readonly<Record<string, Schema>>
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
}

export interface Param {
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface MethodDoc {
  readonly name: string
  readonly summary: string
  readonly tags: readonly { readonly name: string }[]
  readonly params: readonly Param[]
  readonly result: { readonly schema: Schema }
  readonly examples: readonly { readonly name: string; readonly params: readonly { readonly name: string; readonly value: unknown }[] }[]
  readonly errors: readonly { readonly $ref: string }[]
  readonly 'x-aliases'?: readonly string[]
  readonly 'x-effect': string
  readonly 'x-rest'?: string
  /** REST paths that do not follow from the method's name, the longest last. `:name` is a parameter. */
  readonly 'x-paths'?: readonly string[]
}

export interface Document {
  readonly methods: readonly MethodDoc[]
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    /** Errors by kind. `message` says what the kind means, `status` is the HTTP status. */
    readonly errors: Readonly<
      Record<string, { readonly code: number; readonly message: string; readonly data: { readonly status: number } }>
    >
  }
}

let loading: Promise<Document> | undefined

export const loadDocument = (): Promise<Document> => {
  loading ??= ton.rpc.discover().then(
    (document) => document as unknown as Document,
    (error) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

export const resolved = ({ components }: Document, schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1)
  const target = name === undefined ? undefined : components.schemas[name]
  return target === undefined ? schema : { ...target, ...(schema.description !== undefined && { description: schema.description }) }
}

/** Matches the pattern of a text that contains a number. */
const DIGITS = /\[0-9\][+*]\)?\$$/
const isNumber = ({ type }: Schema): boolean => type === 'integer' || type === 'number'

/** The type of a value in a few words: `text`, `list`, `number`, `list of objects`. A number that can also be sent as a text is a number. */
export const typeText = (document: Document, given: Schema): string => {
  const schema = resolved(document, given)
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return String(schema.const)
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) {
    const shown = choices.some(isNumber) ? choices.filter(({ pattern }) => !DIGITS.test(pattern ?? '')) : choices
    return [...new Set(shown.map((each) => typeText(document, each)))].slice(0, 4).join(' or ')
  }
  if (Array.isArray(schema.type)) return (schema.type as readonly string[]).map((type) => typeText(document, { type })).join(' or ')
  if (schema.type === 'array') {
    const item = schema.items ? typeText(document, schema.items) : 'text'
    return /^(number|object)$/.test(item) ? `list of ${item}s` : 'list'
  }
  if (schema.type === 'string') return 'text'
  if (isNumber(schema)) return 'number'
  return schema.type === 'boolean' ? 'true | false' : ((schema.type as string | undefined) ?? 'any')
}

/** REST path of a method without `x-paths`. */
const pathOf = (name: string): string => {
  if (name.startsWith('v3.')) return `/api/${name.replaceAll('.', '/')}`
  if (name.startsWith('hooks.')) return `/api/v3/${name.replace('.', '/')}`
  if (!name.startsWith('emulate.')) return `/api/v2/${name}`
  const what = name.slice('emulate.'.length)
  return `/api/emulate/v1/emulate${what.charAt(0).toUpperCase()}${what.slice(1)}`
}

/** The HTTP method and path of a method: `GET /api/v3/transactions`. */
export const routeText = ({ name, 'x-rest': rest, 'x-paths': paths }: MethodDoc): string =>
  rest === undefined ? 'POST /jsonRPC, without a path of its own' : `${rest.replace(', ', ' or ')} ${paths?.at(-1) ?? pathOf(name)}`

/** REST path of a call, and the values that are not part of the path. */
export const callPath = (
  { name, 'x-paths': paths = [pathOf(name)] }: MethodDoc,
  values: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly others: Readonly<Record<string, unknown>> } => {
  const others = { ...values }
  const fitting = paths.findLast((path) => (path.match(/(?<=:)\w+/g) ?? []).every((param) => param in values)) ?? paths[0]!
  const path = fitting.replace(/:(\w+)/g, (_, param: string) => {
    delete others[param]
    return encodeURIComponent(String(values[param]))
  })
  return { path, others }
}
