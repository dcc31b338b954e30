import { type Entry, listEntries } from '../../../shared/entries.ts'
import { TonError } from '../../../shared/errors.ts'
import { OVERRIDE_HEADERS } from '../../../shared/fields/v3/request-settings.ts'
import { parseJson } from '../../../shared/json.ts'
import type { MethodDef } from '../../../shared/method.ts'
import { unknownNames } from '../../../shared/params.ts'
import { sendNotAllowed, sendOutcome, serverTiming, v2Form, v3Form } from '../answer-forms.ts'
import type { ReadBody } from '../body.ts'
import type { Context } from '../context.ts'
import { allowPieces } from '../open-request.ts'
import type { Parts } from '../parts.ts'
import { parseCharged } from '../rpc/request-text.ts'
import { readQuery, unknownHeader, withoutBrackets } from './query.ts'

/* REST interface of v2 (in an envelope), v3 and v4 (without an envelope): GET (and HEAD) with a query, POST with a JSON object. */

export const restRoutes = (methods: Readonly<Record<string, MethodDef>>): ReadonlyMap<string, Entry> =>
  new Map(listEntries(methods).flatMap((entry) => [...entry.paths.keys()].map((path) => [path, entry] as const)))

/** The object in a body. A POST without a body is a call without parameters, unless its parameters are in the wrong place. */
const parseBody = (text: string, { querystring }: Context, def: MethodDef): object => {
  const fail = (detail: string): never => {
    if (def.api === 'emulate') throw new TonError('INVALID_REQUEST', `invalid request: ${detail}`)
    throw new TonError('INVALID_PARAMS', `failed to parse post request: ${detail}`)
  }
  if (text.trim() === '') {
    const misplaced = Object.keys(readQuery(querystring)).filter((name) => Object.hasOwn(def.params.shape, name))
    if (misplaced.length === 0) return {}
    return fail(`the body is empty (expected a JSON object with ${misplaced.join(', ')} in the body, not in the query)`)
  }
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    return fail((error as Error).message)
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : fail('an object is expected')
}

const postParams = async (ctx: Context, { def }: Entry, readBody: ReadBody): Promise<unknown> => {
  const value = await parseCharged(await readBody(ctx), ctx.state.call, (text) => parseBody(text, ctx, def))
  return def.api === 'emulate' ? Object.assign(value, headerParams(ctx, def, value)) : value
}

const OVERRIDES = Object.entries(OVERRIDE_HEADERS)

const headerParams = ({ req: { headers } }: Context, def: MethodDef, raw: object): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const [header, name] of OVERRIDES) {
    const value = headers[header]
    if (typeof value === 'string' && name in def.params.shape && !(name in raw)) found[name] = value
  }
  return found
}

/** Parameters of a v3 request. The query takes precedence over headers. */
const v3Params = (ctx: Context, def: MethodDef): ReturnType<typeof readQuery> => {
  const raw = withoutBrackets(readQuery(ctx.querystring))
  const found = headerParams(ctx, def, raw)
  return Object.keys(found).length === 0 ? raw : { ...raw, ...found }
}

const queryParams = (ctx: Context, { name, def }: Entry): unknown => {
  const raw = def.api === 'v3' ? v3Params(ctx, def) : readQuery(ctx.querystring)
  const { params: inPath = {} } = ctx as { readonly params?: Readonly<Record<string, string>> }
  const unknown = ctx.querystring === '' ? [] : [...unknownNames(def, raw, 'query')]
  if (unknown.length > 0) {
    const names = unknownHeader(unknown)
    ctx.set('X-Unknown-Params', names)
    ctx.state.call.log.info('query.unknown', { method: name, names })
  }
  return def.paths === undefined ? raw : { ...raw, ...inPath }
}

export const createMirror =
  ({ dispatch, readBody }: Pick<Parts, 'dispatch' | 'readBody'>) =>
  async (ctx: Context, entry: Entry): Promise<void> => {
    const { name, def, verbs } = entry
    const { method } = ctx.req
    const verb = method === 'HEAD' ? 'GET' : method
    if (!verbs.some((each) => each === verb)) {
      const allow = verbs.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ')
      return sendNotAllowed(ctx, allow, `unsupported http method: ${method}`)
    }
    allowPieces(ctx)
    const { call, started } = ctx.state
    const outcome =
      verb === 'GET'
        ? await dispatch(name, queryParams(ctx, entry), call, 'query')
        : await dispatch(name, await postParams(ctx, entry, readBody), call, 'body')
    if (def.api === undefined) return sendOutcome(ctx, outcome, v2Form(started, def))
    ctx.set('Server-Timing', serverTiming(started))
    return sendOutcome(ctx, outcome, v3Form(def))
  }

/**
 * The paths that contain parameters, in the order of their routes: in a descending sort a fixed segment comes before a parameter in the same position (`:`
 * sorts before letters), so that the parameter does not match first.
 */
export const pathsWithParams = (rest: ReadonlyMap<string, Entry>): readonly (readonly [path: string, entry: Entry])[] =>
  [...rest].filter(([, { def }]) => def.paths !== undefined).sort(([a], [b]) => (a < b ? 1 : -1))
