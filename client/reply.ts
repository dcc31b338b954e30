import type { Failure } from './errors.ts'
import { byStatus, RETRIED } from './failure-kinds.ts'
import type { ErrorKind } from './methods.ts'
import type { Answered, Call, Deliver } from './transport/transport.ts'

/* Parses answers in both forms: strict JSON-RPC 2.0 ({result} | {error: {code, message, data}}) and TON Center's ({ok, result | error, code}). */

export type Item = Readonly<Record<string, unknown>>

export const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null

/** A text or a number of an answer. A bad server may send an object in its place, which can throw when it is converted. */
const scalar = (value: unknown): unknown => (isItem(value) ? undefined : value)

export interface Head {
  readonly endpoint: string
  readonly status: number
  readonly retryAfterMs?: number | undefined
}

const CODES: Readonly<Record<number, ErrorKind>> = {
  [-32601]: 'METHOD_NOT_FOUND',
  [-32602]: 'INVALID_PARAMS',
}

/** Kinds that a server cannot give: after these the client waits for a new socket, asks again, or ends a `watch` as if its client were closed. */
const OWN = /^(NETWORK|TIMEOUT|ABORTED)$/

/** The failure in an answer; undefined for a success or an invalid answer. */
export const failureOf = (item: Item, { endpoint, status, retryAfterMs }: Head): Failure | undefined => {
  const { error } = item
  if (isItem(error)) {
    const data = Object(error['data']) as Item
    const code = Number(scalar(error['code']))
    const given = data['kind']
    const kind = typeof given === 'string' && !OWN.test(given) ? (given as ErrorKind) : CODES[code]
    const after = Number(scalar(data['retryAfter']))
    return {
      // Some servers send an HTTP status such as 429 in place of a JSON-RPC code.
      ...(kind ? { kind, retry: Object.hasOwn(RETRIED, kind) } : byStatus(code >= 400 && code < 600 ? code : 500)),
      message: String(scalar(error['message'])),
      endpoint,
      retryAfterMs: after >= 0 ? after * 1000 : retryAfterMs,
      issues: data['issues'] as Failure['issues'],
      ...(status !== 200 && { status }),
    }
  }
  if (item['ok'] !== false) return
  const code = Number(scalar(item['code'])) || status
  // One form of TON Center's 429 response has its text in `result`.
  return { ...byStatus(code), message: String(error ?? scalar(item['result'])), endpoint, retryAfterMs, status: code }
}

/** The outcome of an invalid answer. `message` must not contain text from the server. */
export const broken = (endpoint: string, message: string, cause?: unknown): Answered => ({
  failure: { kind: 'PROTOCOL', message, endpoint, cause },
})

const outcomeOf = (item: Item, head: Head): Answered => {
  const failure = failureOf(item, head)
  if (failure) return { failure }
  return 'result' in item ? { result: item['result'] } : broken(head.endpoint, 'an answer without result and error')
}

/** Matches the answers of a batch to calls by id. Answers with unknown ids are ignored. A call with no answer, or with several, fails. */
export const deliverBatch = <C extends Call>(calls: readonly C[], items: readonly unknown[], head: Head, deliver: Deliver<C>): void => {
  const byId = new Map<unknown, Item | null>()
  for (const item of items) if (isItem(item)) byId.set(item['id'], byId.has(item['id']) ? null : item)
  for (const call of calls) {
    const item = byId.get(call.id)
    if (item) deliver(call, outcomeOf(item, head))
    else deliver(call, broken(head.endpoint, item === null ? 'answered twice' : 'the answer left this call out'))
  }
}

/**
 * Delivers the answer to a single call. TON Center omits the id or converts it to a string, so both are accepted. An answer with the id of a different call
 * fails.
 */
export const deliverLone = <C extends Call>(call: C, item: Item, head: Head, deliver: Deliver<C>): void => {
  const { id } = item
  const matches = id === undefined || id === null ? 'ok' in item || isItem(item['error']) : id === call.id || id === String(call.id)
  deliver(call, matches ? outcomeOf(item, head) : broken(head.endpoint, 'an answer to another call'))
}
