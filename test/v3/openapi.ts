import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { wireOf } from '../../shared/fields/field.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { readData } from '../kit/data.ts'

/* TON Center's own document (v3.openapi.yaml), held against whole answers; it requires no member and closes no object, so both are done here. */

type Node = Readonly<Record<string, unknown>>
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Node }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: Node }>> }
}
/** The document, as it stands, but for references to `index.OrderAction` and `index.VestingInfo`, which it calls OrderAction and VestingInfo. */
const text = readData('reference/v3.openapi.yaml').toString().replaceAll('schemas/index.', 'schemas/')
const document: Document = parse(text)

const REF = '#/components/schemas/'
/** The document with its objects closed, under $id `v3`. */
const closed = JSON.parse(
  JSON.stringify(document, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value,
  ),
) as Document

/** Every object of an answer beside the schema it is said to have, depth first. */
function* objectsOf(schema: Node, value: unknown): Generator<{ readonly model: string; readonly value: Node }> {
  const ref = schema['$ref'] as string | undefined
  const model = ref?.slice(REF.length)
  const shape: Node = model === undefined ? schema : (document.components.schemas[model] as Node)
  if (Array.isArray(value)) for (const item of value) yield* objectsOf((shape['items'] ?? {}) as Node, item)
  else if (typeof value === 'object' && value !== null) {
    if (model !== undefined) yield { model, value: value as Node }
    const properties = (shape['properties'] ?? {}) as Node
    for (const [name, member] of Object.entries(value))
      yield* objectsOf((properties[name] ?? shape['additionalProperties'] ?? {}) as Node, member)
  }
}

/** Schema of an operation's 200 answer. */
const answerSchema = (path: string): Node => {
  const verbs = document.paths[`/api/v3/${path}`]!
  const { responses } = verbs['get'] ?? verbs['post']!
  return (responses['200'] as { content: Record<string, { schema: Node }> }).content['application/json']!.schema
}

/** Answers by path. */
export type Answers = Readonly<Record<string, unknown>>

/** Whether the document has an operation. */
export const isDocumented = (path: string): boolean => Object.hasOwn(document.paths, `/api/v3/${path}`)

/** What of the answers is not as the document has it: members, types, nulls, words, whatever else it says; sorted. */
export const differences = (answers: Answers): readonly string[] => differencesOf(Object.entries(answers))

/** The same of any number of answers of each path. */
export const differencesOf = (answers: readonly (readonly [string, unknown])[]): readonly string[] => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ ...closed, $id: 'v3' } as object)
  const found = new Set<string>()
  for (const [path, answer] of answers) {
    for (const { model, value } of objectsOf(answerSchema(path), answer)) {
      const check = ajv.getSchema(`v3${REF}${model}`)!
      check(value)
      for (const { instancePath, keyword, params } of check.errors ?? []) {
        const [, name, ...deeper] = instancePath.split('/')
        if (keyword === 'additionalProperties' && instancePath === '') found.add(`${model}.${params['additionalProperty']} unknown`)
        // Objects within are looked at as themselves.
        else if (deeper.length > 1 || (deeper.length === 1 && !/^\d+$/.test(deeper[0]!))) continue
        else if (keyword === 'type') {
          const member = name === undefined ? undefined : value[name]
          const shown = deeper.length === 0 ? member : (member as readonly unknown[])[Number(deeper[0])]
          found.add(`${model}.${name} ${shown === null ? 'null' : `is ${typeof shown}`}`)
        } else if (keyword !== 'additionalProperties')
          found.add(`${model}${name === undefined ? '' : `.${name}`} ${keyword} ${JSON.stringify(params)}`)
      }
    }
  }
  return [...found].sort()
}

/** The same of lists that have rows: an empty one is a difference too. */
export const differencesOfRows = (answers: Answers): readonly string[] => [
  ...Object.entries(answers).flatMap(([path, answer]) =>
    Object.entries(answer as Node).flatMap(([name, list]) =>
      Array.isArray(list) && list.length === 0 ? [`${path}: ${name} is empty`] : [],
    ),
  ),
  ...differences(answers),
]

/** Members of the document's models that no answer tells, sorted. */
export const untold = (answers: Answers): readonly string[] => {
  const told = new Map<string, Set<string>>()
  for (const [path, answer] of Object.entries(answers)) {
    for (const { model, value } of objectsOf(answerSchema(path), answer)) {
      const names = told.get(model) ?? new Set()
      for (const name of Object.keys(value)) names.add(name)
      told.set(model, names)
    }
  }
  return [...told]
    .flatMap(([model, names]) =>
      Object.keys(document.components.schemas[model]!.properties ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${model}.${name}`),
    )
    .sort()
}

/** Parameters of the document that our method of a path does not take. */
export const unknownParameters = (path: string): readonly string[] => {
  const operation = document.paths[`/api/v3/${path}`]!['get'] as unknown as { parameters?: { name: string }[] } | undefined
  const known = Object.keys(registry[`v3.${path.replaceAll('/', '.')}` as MethodName].params.shape)
  return (operation?.parameters ?? []).map(({ name }) => name).filter((name) => !known.includes(name))
}

/** Most elements of lists as the document's words have it, beside ours: `[path, name, theirs, ours]`. */
export const maxima = (): readonly (readonly [string, string, number, unknown])[] =>
  Object.entries(document.paths).flatMap(([path, { get }]) => {
    const def: MethodDef | undefined = registry[`v3.${path.slice('/api/v3/'.length).replaceAll('/', '.')}` as MethodName]
    const { parameters = [] } = (get ?? {}) as unknown as { parameters?: { name: string; description?: string }[] }
    return parameters.flatMap(({ name, description = '' }) => {
      const [, most] = /\bMax(?:imum)?:? (\d+)/.exec(description) ?? []
      return def === undefined || most === undefined
        ? []
        : [[path, name, Number(most), wireOf(def.params.shape[name]!)?.['maxItems']] as const]
    })
  })
