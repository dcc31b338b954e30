import { type JSONRPCRequest, type JSONRPCResponse, JSONRPCServer } from 'json-rpc-2.0'
import { entriesByName } from '../../../shared/entries.ts'
import { TonError } from '../../../shared/errors.ts'
import type { Call } from '../../base/call.ts'
import { createPauses } from '../../base/yield.ts'
import { chargeUndispatched } from '../../dispatch/charge.ts'
import { toTonError } from '../../dispatch/failure.ts'
import type { Outcome } from '../../dispatch/types.ts'
import { errorReply, errorResponse, responseText } from '../answer-forms.ts'
import type { HttpDeps } from '../http.ts'
import { LIMITS } from '../limits.ts'
import { type Id, isId } from './request-text.ts'

/*
 * JSON-RPC over any transport: takes parsed requests, returns outcomes or texts. JSONRPCServer of json-rpc-2.0 finds the method of a request, runs it and
 * creates the response. Before that, invalid requests and positional parameters are refused and charged one call, because the library would answer them for
 * free. Batches are split, because the library runs all items at once, fails on null, and answers a batch of one item without an array.
 */

/** Context that json-rpc-2.0 passes to each method. `error` is the thrown TonError, which has more than a JSON-RPC response can express. */
interface Item {
  readonly call: Call
  error?: TonError
}

export interface Answered {
  /** null for a notification, which gets no response. The result is an Outcome, whose JSON is already text. */
  readonly response: JSONRPCResponse | null
  readonly error: TonError | undefined
}

export const outcomeOf = ({ response, error }: Answered): Outcome => (error ? { ok: false, error } : (response!.result as Outcome))

const POSITIONAL = new TonError('INVALID_PARAMS', 'params must contain an object')

/** Why a value is not a request; undefined if it is one. isJSONRPCRequest of the library checks only `jsonrpc: "2.0"` and that there is a method. */
const faultOf = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a call must be an object'
  const { jsonrpc, id, method, params, result, error } = value as Readonly<Record<string, unknown>>
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0"'
  if (typeof method !== 'string') return 'method must be a string'
  if (id !== undefined && !isId(id)) return 'id must be a string, a number or null'
  if (params !== undefined && typeof params !== 'object') return 'params must be an object'
  return result !== undefined || error !== undefined ? 'a call has no result and no error' : undefined
}

/** Id for the response. An invalid request gets its own id if that is valid, otherwise null. undefined for a notification. */
const idOf = (value: unknown): Id | undefined => {
  if (typeof value !== 'object' || value === null) return null
  const { id } = value as { id?: unknown }
  return id === undefined ? undefined : isId(id) ? id : null
}

const FULL = new TonError('TOO_LARGE', `left out: the answers of this batch are over ${LIMITS.batchBytes} bytes`)
const CROWDED = new TonError('UNAVAILABLE', 'left out: the answers of all running batches are too large at the moment', { retryAfter: 1 })
const LATE = new TonError('SOURCE_TIMEOUT', `left out: this batch took over ${LIMITS.batchTime} ms`)
/** Approximate length (bytes) of the shortest answer. */
const LEAST_ANSWER = 64

const createServer = ({ dispatch, methods }: RpcDeps): JSONRPCServer<Item> => {
  const resultOf = (outcome: Outcome, item: Item): Outcome => {
    if (outcome.ok) return outcome
    item.error = outcome.error
    throw outcome.error
  }
  const run = (name: string, params: unknown, item: Item): Promise<Outcome> | Outcome => {
    // A list that is not empty has been refused.
    const outcome = dispatch(name, Array.isArray(params) ? {} : (params ?? {}), item.call)
    return outcome instanceof Promise ? outcome.then((made) => resultOf(made, item)) : resultOf(outcome, item)
  }
  // By default the library prints every error.
  const server = new JSONRPCServer<Item>({ errorListener: () => {} })
  for (const name of entriesByName(methods).keys()) server.addMethod(name, (params, item) => run(name, params, item))
  // Dispatch handles unknown methods, because it counts these calls and suggests a similar name.
  server.handleMethodNotFound = async ({ method, params }, item) => run(method, params, item as Item) as never
  server.mapErrorToJSONRPCErrorResponse = errorResponse
  return server
}

type RpcDeps = Pick<HttpDeps, 'dispatch' | 'methods'> & { readonly batchesBytes?: number }

export type Rpc = ReturnType<typeof createRpc>

