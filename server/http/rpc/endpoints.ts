import { entriesByName } from '../../../shared/entries.ts'
import { TonError } from '../../../shared/errors.ts'
import { chargeUndispatched } from '../../dispatch/charge.ts'
import { dialectForm, errorReply, sendError, sendInTurns, sendJson, sendNotAllowed, sendOutcome, strictForm } from '../answer-forms.ts'
import type { Context } from '../context.ts'
import { allowPieces } from '../open-request.ts'
import type { Parts } from '../parts.ts'
import { outcomeOf, type Rpc } from './json-rpc.ts'
import { parseCharged, parseRequests } from './request-text.ts'

/** Maximum characters of a method's name in the access log. */
export const MAX_NAME = 64

export const requestNameOf = (value: unknown): string => {
  if (Array.isArray(value)) return `${value.length} calls`
  const method = (value as { method?: unknown } | null)?.method
  return typeof method === 'string' ? method.slice(0, MAX_NAME) : 'no call'
}

type EndpointDeps = Pick<Parts, 'rpc' | 'methods' | 'readBody'>

const sendNothing = (ctx: Context): void => {
  ctx.status = 204
}

const sendBatch = async (ctx: Context, rpc: Rpc, requests: readonly unknown[]): Promise<void> => {
  // The error of a whole batch is strict JSON-RPC, also at the endpoint of TON Center's dialect.
  ctx.state.form = 'rpc'
  const text = await rpc.receive(requests, ctx.state.call)
  if (text === undefined) sendNothing(ctx)
  else await sendInTurns(ctx, [text])
}

/** Reads requests from bodies, and answers batches. `refuse` answers a body that is not JSON, `single` any value but a batch. */
const createEndpoint =
  (
    { rpc, readBody }: EndpointDeps,
    refuse: (ctx: Context, error: TonError) => Promise<void> | void,
    single: (ctx: Context, value: unknown) => Promise<void> | void,
  ) =>
  async (ctx: Context): Promise<void> => {
    if (ctx.req.method !== 'POST') return sendNotAllowed(ctx, 'POST', `method ${ctx.method} is not supported`)
    const text = await readBody(ctx)
    let value: unknown
    try {
      value = await parseCharged(text, ctx.state.call, (text) => {
        const requests = parseRequests(text)
        ctx.state.requestName = requestNameOf(requests)
        return requests
      })
    } catch (error) {
      if (error instanceof TonError && error.kind === 'PARSE') return refuse(ctx, error)
      throw error
    }
    await (Array.isArray(value) && value.length > 0 ? sendBatch(ctx, rpc, value) : single(ctx, value))
  }

/** Returns whether a value is a single request with an id. A notification gets no answer, so pieces must not be sent for it. */
const hasId = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { readonly id?: unknown }).id !== undefined

/** POST /jsonRPC: strict JSON-RPC 2.0. A request that is refused as a whole gets the HTTP status of its error. */
export const createStrict = (deps: EndpointDeps) =>
  createEndpoint(
    deps,
    (ctx, error) => sendJson(ctx, 200, errorReply(error)),
    async (ctx, value) => {
      if (hasId(value)) allowPieces(ctx)
      const answered = await deps.rpc.answer(value, ctx.state.call)
      const { response, error } = answered
      if (response !== null) await sendOutcome(ctx, outcomeOf(answered), strictForm(response.id, true))
      else if (error?.kind === 'RATE_LIMITED') sendError(ctx, error)
      else sendNothing(ctx)
    },
  )

/**
 * POST /api/v2/jsonRPC. A single object is answered in TON Center's dialect: the request needs neither `jsonrpc` nor an id, and the answer has additional
 * members for JSON-RPC clients. TON Center does not support arrays, so these are answered as strict 2.0.
 */
export const createDialect = (deps: EndpointDeps) => {
  const { rpc } = deps
  const entries = entriesByName(deps.methods)
  const refuse = (ctx: Context, text: string, id?: unknown): Promise<void> | void =>
    sendOutcome(ctx, { ok: false, error: new TonError('INVALID_PARAMS', text) }, dialectForm(ctx.state.started, undefined, id))

  return createEndpoint(
    deps,
    (ctx, { issues }) => refuse(ctx, `failed to parse post request: ${issues![0]!.message}`),
    async (ctx, value) => {
      const { call, started } = ctx.state
      if (Array.isArray(value)) return sendBatch(ctx, rpc, value)
      const isObject = typeof value === 'object' && value !== null
      const { id, method, params } = (isObject ? value : {}) as { id?: unknown; method?: unknown; params?: unknown }
      const isPositional = Array.isArray(params) && params.length > 0
      if (typeof method !== 'string' || isPositional) {
        await chargeUndispatched(call)
        if (!isObject) return refuse(ctx, 'failed to parse post request: an object is expected')
        return refuse(ctx, isPositional && typeof method === 'string' ? 'params must contain an object' : NO_METHOD, id)
      }
      allowPieces(ctx)
      const object = typeof params === 'object' && params !== null ? params : {}
      const answered = await rpc.answer({ jsonrpc: '2.0', id: 0, method, params: object }, call)
      await sendOutcome(ctx, outcomeOf(answered), dialectForm(started, entries.get(method)?.def, id))
    },
  )
}

const NO_METHOD = 'failed to parse post request: method must be a string'

/** Path of JSON-RPC in TON Center's dialect. */
export const DIALECT = '/api/v2/jsonRPC'
