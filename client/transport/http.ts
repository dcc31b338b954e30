import { byStatus } from '../failure-kinds.ts'
import { createLanes } from '../lanes.ts'
import { broken, deliverBatch, deliverLone, failureOf, isItem } from '../reply.ts'
import { serverAddressOf } from '../url.ts'
import { type Answer, createPost } from './post.ts'
import type { Call, Deliver, Outcome, Transport } from './transport.ts'

/** Options of every transport to one server. */
export interface ServerOptions {
  /** The server (`http://127.0.0.1:8081`) or its JSON-RPC endpoint (`https://toncenter.com/api/v2/jsonRPC`). */
  readonly url: string
  /** API key. It is in no error. HTTP sends it in a header, WebSocket in the URL. */
  readonly key?: string | undefined
  /** Milliseconds for one attempt, including reading the whole answer; default 10,000. */
  readonly timeout?: number | undefined
  /** Largest size of one answer in bytes; default 8 MiB. A larger one fails with ANSWER_TOO_LARGE. */
  readonly maxAnswerBytes?: number | undefined
  /** Parses an answer. The default, JSON.parse, rounds integers beyond 2^53. `parseExact` makes them bigints, which the types do not show. */
  readonly parse?: ((text: string) => unknown) | undefined
}

type Headers = Readonly<Record<string, string>>

export interface HttpOptions extends ServerOptions {
  readonly fetch?: typeof fetch | undefined
  /** Additional headers, or a function that is called for them before each request. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>) | undefined
  /** Largest number of running requests; default 16, or 6 for a server without batches. */
  readonly concurrency?: number | undefined
  /** Requests per second; no limit by default. For a server without batches: 10 with a key, 1 without (TON Center's own limits). */
  readonly rps?: number | undefined
}

/** Longest pause, in milliseconds, for which a server's wish holds back requests to it. */
const MAX_PAUSE = 10_000

/** Statuses with which a server without batches refuses an array. Other statuses say nothing about arrays. */
const REFUSALS = [400, 404, 405, 422, 500, 501]
const NOT_A_REQUEST = [-32600, -32700]

const SPLIT: Outcome = { split: true }

/** JSON-RPC by POST. A group of calls is sent as one array. A server that takes no arrays (TON Center) is detected with the first group. */
export const http = (options: HttpOptions): Transport => {
  const server = serverAddressOf(options.url, options.key)
  const { url, loneUrl, endpoint, key } = server
  const batchLanes = createLanes(options.concurrency ?? 16, options.rps ?? Infinity)
  const loneLanes = createLanes(options.concurrency ?? 6, options.rps ?? (key ? 10 : 1))
  const post = createPost(options, server)
  /** Whether the server takes arrays; undefined before the first answer. */
  let batches: boolean | undefined
  /** The server refused an array and then answered a single call, so the array was the reason. */
  let sure = false
  /** The refusal of the array was not JSON-RPC: a proxy may have sent it. The array is then tried once more. */
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

  /** The failure of an answer that is not an envelope of JSON-RPC or TON Center. */
  const unreadable = ({ status, retryAfterMs }: Answer): Outcome =>
    status < 400
      ? broken(endpoint, 'the answer is no JSON-RPC')
      : { failure: { ...byStatus(status), message: `HTTP status ${status}`, endpoint, status, retryAfterMs } }

  const single = async <C extends Call>(call: C, signal: AbortSignal, deliver: Deliver<C>): Promise<void> => {
    const answer = await exchange(call.text, signal)
    if ('failure' in answer) return deliver(call, answer)
    const body = Array.isArray(answer.body) ? answer.body[0] : answer.body
    const envelope = isItem(body) && ('jsonrpc' in body || 'ok' in body)
    // The server has nothing at this path, so it executed nothing. TON Center has another path.
    if (batches === undefined && url !== loneUrl && [404, 405].includes(answer.status) && !(envelope && 'jsonrpc' in body)) {
      batches = false
      unclear = !envelope
      return single(call, signal, deliver)
    }
    if (envelope) {
      // TON Center omits the id or returns it as a string. A server that returns it unchanged probably takes arrays too.
      if (unclear && batches === false && body['id'] === call.id && doubts-- > 0) batches = undefined
      else sure ||= batches === false
      return deliverLone(call, body, answer, deliver)
    }
    // A single call failed too, so the array was not the reason.
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
      // A server may quote the key in its error message.
      const deliver: typeof hand = (call, outcome) => {
        const { failure } = outcome
        hand(call, failure && key ? { failure: { ...failure, message: failure.message.replaceAll(key, '***') } } : outcome)
      }
      if (calls.length === 1) return single(calls[0]!, signal, deliver)
      let together = calls
      if (batches === undefined) {
        // A refused array is sent again call by call, so it must not contain a write. One group tries, the others wait for it.
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
