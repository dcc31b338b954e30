import type * as z from 'zod'
import { type ErrorKind, type ParamIssue, TonError } from './errors.ts'
import { type IssueParams, type Stage, wireOf } from './fields/field.ts'
import { asksForProofs } from './fields/v3/proofs.ts'
import type { MethodDef } from './method.ts'
import { UNPREFIXED_TEXTS } from './unprefixed-errors.ts'

/**
 * The source of raw params: a query string (all values are texts; unknown names are ignored), or the JSON body of a POST or JSON-RPC call (unknown names
 * are rejected).
 */
export type ParamSource = 'query' | 'body'

const PREFIX: Readonly<Record<Stage, Readonly<Record<ParamSource, string>>>> = {
  parse: { query: 'failed to parse get request: ', body: 'failed to parse post request: ' },
  validate: { query: 'failed to validate request: ', body: 'failed to validate request: ' },
}

const MAX_ISSUES = 10

export const expectedText = (expected: string | undefined): string => (expected === undefined ? '' : ` (expected ${expected})`)

/** The parts of an issue's text. `others`: number of further issues about values that could not be parsed. */
interface IssueParts {
  readonly text: string
  readonly stage: Stage
  readonly expected?: string | undefined
  readonly others?: number
}

/**
 * The text for an issue in the form of the method's interface. v2: unchanged if TON Center's document lists it, otherwise with a prefix and a description of
 * what is accepted. v3: a violated rule unchanged; an invalid value with a prefix, what is accepted, and the number of further issues.
 */
const issueText = (api: MethodDef['api'], source: ParamSource, { text, stage, expected, others = 0 }: IssueParts): string => {
  const accepted = text + expectedText(expected)
  if (api === 'emulate') return `invalid request: ${text}`
  if (api === 'v4') return accepted
  if (api !== 'v3') return UNPREFIXED_TEXTS.has(text) ? text : PREFIX[stage][source] + accepted
  if (stage === 'validate') return text
  return `failed to decode: ${accepted}${others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'error' : 'errors'})`}`
}

/** The IssueParams of an issue. zod's own issues have none and get defaults. */
export const paramsOf = (issue: z.core.$ZodIssue): IssueParams =>
  issue.code === 'custom' && issue.params !== undefined
    ? (issue.params as unknown as IssueParams)
    : { stage: 'parse', kind: 'INVALID_PARAMS' }

/** Path of an issue: `messages[1].boc`. */
const placeOf = ({ path }: z.core.$ZodIssue): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${String(part)}`)).join('')

/** Adds the path to zod's own text, which does not contain it. */
const ownText = (issue: z.core.$ZodIssue): string => (issue.path.length === 0 ? issue.message : `${placeOf(issue)}: ${issue.message}`)

const unread = (issues: readonly z.core.$ZodIssue[]): number => issues.filter((issue) => paramsOf(issue).stage === 'parse').length

/** Converts zod's issues to a TonError with the text of the first issue. `issues` contains at most the first 10. */
const paramsError = (issues: readonly z.core.$ZodIssue[], source: ParamSource, api: MethodDef['api'] = undefined): TonError => {
  let kind: ErrorKind = 'INVALID_PARAMS'
  let message = ''
  const all: ParamIssue[] = []
  for (const [i, issue] of issues.slice(0, MAX_ISSUES).entries()) {
    const { say, stage, kind: own, expected } = paramsOf(issue)
    const param = String(issue.path[0] ?? 'params')
    const text = say === undefined ? ownText(issue) : typeof say === 'string' ? say : say(placeOf(issue) || param)
    if (i === 0) {
      kind = own
      message = own === 'INVALID_PARAMS' ? issueText(api, source, { text, stage, expected, others: unread(issues) - 1 }) : text
    }
    all.push(expected === undefined ? { param, message: text } : { param, message: text, expected })
  }
  return new TonError(kind, message, { issues: all })
}

const paramNames = (def: MethodDef): readonly string[] => Object.keys(def.params.shape)

/** Names of a method's parameters, and whether each is a list. Cached, because every call needs them. */
const parameters = new WeakMap<MethodDef, readonly (readonly [name: string, isList: boolean])[]>()
const parametersOf = (def: MethodDef): readonly (readonly [name: string, isList: boolean])[] => {
  let names = parameters.get(def)
  if (names === undefined) {
    names = Object.entries(def.params.shape).map(([name, schema]) => [name, wireOf(schema)?.['type'] === 'array'] as const)
    parameters.set(def, names)
  }
  return names
}

