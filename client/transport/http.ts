import { createLanes } from '../lanes.ts'
import { broken, deliverBatch, deliverLone, failureOf, isItem } from '../reply.ts'
import { byStatus } from '../status.ts'
import { placeOf } from '../url.ts'
import { type Answer, createPost } from './post.ts'
import type { Call, Deliver, Outcome, Transport } from './transport.ts'

/** Of every transport that talks to one server. */
export interface ServerOptions {
  /** The server (`http://127.0.0.1:8081`) or its JSON-RPC endpoint (`https://toncenter.com/api/v2/jsonRPC`). */
  readonly url: string
  /** API key. Travels in a header, is in no error. */
  readonly key?: string | undefined
  /** Milliseconds of one attempt, its answer read to the end; 10,000. */
  readonly timeout?: number | undefined
  /** Bytes of one answer; 8 MiB. A longer one is not read on. */
  readonly maxAnswerBytes?: number | undefined
  /** Reads the JSON of an answer: JSON.parse, which rounds integers beyond 2^53; `parseExact` makes bigints of them, which the types do not say. */
  readonly parse?: ((text: string) => unknown) | undefined
}

type Headers = Readonly<Record<string, string>>

export interface HttpOptions extends ServerOptions {
  readonly fetch?: typeof fetch | undefined
  /** Further headers, or what makes them before each request. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>) | undefined
  /** Requests under way at once: 16; to a server without batches 6. */
  readonly concurrency?: number | undefined
  /** Requests a second: any number; to a server without batches 10 with a key and 1 without one, TON Center's own limits. */
  readonly rps?: number | undefined
}

/** No pause that a server asks for holds the requests to it longer, milliseconds. */
const MAX_PAUSE = 10_000

/** How a server that knows no arrays refuses one; other statuses say nothing about arrays. */
const REFUSALS = [400, 404, 405, 422, 500, 501]
const NOT_A_REQUEST = [-32600, -32700]

const SPLIT: Outcome = { split: true }

/** JSON-RPC by POST: a group of calls is one array. A server that takes none (TON Center) is noticed at the first group. */
export const http = (options: HttpOptions): Transport => {
  const place = placeOf(options.url, options.key)
  const { url, loneUrl, endpoint, key } = place
  const batchLanes = createLanes(options.concurrency ?? 16, options.rps ?? Infinity)
  const loneLanes = createLanes(options.concurrency ?? 6, options.rps ?? (key ? 10 : 1))
  const post = createPost(options, place)
  /** Whether the server takes arrays; undefined until it has said so. */
  let batches: boolean | undefined
  /** A server that refused an array has answered a lone call: it was the array. */
  let sure = false
  /** The array was refused in no words of JSON-RPC: whatever stands before the server may have done it. Asked about once more. */
  let unclear = false
  let doubts = 1
  let probe: Promise<void> | undefined

  const exchange = async (body: string, signal: AbortSignal): ReturnType<typeof post> => {
    const alone = batches === false
    const lanes = alone ? loneLanes : batchLanes
    if (!(await lanes.enter(signal))) return { failure: { kind: 'QUEUE_FULL', message: 'too many wait', endpoint } }
    const answer = await post(alone ? loneUrl : url, body, signal)
    lanes.leave()
    if ('status' in answer && answer.retryAfterMs) lanes.pause(Math.min(answer.retryAfterMs, MAX_PAUSE))
    return answer
  }

  /** The failure of an answer that is no envelope. */
  const unreadable = ({ status, retryAfterMs }: Answer): Outcome =>
    status < 400
      ? broken(endpoint, 'the answer is no JSON-RPC')
      : { failure: { ...byStatus(status), message: `HTTP status ${status}`, endpoint, status, retryAfterMs } }

  const lone = async <C extends Call>(call: C, signal: AbortSignal, deliver: Deliver<C>): Promise<void> => {
    const answer = await exchange(call.text, signal)
    if ('failure' in answer) return deliver(call, answer)
    const body = Array.isArray(answer.body) ? answer.body[0] : answer.body
    const envelope = isItem(body) && ('jsonrpc' in body || 'ok' in body)
    // Nothing lives at this path, so nothing was done: TON Center's is another.
    if (batches === undefined && url !== loneUrl && [404, 405].includes(answer.status) && !(envelope && 'jsonrpc' in body)) {
      batches = false
      unclear = !envelope
      return lone(call, signal, deliver)
    }
    if (envelope) {
      // TON Center repeats no id, or as a text; who repeats it as it was is likely to know arrays too.
      if (unclear && batches === false && body['id'] === call.id && doubts-- > 0) batches = undefined
      else sure ||= batches === false
      return deliverLone(call, body, answer, deliver)
    }
    // It was not the array that was refused, then.
    if (!sure && batches === false) batches = undefined
    deliver(call, unreadable(answer))
  }

  const group = async <C extends Call>(calls: readonly C[], signal: AbortSignal, deliver: Deliver<C>): Promise<void> => {
    const all = (outcome: Outcome): void => {
      for (const call of calls) deliver(call, outcome)
    }
    const answer = await exchange(`[${calls.map((call) => call.text)}]`, signal)
    if ('failure' in answer) return all(answer)
    const { body, status } = answer
    if (Array.isArray(body)) {
      batches = true
      return deliverBatch(calls, body, answer, deliver)
    }
    const { error } = isItem(body) ? body : {}
    const strict = isItem(error) && 'jsonrpc' in (body as object)
    const refused = strict
      ? NOT_A_REQUEST.includes(error['code'] as number)
      : REFUSALS.includes(status) || (isItem(body) && 'ok' in body && status < 400)
    if (refused && !batches) {
      batches = false
      unclear = !isItem(body)
      return all(SPLIT)
    }
    const failure = isItem(body) && failureOf(body, answer)
    all(failure ? { failure } : unreadable(answer))
  }

  return {
    endpoint,
    paused: () => (batches === false ? loneLanes : batchLanes).paused(),
    async send(calls, signal, hand) {
      // A server may quote the key in its complaint.
      const deliver: typeof hand = (call, outcome) => {
        const { failure } = outcome
        hand(call, failure && key ? { failure: { ...failure, message: failure.message.replaceAll(key, '***') } } : outcome)
      }
      if (calls.length === 1) return lone(calls[0]!, signal, deliver)
      let together = calls
      if (batches === undefined) {
        // An array that is refused is sent again call by call, so no write may be in it. One group asks, the others wait for it.
        together = calls.filter((call) => !call.write)
        if (together.length < 2) together = []
        for (const call of calls) if (!together.includes(call)) deliver(call, SPLIT)
        if (together.length === 0) return
        if (!probe) {
          probe = group(together, signal, deliver)
          await probe
          probe = undefined
          return
        }
        await probe
      }
      if (batches === false) for (const call of together) deliver(call, SPLIT)
      else await group(together, signal, deliver)
    },
  }
}
