import type { Entry } from '../../../shared/entries.ts'
import { TonError } from '../../../shared/errors.ts'
import type { TextSource } from '../../base/pieces.ts'
import type { Dispatch, Outcome } from '../../dispatch/types.ts'
import { sendPieces, takePieces } from '../answer/in-pieces.ts'
import { sendRest } from '../answer/long.ts'
import { errorHeaders, sendHeaders, sendJson, sendNotAllowed, sendNothing } from '../answer/send.ts'
import { bodyText, readBody } from '../body.ts'
import { errorEnvelope, errorReply, statusOf } from '../error-text.ts'
import type { Exchange } from '../exchange.ts'
import { extraOf, NO_EXTRA } from '../extra.ts'
import { sourceOf, sourceOfError } from '../rest/rest.ts'
import { chargeUndispatched } from '../undispatched.ts'
import type { RpcEndpoint } from './door.ts'
import { idText, jsonFault, NumberId, parseError, parseRequests } from './request-text.ts'
import { type Heed, LAST, type Reply, type Rpc } from './rpc.ts'

/** Largest number of characters of a method name in the access log. */
const NAME = 64

/** Short description of a request, for the access log. */
const askedOf = (value: unknown): string => {
  if (Array.isArray(value)) return `${value.length} calls`
  const method = (value as { method?: unknown } | null)?.method
  return typeof method === 'string' ? method.slice(0, NAME) : 'no call'
}

/** Whether a value is a single request that expects an answer. */
const hasId = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && (value as { readonly id?: unknown }).id !== undefined

/** What `receive` tells about a single request besides its answer. */
class Told implements Heed {
  refusal: TonError | undefined = undefined
  source: TextSource | undefined = undefined
  limited(error: TonError): void {
    this.refusal = error
  }
  rest(source: TextSource): void {
    this.source = source
  }
}

/** POST /jsonRPC: strict 2.0. Status 200 even if an answer is an error; a request that is refused as a whole gets the status of its error. */
const createStrict = (rpc: Rpc): RpcEndpoint['answer'] => {
  const notJson = async (ctx: Exchange, error: unknown): Promise<void> => {
    await chargeUndispatched(ctx.state.call)
    sendJson(ctx, 200, errorReply(parseError(error)))
  }

  const send = (ctx: Exchange, text: Reply, { refusal, source }: Told): Promise<void> | void => {
    if (source) return sendRest(ctx, text!, source, () => LAST)
    // A single call over the rate limit is a refused request, with the status of that error.
    if (refusal) errorHeaders(ctx, refusal)
    if (text === undefined && refusal === undefined) sendNothing(ctx)
    else sendJson(ctx, refusal ? statusOf(refusal) : 200, text ?? errorReply(refusal!))
  }

  return (ctx, body) => {
    let value: unknown
    try {
      value = parseRequests(bodyText(body))
    } catch (error) {
      return notJson(ctx, error)
    }
    ctx.state.asked = askedOf(value)
    const told = new Told()
    // A notification gets no answer, so none may be started.
    if (hasId(value)) takePieces(ctx)
    const text = rpc.receive(value, ctx.state.call, told)
    return text instanceof Promise ? text.then((reply) => send(ctx, reply, told)) : send(ctx, text, told)
  }
}

/** Members of the dialect's reply that echo the request: only a string or a number is echoed as id (v2.md 8, 2). */
const echo = (id: unknown): string =>
  typeof id === 'string' || typeof id === 'number' || id instanceof NumberId ? `,"jsonrpc":"2.0","id":${idText(id)}` : ''

/**
 * POST /api/v2/jsonRPC: a single object is answered in TON Center's dialect (v2.md 1.6), with added members for JSON-RPC clients. An array,
 * which TON Center does not support, is answered as strict 2.0.
 */
const createDialect = (dispatch: Dispatch, rpc: Rpc, methods: ReadonlyMap<string, Entry>): RpcEndpoint['answer'] => {
  const refuse = (ctx: Exchange, error: TonError, id: unknown): void =>
    sendJson(ctx, statusOf(error), errorEnvelope(error, NO_EXTRA, echo(id)))

  const send = (ctx: Exchange, outcome: Outcome, method: string, id: unknown): Promise<void> | void => {
    const source = sourceOf(methods.get(method)?.def)
    const { started } = ctx.state
    if (outcome.ok) {
      if (outcome.headers) sendHeaders(ctx, outcome.headers)
      const after = (): string => `${echo(id)},"@extra":"${extraOf(started, source, outcome.cached)}"}`
      return sendPieces(ctx, outcome, { before: '{"ok":true,"result":', after })
    }
    const { error } = outcome
    errorHeaders(ctx, error)
    const extra = methods.has(method) ? extraOf(started, sourceOfError(error, source), false) : NO_EXTRA
    sendJson(ctx, statusOf(error), errorEnvelope(error, extra, echo(id)))
  }

  /** Refuses a request that is not dispatched. It costs one call all the same. */
  const unread = async (ctx: Exchange, text: string, id?: unknown): Promise<void> => {
    await chargeUndispatched(ctx.state.call)
    refuse(ctx, new TonError('INVALID_PARAMS', text), id)
  }

  const answer = (ctx: Exchange, request: { id?: unknown; method?: unknown; params?: unknown }): Promise<void> | void => {
    const { id, method, params } = request
    const invalid = (text: string): Promise<void> => unread(ctx, text, id)
    if (typeof method !== 'string') return invalid('failed to parse post request: method must be a string')
    if (Array.isArray(params) && params.length > 0) return invalid('params must contain an object')
    const object = typeof params === 'object' && params !== null && !Array.isArray(params) ? params : {}
    takePieces(ctx)
    const outcome = dispatch(method, object, ctx.state.call)
    return outcome instanceof Promise ? outcome.then((made) => send(ctx, made, method, id)) : send(ctx, outcome, method, id)
  }

  const answerBatch = async (ctx: Exchange, requests: readonly unknown[]): Promise<void> => {
    ctx.state.form = 'rpc'
    const replies = await rpc.receive(requests, ctx.state.call)
    if (replies === undefined) sendNothing(ctx)
    else sendJson(ctx, 200, replies)
  }

  return (ctx, body) => {
    let value: unknown
    try {
      value = parseRequests(bodyText(body))
    } catch (error) {
      return unread(ctx, `failed to parse post request: ${jsonFault(error)}`)
    }
    ctx.state.asked = askedOf(value)
    if (Array.isArray(value)) return answerBatch(ctx, value)
    if (typeof value === 'object' && value !== null) return answer(ctx, value)
    return unread(ctx, 'failed to parse post request: an object is expected')
  }
}

/** Serves an endpoint to a request that did not come by the door. */
export const serveEndpoint =
  ({ answer }: RpcEndpoint) =>
  async (ctx: Exchange): Promise<void> => {
    if (ctx.method !== 'POST') return sendNotAllowed(ctx, 'POST', `method ${ctx.method} is not supported`)
    await answer(ctx, await readBody(ctx))
  }

/** Path of JSON-RPC in TON Center's dialect. */
export const DIALECT = '/api/v2/jsonRPC'

/** The endpoints of JSON-RPC by path. The dialect's errors are envelopes until a batch is read. */
export const createEndpoints = (dispatch: Dispatch, rpc: Rpc, methods: ReadonlyMap<string, Entry>): ReadonlyMap<string, RpcEndpoint> =>
  new Map<string, RpcEndpoint>([
    ['/jsonRPC', { form: 'rpc', answer: createStrict(rpc) }],
    [DIALECT, { form: 'envelope', answer: createDialect(dispatch, rpc, methods) }],
  ])