/** The gateway reads this query parameter, so every method accepts it. */
const API_KEY = 'api_key'

/** Names in `raw` that are not parameters of the method. The API key in a query is excepted. */
export function* unknownNames(def: MethodDef, raw: unknown, source: ParamSource): Generator<string, void> {
  if (!isRecord(raw)) return
  for (const name of Object.keys(raw)) if (!Object.hasOwn(def.params.shape, name) && !(source === 'query' && name === API_KEY)) yield name
}

/** Unknown names are ignored in a query, and in emulation methods, as in TON Center. Otherwise they are rejected. */
export const ignoresUnknown = ({ api }: MethodDef, source: ParamSource): boolean => source === 'query' || api === 'emulate'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The members of `raw` that are parameters of the method and present. null counts as absent, as does an empty text in a query, except in a list and in v3.
 * If a query repeats a single value, v3 uses the last one.
 */
const given = (def: MethodDef, raw: Readonly<Record<string, unknown>>, source: ParamSource): Record<string, unknown> => {
  const out: Record<string, unknown> = {}
  for (const [name, isList] of parametersOf(def)) {
    if (!Object.hasOwn(raw, name)) continue
    const value = raw[name]
    if (value === null || value === undefined) continue
    if (source === 'query' && value === '' && !isList && def.api !== 'v3') continue
    out[name] = source === 'query' && def.api === 'v3' && !isList && Array.isArray(value) ? value.at(-1) : value
  }
  if (source === 'query') for (const [winner, loser] of Object.entries(def.hides ?? {})) if (winner in out) delete out[loser]
  return out
}

/**
 * Parses raw params into the form that the handler receives. Absent params count as an empty object. Throws TonError: INVALID_PARAMS, or the kind that a
 * field specifies. The transport handles JSON-RPC's `[]` and scalars, because only the dialect of /api/v2/jsonRPC accepts them.
 */
export const parseParams = (def: MethodDef, raw: unknown, source: ParamSource): unknown => {
  if (raw !== undefined && raw !== null && !isRecord(raw)) throw new TonError('INVALID_PARAMS', 'params must contain an object')
  const record = raw ?? {}
  const parsed = def.params.safeParse(given(def, record, source))
  if (!parsed.success) throw withUnknown(paramsError(parsed.error.issues, source, def.api), unknownIssue(def, record, source), def)
  // Rejects `proofs` even where unknown names are ignored. Otherwise a client could take an unproven answer for a proven one.
  if (def.api === 'v3' && !('proofs' in def.params.shape) && asksForProofs(record)) throw unknownParam(NO_PROOFS, def)
  if (!ignoresUnknown(def, source)) {
    const unknown = unknownIssue(def, record, source)
    if (unknown !== undefined) throw unknownParam(unknown, def)
  }
  return parsed.data
}

/** The issue about the first unknown name, cut to 100 characters; undefined if there is none. */
const unknownIssue = (def: MethodDef, raw: unknown, source: ParamSource): Required<ParamIssue> | undefined => {
  const [name] = unknownNames(def, raw, source)
  if (name === undefined) return undefined
  const param = name.length > 100 ? `${name.slice(0, 100)}...` : name
  const names = paramNames(def)
  return { param, message: `unknown parameter '${param}'`, expected: names.length === 0 ? 'no parameters' : names.join(', ') }
}

/** Adds the first unknown name to the error, because a misspelt name is often why a required parameter is missing. Emulation methods ignore unknown names. */
const withUnknown = (error: TonError, unknown: Required<ParamIssue> | undefined, { api }: MethodDef): TonError => {
  if (unknown === undefined || api === 'emulate') return error
  const issues = [...(error.issues ?? []).slice(0, MAX_ISSUES - 1), unknown]
  return new TonError(error.kind, `${error.message}; ${unknown.message}${expectedText(unknown.expected)}`, { issues })
}

const NO_PROOFS: Required<ParamIssue> = { param: 'proofs', message: 'this method has no proofs', expected: 'no parameter proofs' }

const unknownParam = (issue: Required<ParamIssue>, { api }: MethodDef): TonError => {
  const text = issueText(api, 'body', { text: issue.message, stage: 'parse', expected: issue.expected })
  return new TonError('INVALID_PARAMS', text, { issues: [issue] })
}
