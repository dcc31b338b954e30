import * as z from 'zod'
import type { ErrorKind } from '../errors.ts'

/** An error text. It can depend on the parameter's name: (name) => `failed to parse ${name}`. */
export type Say = string | ((name: string) => string)

/**
 * The stage at which a value was rejected: `parse`, or `validate` for a rule about its range or about several parameters. The prefix of the error text
 * depends on the stage.
 */
export type Stage = 'parse' | 'validate'

/** Thrown by the `read` function of a field, and converted to one zod issue. `expected` describes what is accepted. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
  readonly say: Say
  readonly stage: Stage
  readonly kind: ErrorKind
  readonly expected: string | undefined
  constructor(say: Say, options: { stage?: Stage; kind?: ErrorKind; expected?: string } = {}) {
    super(typeof say === 'string' ? say : say('value'))
    this.say = say
    this.stage = options.stage ?? 'parse'
    this.kind = options.kind ?? 'INVALID_PARAMS'
    this.expected = options.expected
  }
}

/** Data for paramsError, stored in `params` of zod's custom issue. */
export interface IssueParams {
  readonly say?: Say
  readonly stage: Stage
  readonly kind: ErrorKind
  readonly expected?: string
}

/** A parameter's schema: a client sends `In`, a handler receives `Out`. */
export type Field<Out, In> = z.ZodType<Out, In>

/** JSON Schema of a value on the wire, for the documents. Given explicitly, because z.toJSONSchema cannot describe a transform. */
export type WireSchema = Readonly<Record<string, unknown>>

interface FieldSpec<Out> {
  /** Parses a query string or a JSON value; throws FieldError. Never called with undefined. */
  readonly read: (value: unknown) => Out
  readonly what: string
  readonly expected: string
  readonly example: unknown
  readonly wire: WireSchema
  /** Error text if a required value is absent. `absence`: stage and kind of that error, by default `parse` and INVALID_PARAMS. */
  readonly missing?: Say
  readonly absence?: { readonly stage?: Stage; readonly kind?: ErrorKind }
}

const required: Say = (name) => `${name} required`

const single: Say = (name) => `${name} takes one value, not a list`

/** Creates a schema from a reader, which gets strings of a GET query or JSON values. */
export const field = <Out, In>(spec: FieldSpec<Out>): Field<Out, In> =>
  z
    .unknown()
    .transform((value, ctx) => {
      try {
        if (value === undefined) throw new FieldError(spec.missing ?? required, spec.absence)
        if (Array.isArray(value) && spec.wire['type'] !== 'array') throw new FieldError(single)
        return spec.read(value)
      } catch (error) {
        if (!(error instanceof FieldError)) throw error
        const params: IssueParams = { say: error.say, stage: error.stage, kind: error.kind, expected: error.expected ?? spec.expected }
        ctx.issues.push({ code: 'custom', message: error.message, input: value, params: { ...params } })
        return z.NEVER
      }
    })
    .meta({ description: spec.what, form: spec.expected, examples: [spec.example], wire: spec.wire }) as unknown as Field<Out, In>

/** JSON Schema of a field's wire form, also for a field inside .optional() or .default(). */
export const wireOf = (schema: z.core.$ZodType): WireSchema | undefined => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return wireOf(schema.unwrap())
  return z.globalRegistry.get(schema)?.['wire'] as WireSchema | undefined
}

/** A rule about several parameters, for z.object(...).refine(test, rule(text)). The text is sent unchanged. */
export const rule = (say: string, path: readonly string[] = []): { message: string; path: string[]; params: Record<string, unknown> } => {
  const params: IssueParams = { say, stage: 'validate', kind: 'INVALID_PARAMS' }
  return { message: say, path: [...path], params: { ...params } }
}

type Given<N extends string> = { readonly [K in N]?: unknown }

/** A rule: at least one of the parameters is given. */
export const anyOf = <N extends string>(names: readonly N[], say: string, path?: readonly string[]) =>
  [(p: Given<N>): boolean => names.some((name) => p[name] !== undefined), rule(say, path)] as const

/** A rule: not both parameters are given. The error is about the second. */
export const notBoth = <N extends string>(first: N, second: N, say: string) =>
  [(p: Given<N>): boolean => p[first] === undefined || p[second] === undefined, rule(say, [second])] as const

export const unreadable: Say = (name) => `failed to parse ${name}`

/** A reader from a function that returns undefined for a value that is not accepted. */
export const readWith =
  <Out>(parse: (value: unknown) => Out | undefined, refused: Say = unreadable, stage: Stage = 'parse') =>
  (value: unknown): Out => {
    const parsed = parse(value)
    if (parsed === undefined) throw new FieldError(refused, { stage })
    return parsed
  }

/** A reader of texts that pass a test. */
export const readText = (test: (text: string) => boolean, refused?: Say, stage?: Stage) =>
  readWith((value) => (typeof value === 'string' && test(value) ? value : undefined), refused, stage)

/** A field with one of several words. `expected`: the words as a sentence. */
export const oneOf = <W extends string>(
  what: string,
  words: readonly [W, ...W[]],
  refused: Say = (name) => `${name} must be one of: ${words.join(', ')}`,
  { expected = words.join(', '), example = words[0] }: { readonly expected?: string; readonly example?: W } = {},
): Field<W, W> =>
  field({
    what,
    example,
    expected,
    wire: { type: 'string', enum: [...words] },
    read: readWith((value) => words.find((word) => word === value), refused, 'validate'),
  })

/** Wire form of a number: a JSON integer, or a text of digits. */
export const integerOrText = (integer: WireSchema, pattern = '^[0-9]+$'): WireSchema => ({
  oneOf: [
    { type: 'integer', ...integer },
    { type: 'string', pattern },
  ],
})

/** A value quoted for an error text, cut to 100 characters. */
export const quote = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return `'${text.length > 100 ? `${text.slice(0, 100)}...` : text}'`
}
