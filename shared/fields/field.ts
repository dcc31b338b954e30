import * as z from 'zod'
import type { ErrorKind } from '../errors.ts'

/** A wire text that depends on the parameter's name, e.g. (name) => `failed to parse ${name}`. */
export type Say = string | ((name: string) => string)

/** Where a value was refused: while reading it, or by a rule about its range or its neighbours (the text's prefix differs, v2.md 1.3). */
export type Stage = 'parse' | 'validate'

/** Thrown by a field's `read`; becomes one zod issue. `expected` says what would be accepted. */
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

/** What paramsError needs of an issue; rides in zod's `params` of a custom issue. */
export interface IssueParams {
  readonly say?: Say
  readonly stage: Stage
  readonly kind: ErrorKind
  readonly expected?: string
}

/** A parameter's schema: `In` is what a client writes, `Out` what a handler receives. */
export type Field<Out, In> = z.ZodType<Out, In>

/** JSON Schema of a value as it stands on the wire (documents read it; z.toJSONSchema cannot see through a transform). */
export type WireSchema = Readonly<Record<string, unknown>>

interface FieldSpec<Out> {
  /** Reads a query string or a JSON value; throws FieldError. Never called with undefined. */
  readonly read: (value: unknown) => Out
  /** What the parameter means to the method, as a sentence. */
  readonly what: string
  /** What is accepted, in words. */
  readonly expected: string
  /** A value as a client may write it. */
  readonly example: unknown
  readonly wire: WireSchema
  /** The text for an absent required value; its stage and kind where they are not `parse` and INVALID_PARAMS. */
  readonly missing?: Say
  readonly absence?: { readonly stage?: Stage; readonly kind?: ErrorKind }
}

const required: Say = (name) => `${name} required`

const single: Say = (name) => `${name} takes one value, not a list`

/** Makes a schema of a reader. The reader gets GET strings and JSON values alike. */
export const field = <Out, In>(spec: FieldSpec<Out>): Field<Out, In> =>
  z
    .custom<In>()
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

/** Wire form of a field, also behind .optional() and .default(). */
export const wireOf = (schema: z.core.$ZodType): WireSchema | undefined => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return wireOf(schema.unwrap())
  return z.globalRegistry.get(schema)?.['wire'] as WireSchema | undefined
}

/** A rule about several parameters, for z.object(...).refine(test, rule(text)): the text goes out as it stands. */
export const rule = (say: string, path: readonly string[] = []): { message: string; path: string[]; params: Record<string, unknown> } => {
  const params: IssueParams = { say, stage: 'validate', kind: 'INVALID_PARAMS' }
  return { message: say, path: [...path], params: { ...params } }
}

/** The default text of an unreadable value. */
export const unreadable: Say = (name) => `failed to parse ${name}`

/** A value quoted for an error text, cut to 100 characters. */
export const quote = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return `'${text.length > 100 ? `${text.slice(0, 100)}...` : text}'`
}
