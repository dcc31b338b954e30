import { entriesByName } from '../../../shared/entries.ts'
import { TonError } from '../../../shared/errors.ts'
import { chargeUndispatched } from '../../dispatch/charge.ts'
import { dialectForm, errorReply, sendError, sendJson, sendNotAllowed, sendOutcome, strictForm } from '../answer-forms.ts'
import { type ReadBody, turnAfterParsing } from '../body.ts'
import type { Context } from '../context.ts'
import { allowPieces } from '../open-request.ts'
import type { Parts } from '../parts.ts'
import { outcomeOf, type Rpc } from './json-rpc.ts'
import { jsonFault, parseError, parseRequests } from './request-text.ts'

const NAME = 64

const requestNameOf = (value: unknown): string => {
  if (Array.isArray(value)) return `${value.length} calls`
  const method = (value as { method?: unknown } | null)?.method
  return typeof method === 'string' ? method.slice(0, NAME) : 'no call'
}

type EndpointDeps = Pick<Parts, 'rpc' | 'methods' | 'readBody'>

/** Reads a request or a batch from the body. A body that is not JSON costs one call. */
const readRequests = async (ctx: Context, readBody: ReadBody): Promise<{ readonly value: unknown } | { readonly fault: unknown }> => {
  const text = await readBody(ctx)
  try {
    const value = parseRequests(text)
    ctx.state.requestName = requestNameOf(value)
    await turnAfterParsing(text)
    return { value }
  } catch (fault) {
    await chargeUndispatched(ctx.state.call)
    return { fault }
  }
}

const sendNothing = (ctx: Context): void => {
  ctx.status = 204
}

/** Returns whether a value is a single request with an id. A notification gets no answer, so pieces must not be sent for it. */
const hasId = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { readonly id?: unknown }).id !== undefined

/** POST /jsonRPC: strict JSON-RPC 2.0. A request that is refused as a whole gets the HTTP status of its error. */
export const createStrict = ({ rpc, readBody }: EndpointDeps) => {
  const answerSingle = async (ctx: Context, value: unknown): Promise<void> => {
    if (hasId(value)) allowPieces(ctx)
    const answered = await rpc.answer(value, ctx.state.call)
    const { response, error } = answered
    if (response !== null) await sendOutcome(ctx, outcomeOf(answered), strictForm(response.id, true))
    else if (error?.kind === 'RATE_LIMITED') sendError(ctx, error)
    else sendNothing(ctx)
  }
  return async (ctx: Context): Promise<void> => {
    if (ctx.req.method !== 'POST') return sendNotAllowed(ctx, 'POST', `method ${ctx.method} is not supported`)
    const read = await readRequests(ctx, readBody)
    if ('fault' in read) return sendJson(ctx, 200, errorReply(parseError(read.fault)))
    const { value } = read
    if (Array.isArray(value) && value.length > 0) return sendBatch(ctx, rpc, value)
    await answerSingle(ctx, value)
  }
}

const sendBatch = async (ctx: Context, rpc: Rpc, requests: readonly unknown[]): Promise<void> => {
  // The error of a whole batch is strict JSON-RPC, also at the endpoint of TON Center's dialect.
  ctx.state.form = 'rpc'
  const text = await rpc.receive(requests, ctx.state.call)
  if (text === undefined) sendNothing(ctx)
  else sendJson(ctx, 200, text)
}

/**
 * POST /api/v2/jsonRPC. A single object is answered in TON Center's dialect: the request needs neither `jsonrpc` nor an id, and the answer has additional
 * members for JSON-RPC clients. TON Center does not support arrays, so these are answered as strict 2.0.
 */
export const createDialect = ({ rpc, methods, readBody }: EndpointDeps) => {
  const entries = entriesByName(methods)
  const refuse = (ctx: Context, text: string, id?: unknown): Promise<void> | void =>
    sendOutcome(ctx, { ok: false, error: new TonError('INVALID_PARAMS', text) }, dialectForm(ctx.state.started, undefined, id))

  const answerSingle = async (ctx: Context, request: { id?: unknown; method?: unknown; params?: unknown }): Promise<void> => {
    const { id, method, params } = request
    const { call, started } = ctx.state
    const isPositional = Array.isArray(params) && params.length > 0
    if (typeof method !== 'string' || isPositional) {
      await chargeUndispatched(call)
      return refuse(ctx, isPositional && typeof method === 'string' ? 'params must contain an object' : NO_METHOD, id)
    }
    allowPieces(ctx)
    const object = typeof params === 'object' && params !== null ? params : {}
    const answered = await rpc.answer({ jsonrpc: '2.0', id: 0, method, params: object }, call)
    await sendOutcome(ctx, outcomeOf(answered), dialectForm(started, entries.get(method)?.def, id))
  }
  return async (ctx: Context): Promise<void> => {
    if (ctx.req.method !== 'POST') return sendNotAllowed(ctx, 'POST', `method ${ctx.method} is not supported`)
    const read = await readRequests(ctx, readBody)
    if ('fault' in read) return refuse(ctx, `failed to parse post request: ${jsonFault(read.fault)}`)
    const { value } = read
    if (Array.isArray(value)) return sendBatch(ctx, rpc, value)
    if (typeof value === 'object' && value !== null) return answerSingle(ctx, value)
    await chargeUndispatched(ctx.state.call)
    refuse(ctx, 'failed to parse post request: an object is expected')
  }
}

const NO_METHOD = 'failed to parse post request: method must be a string'

/** Path of JSON-RPC in TON Center's dialect. */
export const DIALECT = '/api/v2/jsonRPC'