export const createRpc = ({ dispatch, methods, batchesBytes = LIMITS.batchesBytes }: RpcDeps) => {
  const server = createServer({ dispatch, methods })
  let ofAll = 0

  const refuse = async (id: Id | undefined, why: TonError, item: Item): Promise<JSONRPCResponse | null> => {
    item.error = await chargeUndispatched(item.call).then(
      () => why,
      (refused: unknown) => toTonError(refused, item.call),
    )
    return id === undefined ? null : errorResponse(id, item.error)
  }
  const invalid = (id: Id, why: string, item: Item): Promise<JSONRPCResponse | null> =>
    refuse(id, new TonError('INVALID_REQUEST', `Invalid Request: ${why}`), item)
  const respond = (value: unknown, item: Item): PromiseLike<JSONRPCResponse | null> => {
    const fault = faultOf(value)
    if (fault !== undefined) return invalid(idOf(value) ?? null, fault, item)
    const request = value as JSONRPCRequest
    const isPositional = Array.isArray(request.params) && request.params.length > 0
    return isPositional ? refuse(idOf(request), POSITIONAL, item) : server.receive(request, item)
  }
  const answer = async (value: unknown, call: Call): Promise<Answered> => {
    const item: Item = { call }
    const isEmpty = Array.isArray(value) && value.length === 0
    const response = await (isEmpty ? invalid(null, 'the batch is empty', item) : respond(value, item))
    return { response, error: item.error }
  }
  const textOf = (response: JSONRPCResponse | null, isSingle: boolean): string | undefined =>
    response === null ? undefined : responseText(response, isSingle)

  /** Answers from the caches wait for nothing, so without pauses a batch of them would block the event loop. */
  const pause = createPauses()

  /** Runs at most LIMITS.batchLanes items at once. Answers are in the order of the requests. A failed item does not affect the others. */
  const answerBatch = async (requests: readonly unknown[], call: Call): Promise<string | undefined> => {
    const replies: (string | undefined)[] = new Array(requests.length)
    const end = performance.now() + LIMITS.batchTime
    let next = 0
    let own = 0
    let room: number = LIMITS.batchBytes
    const leftOut = (request: unknown, error: TonError): string | undefined => {
      const id = idOf(request)
      return id === undefined ? undefined : errorReply(error, id)
    }
    /** Why an item is not run any more. */
    const limit = (): TonError | undefined => (room <= LEAST_ANSWER ? FULL : performance.now() > end ? LATE : undefined)
    const lane = async (): Promise<void> => {
      while (next < requests.length && !call.signal.aborted) {
        const i = next++
        // Before the item, because all lanes begin in the same turn.
        const paused = pause()
        if (paused !== undefined) await paused
        const reached = limit()
        const response = reached === undefined ? await respond(requests[i], { call }) : null
        // Many batches may get the answer of one run in the same turn.
        const waited = pause()
        if (waited !== undefined) await waited
        const reply = reached ? leftOut(requests[i], reached) : textOf(response, false)
        const taken = reply === undefined ? 0 : Buffer.byteLength(reply) + 1
        const isCrowded = taken > LEAST_ANSWER && ofAll + taken > batchesBytes
        const fits = taken <= room && !isCrowded
        replies[i] = fits ? reply : leftOut(requests[i], isCrowded ? CROWDED : FULL)
        if (fits) {
          room -= taken
          own += taken
          ofAll += taken
        }
      }
    }
    try {
      await Promise.all(Array.from({ length: Math.min(LIMITS.batchLanes, requests.length) }, lane))
    } finally {
      ofAll -= own
    }
    const texts = replies.filter((reply) => reply !== undefined)
    return texts.length > 0 ? `[${texts.join(',')}]` : undefined
  }

  return {
    /** Answers one request. The JSON of the result may follow in pieces, if the call supports them. */
    answer,
    batchBytes: (): number => ofAll,
    /** Answers a request or a batch as text; undefined if it contains only notifications. Rejects with TonError for a batch that is refused as a whole. */
    async receive(value: unknown, call: Call): Promise<string | undefined> {
      if (!Array.isArray(value) || value.length === 0) return textOf((await answer(value, call)).response, true)
      if (value.length <= LIMITS.batchItems) return answerBatch(value, call)
      await chargeUndispatched(call)
      throw new TonError('TOO_LARGE', `a batch of ${value.length} items is over the limit of ${LIMITS.batchItems}`)
    },
  }
}
