import { isJSONRPCID, isJSONRPCRequest, type JSONRPCRequest } from 'json-rpc-2.0'
import { TonError } from '../../../shared/errors.ts'
import type { Call } from '../../base/call.ts'
import type { TextSource } from '../../base/pieces.ts'
import { wrote } from '../../base/write-turns.ts'
import type { Dispatch, Outcome } from '../../dispatch/types.ts'
import { errorReply } from '../error-text.ts'
import { LIMITS } from '../limits.ts'
import { chargeUndispatched } from '../undispatched.ts'
import { type Id, idText, isId } from './request-text.ts'

/*
 * Strict JSON-RPC 2.0 over any transport. It takes parsed values and returns answer texts. The library json-rpc-2.0 makes the envelopes, but its
 * JSONRPCServer is not used: it answers a batch of one with an object, throws on null items, runs all items of a batch at once, and passes each
 * call through seven promises (measured: 0.8 of 1.2 us). A cached answer here needs none.
 */

/** An answer; undefined if none is to be sent. */
export type Reply = string | undefined

export interface Rpc {
  /** Answers a request or an array of requests. Rejects with TonError for a batch that is refused as a whole. */
  receive(value: unknown, call: Call, heed?: Heed): Promise<Reply> | Reply
  /** Bytes of the answers of batches that are being made. */
  batchBytes(): number
}

/** Callbacks that tell more about a single request than its answer. */
export interface Heed {
  /** Called with the bytes of the answer before it is returned. The JSON of the result is counted alone, because counting joined text would copy it. */
  size?(bytes: number): void
  /** Called if the request is over its caller's rate limit. The answer says so too. */
  limited?(error: TonError): void
  /** Called if the returned answer is only the beginning: `rest` follows it, then LAST. Only for a call with a `writer`. */
  rest?(rest: TextSource): void
}

/** Closes an answer after its result. */
export const LAST = '}'

const invalidRequest = (why: string): TonError => new TonError('INVALID_REQUEST', `Invalid Request: ${why}`)
const POSITIONAL = new TonError('INVALID_PARAMS', 'params must contain an object')

/** A request with any id. */
type Request = Omit<JSONRPCRequest, 'id'> & { readonly id?: Id }

/** The library checks only `jsonrpc: "2.0"` and that there is a method. The types of id, method and params are checked here. */
const isRequest = (value: unknown): value is Request => {
  if (typeof value !== 'object' || value === null || !isJSONRPCRequest(value)) return false
  const { id, method, params } = value
  return typeof method === 'string' && (id === undefined || isId(id)) && (params === undefined || typeof params === 'object')
}

/** Why a value is not a valid request. */
const faultOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a call must be an object'
  const { jsonrpc, id, method, params, result, error } = value as Readonly<Record<string, unknown>>
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0"'
  if (typeof method !== 'string') return 'method must be a string'
  if (id !== undefined && !isJSONRPCID(id)) return 'id must be a string, a number or null'
  if (params !== undefined && typeof params !== 'object') return 'params must be an object'
  return result !== undefined || error !== undefined ? 'a call has no result and no error' : 'not a call'
}

/** The id to answer with. An invalid request also gets its own id back, if it has a valid one. undefined for a notification. */
const idOf = (value: unknown): Id | undefined => {
  if (typeof value !== 'object' || value === null) return null
  const { id } = value as { id?: unknown }
  return id === undefined ? undefined : isId(id) ? id : null
}

/** `lone`: not part of a batch. A success then also has `ok: true`, which TonClient looks for. The result is JSON text and is inserted unchanged. */
const textOf = (id: Id | undefined, outcome: Outcome, lone: boolean): Reply => {
  if (id === undefined) return undefined
  if (!outcome.ok) return errorReply(outcome.error, id)
  const last = outcome.rest === undefined ? LAST : ''
  return `{${lone ? '"ok":true,' : ''}"jsonrpc":"2.0","id":${typeof id === 'number' ? id : idText(id)},"result":${outcome.json}${last}`
}

/** Most UTF-8 bytes of one UTF-16 code unit. */
const WIDEST = 3

/** The last text that was counted. A batch often asks for the same document again. */
const NOTHING = { json: '', bytes: 0 } as const
let counted: { readonly json: string; readonly bytes: number } = NOTHING

const bytesOfJson = (json: string): number => {
  if (json !== counted.json) counted = { json, bytes: Buffer.byteLength(json) }
  return counted.bytes
}

/** Bytes of an answer, or a little more: its JSON is counted, the text around it is taken at its widest. */
const bytesOf = (text: string, outcome: Outcome): number =>
  outcome.ok ? bytesOfJson(outcome.json) + WIDEST * (text.length - outcome.json.length) : Buffer.byteLength(text)

