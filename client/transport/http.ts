import { byStatus } from '../failure-kinds.ts'
import { broken, deliverBatch, deliverLone, failureOf, type Item, isItem } from '../reply.ts'
import { createLanes } from '../request-slots.ts'
import { serverAddressOf } from '../url.ts'
import { type Answer, createPost } from './post.ts'
import type { Call, Deliver, Outcome, Transport } from './transport.ts'

export interface ServerOptions {
  /** The server (`http://127.0.0.1:8081`) or its JSON-RPC endpoint (`https://toncenter.com/api/v2/jsonRPC`). */
  readonly url: string
  /** API key. Errors never contain it. HTTP sends it in a header, WebSocket in the URL. */
  readonly key?: string | undefined
  /** Milliseconds for one attempt, including reading the whole response; default 10,000. */
  readonly timeout?: number | undefined
  /** Maximum size of a response in bytes; default 8 MiB. A larger response fails with ANSWER_TOO_LARGE. */
  readonly maxAnswerBytes?: number | undefined
  /** Parses a response. The default, JSON.parse, rounds integers beyond 2^53. `parseExact` returns them as bigints, which the result types do not reflect. */
  readonly parse?: ((text: string) => unknown) | undefined
}

type Headers = Readonly<Record<string, string>>

export interface HttpOptions extends ServerOptions {
  readonly fetch?: typeof fetch | undefined
  /** More headers, or a function that returns them before each request. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>) | undefined
  /** Maximum number of concurrent requests; default 16, or 6 for a server without batches. */
  readonly concurrency?: number | undefined
  /** Requests per second; no limit by default. For a server without batches: 10 with a key, 1 without (TON Center's own limits). */
  readonly rps?: number | undefined
}

/** Maximum pause in milliseconds that a server can impose on all further requests. */
const MAX_PAUSE = 10_000

/** Statuses with which a server without batches rejects an array. All other statuses leave open whether arrays are supported. */
const REFUSALS = [400, 404, 405, 422, 500, 501]
const NOT_A_REQUEST = [-32600, -32700]

const SPLIT: Outcome = { split: true }

/** JSON-RPC by POST. A group of calls is sent as one array. The first group shows whether the server supports arrays; TON Center does not. */
export const http = (options: HttpOptions): Transport => {
  const server = serverAddressOf(options.url, options.key)
  const { url, loneUrl, endpoint, key } = server
  const batchLanes = createLanes(options.concurrency ?? 16, options.rps ?? Infinity)
  const loneLanes = createLanes(options.concurrency ?? 6, options.rps ?? (key ? 10 : 1))
  const post = createPost(options, server)
  /** True if the server supports arrays; undefined before the first response. */
  let batches: boolean | undefined
  /** True if the server rejected an array and then answered a single call, so the array was the reason. */
  let sure = false
  /** True if the rejection of the array was not JSON-RPC, so it may come from a proxy. The array is then tried once more. */
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

  /** The failure for a response that is neither JSON-RPC nor TON Center's form. */
  const unreadable = ({ status, retryAfterMs }: Answer): Outcome =>
    status < 400
      ? broken(endpoint, 'the answer is no JSON-RPC')
      : { failure: { ...byStatus(status), message: `HTTP status ${status} of ${endpoint}`, endpoint, status, retryAfterMs } }

  const single = async <C extends Call>(call: C, signal: AbortSignal, deliver: Deliver<C>): Promise<void> => {
    const answer = await exchange(call.text, signal)
    if ('failure' in answer) return deliver(call, answer)
    const body = Array.isArray(answer.body) ? answer.body[0] : answer.body
    const envelope = isItem(body) && ('jsonrpc' in body || 'ok' in body)
    // The server has no endpoint at this path, so nothing was executed. The call is sent again to TON Center's path.
    if (batches === undefined && url !== loneUrl && [404, 405].includes(answer.status) && !(envelope && 'jsonrpc' in body)) {
      batches = false
      unclear = !envelope
      return single(call, signal, deliver)
    }
    if (envelope) {
      // TON Center omits the id or returns it as a string. A server that returns the id unchanged probably supports arrays.
      if (unclear && batches === false && body['id'] === call.id && doubts-- > 0) batches = undefined
      else sure ||= batches === false
      return deliverLone(call, body, answer, deliver)
    }
    // A single call failed too, so the array may not have been the reason.
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
    const { error } = Object(body) as Item
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
      // A server can quote the key in its error message, so the key is masked.
      const deliver: typeof hand = (call, outcome) => {
        const { failure } = outcome
        hand(call, failure && key ? { failure: { ...failure, message: failure.message.replaceAll(key, '***') } } : outcome)
      }
      if (calls.length === 1) return single(calls[0]!, signal, deliver)
      let together = calls
      if (batches === undefined) {
        // A rejected array is sent again call by call, so it must not contain a write. One group probes the server while the others wait.
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
