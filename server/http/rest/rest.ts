import { type Entry, listEntries } from '../../../shared/entries.ts'
import { TonError } from '../../../shared/errors.ts'
import { OVERRIDE_HEADERS } from '../../../shared/fields/v3/overrides.ts'
import { parseJson } from '../../../shared/json.ts'
import type { MethodDef } from '../../../shared/method.ts'
import { type ParamSource, unknownNames } from '../../../shared/params.ts'
import type { Dispatch, Outcome } from '../../dispatch/types.ts'
import { type Around, sendPieces, takePieces } from '../answer/in-pieces.ts'
import { errorHeaders, sendError, sendHeaders, sendJson, sendNotAllowed } from '../answer/send.ts'
import { bodyText, readBody } from '../body.ts'
import type { Context } from '../context.ts'
import { errorEnvelope, statusOf } from '../error-text.ts'
import { elapsed, extraOf } from '../extra.ts'
import { chargeUndispatched } from '../undispatched.ts'
import { readQuery, unknownHeader, withoutBrackets } from './query.ts'

/** One path of the REST mirror. */
export interface RestRoute extends Entry {
  /** Value of Allow. */
  readonly allow: string
  /** For `@extra`: `0` if its answers come from the chain, otherwise `_`. */
  readonly source: '0' | '_'
}

/** Every path of the mirror, aliases included. */
export const restRoutes = (methods: Readonly<Record<string, MethodDef>>): ReadonlyMap<string, RestRoute> =>
  new Map(
    listEntries(methods).flatMap((entry) => {
      const allow = entry.verbs.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])).join(', ')
      const route: RestRoute = { ...entry, allow, source: sourceOf(entry.def) }
      return [...entry.paths.keys()].map((path) => [path, route] as const)
    }),
  )

/** For `@extra`: `_` if the method is unknown or needs no source, otherwise `0`. */
export const sourceOf = (def: MethodDef | undefined): '0' | '_' => (def === undefined || def.needs === 'nothing' ? '_' : '0')

/** Errors found before the chain was asked have no lite-server in their `@extra`. */
export const sourceOfError = (error: TonError, source: '0' | '_'): '0' | '_' =>
  error.kind === 'CHAIN' || error.kind === 'CHAIN_400' || error.kind === 'NOT_FOUND' || error.kind === 'NOT_A_TOKEN' ? source : '_'

const postParams = async (ctx: Context, { def }: RestRoute): Promise<unknown> => {
  const text = bodyText(await readBody(ctx))
  // v2.md 8, 22: a method without parameters may be called without a body.
  if (text.trim() === '') return {}
  const fail = (detail: string): never => {
    if (def.api === 'emulate') throw new TonError('INVALID_REQUEST', `invalid request: ${detail}`)
    throw new TonError('INVALID_PARAMS', `failed to parse post request: ${detail}`)
  }
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    await chargeUndispatched(ctx.state.call)
    return fail(error instanceof Error ? error.message : 'not JSON')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return def.api === 'emulate' ? { ...headerParams(ctx, def, value), ...value } : value
  await chargeUndispatched(ctx.state.call)
  return fail('an object is expected')
}

/** Parameters of a v3 query. Headers give parameters that the query lacks. */
const v3Params = (ctx: Context, { def }: RestRoute): ReturnType<typeof readQuery> => {
  const raw = withoutBrackets(readQuery(ctx.querystring))
  const found = headerParams(ctx, def, raw)
  return found ? { ...raw, ...found } : raw
}

const OVERRIDES = Object.entries(OVERRIDE_HEADERS)

/** Parameters that headers give and the request lacks; undefined if there are none. */
const headerParams = ({ req: { headers } }: Context, def: MethodDef, raw: object): Record<string, string> | undefined => {
  let found: Record<string, string> | undefined
  for (const [header, name] of OVERRIDES) {
    const value = headers[header]
    if (typeof value !== 'string' || !(name in def.params.shape) || name in raw) continue
    found ??= {}
    found[name] = value
  }
  return found
}

const queryParams = (ctx: Context, route: RestRoute): unknown => {
  const raw = route.def.api === 'v3' ? v3Params(ctx, route) : readQuery(ctx.querystring)
  const unknown = unknownNames(route.def, raw, 'query')
  if (unknown.length > 0) {
    const names = unknownHeader(unknown)
    ctx.state.headers.push('X-Unknown-Params', names)
    ctx.state.call.log.info('query.unknown', { method: route.name, names })
  }
  return raw
}

const sendOutcome = (ctx: Context, outcome: Outcome, route: RestRoute): void | Promise<void> => {
  const { started, headers } = ctx.state
  if (outcome.ok && outcome.headers) sendHeaders(ctx, outcome.headers)
  if (route.def.api !== undefined) {
    // v3.md 1.3
    headers.push('Server-Timing', `app;dur=${elapsed(started)}`)
    if (outcome.ok) return sendPieces(ctx, outcome, BARE)
    sendError(ctx, route.def.api === 'emulate' ? asBadRequest(outcome.error) : outcome.error)
    return
  }
  if (outcome.ok) {
    const after = (): string => `,"@extra":"${extraOf(started, route.source, outcome.cached)}"}`
    return sendPieces(ctx, outcome, { before: '{"ok":true,"result":', after })
  }
  const { error } = outcome
  errorHeaders(ctx, error)
  sendJson(ctx, statusOf(error), errorEnvelope(error, extraOf(started, sourceOfError(error, route.source), false)))
}

/** TON Center's emulation answers 400 for parameters that it cannot take, which elsewhere is 422. */
const asBadRequest = (error: TonError): TonError =>
  error.kind === 'INVALID_PARAMS' ? new TonError('INVALID_REQUEST', error.message, { cause: error, issues: error.issues }) : error

const BARE: Around = { before: '', after: () => '' }

/** The REST mirror of v2 (in an envelope) and of v3 (bare): GET (and HEAD) with a query, POST with a JSON object. */
export const createRest =
  (dispatch: Dispatch) =>
  (ctx: Context, route: RestRoute): void | Promise<void> => {
    const verb = ctx.method === 'HEAD' ? 'GET' : ctx.method
    if (!(route.verbs as readonly string[]).includes(verb))
      return sendNotAllowed(ctx, route.allow, `unsupported http method: ${ctx.method}`)
    takePieces(ctx)
    const serve = (raw: unknown, source: ParamSource): void | Promise<void> => {
      const outcome = dispatch(route.name, raw, ctx.state.call, source)
      // A kept answer is sent at once.
      return outcome instanceof Promise ? outcome.then((made) => sendOutcome(ctx, made, route)) : sendOutcome(ctx, outcome, route)
    }
    return verb === 'GET' ? serve(queryParams(ctx, route), 'query') : postParams(ctx, route).then((raw) => serve(raw, 'body'))
  }