const FULL = new TonError('TOO_LARGE', `left out: the answers of this batch are over ${LIMITS.batchBytes} bytes`)
const CROWDED = new TonError('UNAVAILABLE', 'left out: the answers of all running batches are too large at the moment', { retryAfter: 1 })
const LATE = new TonError('SOURCE_TIMEOUT', `left out: this batch took over ${LIMITS.batchTime} ms`)
/** Approximate bytes of the shortest answer. */
const LEAST_ANSWER = 64

/** `batchesBytes`: most bytes that the answers of all running batches may have. */
export const createRpc = (dispatch: Dispatch, batchesBytes: number = LIMITS.batchesBytes): Rpc => {
  let ofAll = 0
  /** Refuses a request that is not dispatched. It costs one call all the same. Resolves with undefined for a notification. */
  const unread = async (id: Id | undefined, error: TonError, call: Call, heed?: Heed): Promise<Reply> => {
    const answered = await chargeUndispatched(call).then(
      () => error,
      (refused: unknown) => {
        if (!(refused instanceof TonError)) throw refused
        if (refused.kind === 'RATE_LIMITED') heed?.limited?.(refused)
        return refused
      },
    )
    return id === undefined ? undefined : errorReply(answered, id)
  }

  const answer = (value: unknown, call: Call, lone: boolean, heed?: Heed): Promise<Reply> | Reply => {
    if (!isRequest(value)) return unread(idOf(value) ?? null, invalidRequest(faultOf(value)), call, heed)
    const { id, params } = value
    if (Array.isArray(params) && params.length > 0) return unread(id, POSITIONAL, call, heed)
    const outcome = dispatch(value.method, params && !Array.isArray(params) ? params : {}, call)
    const reply = (answered: Outcome): Reply => {
      if (answered.ok) {
        if (answered.rest) heed?.rest?.(answered.rest)
      } else if (answered.error.kind === 'RATE_LIMITED') heed?.limited?.(answered.error)
      const text = textOf(id, answered, lone)
      if (heed?.size && text !== undefined) heed.size(bytesOf(text, answered))
      return text
    }
    return outcome instanceof Promise ? outcome.then(reply) : reply(outcome)
  }

  /** Runs at most LIMITS.batchLanes items at once. Replies are in the order of their requests. A failed item does not affect the others. */
  const answerBatch = async (requests: readonly unknown[], call: Call): Promise<Reply> => {
    const replies: Reply[] = new Array(requests.length)
    const end = performance.now() + LIMITS.batchTime
    let next = 0
    let late = false
    let own = 0
    let room: number = LIMITS.batchBytes
    const leftOut = (request: unknown, error: TonError): Reply => textOf(idOf(request), { ok: false, error }, false)
    const run = (request: unknown, heed: Heed): Promise<Reply> | Reply => {
      // Once the batch is full or late, its remaining items are not run.
      if (room <= LEAST_ANSWER) return leftOut(request, FULL)
      return late ? leftOut(request, LATE) : answer(request, call, false, heed)
    }
    const lane = async (): Promise<void> => {
      let size: number | undefined
      const heed: Heed = {
        size: (bytes) => {
          size = bytes
        },
      }
      while (next < requests.length) {
        const i = next++
        size = undefined
        const running = run(requests[i], heed)
        const isWaited = running instanceof Promise
        const reply = isWaited ? await running : running
        if (isWaited) late ||= performance.now() > end
        const taken = reply === undefined ? 0 : (size ?? Buffer.byteLength(reply)) + 1
        const isCrowded = taken > LEAST_ANSWER && ofAll + taken > batchesBytes
        const fits = taken <= room && !isCrowded
        replies[i] = fits ? reply : leftOut(requests[i], isCrowded ? CROWDED : FULL)
        if (fits) {
          room -= taken
          own += taken
          ofAll += taken
        }
        const turn = wrote(taken)
        if (turn) await turn
        if ((isWaited || turn) && call.signal.aborted) return
      }
    }
    try {
      await Promise.all(Array.from({ length: Math.min(LIMITS.batchLanes, requests.length) }, lane))
    } finally {
      ofAll -= own
      // A large answer must not be kept until the next batch. Another batch that runs now counts its own again.
      counted = NOTHING
    }
    const texts = replies.filter((reply) => reply !== undefined)
    return texts.length > 0 ? `[${texts.join(',')}]` : undefined
  }

  return {
    batchBytes: () => ofAll,
    receive(value, call, heed) {
      if (!Array.isArray(value)) return answer(value, call, true, heed)
      if (value.length === 0) return unread(null, invalidRequest('the batch is empty'), call, heed)
      if (value.length > LIMITS.batchItems)
        return chargeUndispatched(call).then(() => {
          throw new TonError('TOO_LARGE', `a batch of ${value.length} items is over the limit of ${LIMITS.batchItems}`)
        })
      return answerBatch(value, call)
    },
  }
}
