import type { Answer } from '../base/answer.ts'
import { toldHeaders } from '../base/answer-headers.ts'
import { type Call, leavingOf } from '../base/call.ts'
import { setClient } from '../base/call-client.ts'
import { jsonText } from '../base/json-text.ts'
import type { Log } from '../base/log.ts'
import { createPermits } from '../base/permits.ts'
import { endingWith, type TextSource } from '../base/pieces.ts'
import { isLargePage } from './answer-cost.ts'
import { type Begun, begin, whileWaitedFor } from './begin-answer.ts'
import type { Entry } from './entry.ts'
import { beforeDeadline, timeoutText } from './failure.ts'
import type { Outcome } from './types.ts'

/** Runs the handler of a method with parsed parameters and makes the text of its answer. Rejects with whatever the handler throws, and with SOURCE_TIMEOUT. */
export type RunEntry = (entry: Entry, params: unknown, caller: Call, controller: AbortController) => Promise<Outcome>

/** Limits on large answers of the index, which leave database connections, memory and the event loop for other calls. `patience` in ms. */
const LARGE_PAGES = {
  atOnce: 2,
  waiting: 32,
  patience: 20_000,
  text: 'too many large pages are asked for at once; try again, or take a smaller limit',
}

const runNow: RunEntry = async (entry, params, caller, controller) => {
  const began = performance.now()
  const call = narrowed(caller, controller.signal)
  const inTime = <T>(work: () => Promise<T>): Promise<T> => beforeDeadline(entry.deadline, timeoutText(entry.def.needs), controller, work)
  const answer = await inTime(async () => entry.handler!(params as never, call))
  const begun = await textOf(entry, answer, caller, inTime, call.signal)
  const said = toldHeaders(controller.signal)
  const headers = said === undefined ? answer.headers : { ...said, ...answer.headers }
  call.log.debug('call.answered', { method: entry.name, ms: Math.round((performance.now() - began) * 10) / 10 })
  const rest = begun.rest && whileWaitedFor(begun.rest, leavingOf(caller), controller)
  // The call was aborted, so nobody would read the rest.
  if (rest && call.signal.aborted) await rest.return()
  return { ok: true, json: begun.json, cached: false, ...(rest && { rest }), ...(headers && { headers }) }
}

/** A runner that makes few large pages at a time. The others wait. */
export const createRun = (): RunEntry => {
  const large = createPermits(LARGE_PAGES)
  return async (entry, params, caller, controller) => {
    if (!isLargePage(entry.def, params)) return runNow(entry, params, caller, controller)
    // An answer that has to wait for earlier ones of its connection must not hold a permit meanwhile.
    await caller.writer?.ready()
    const release = await large.take(controller.signal, caller.client)
    let rest: TextSource | undefined
    try {
      const outcome = await runNow(entry, params, caller, controller)
      if (!outcome.ok || outcome.rest === undefined) return outcome
      rest = endingWith(outcome.rest, release)
      return { ...outcome, rest }
    } finally {
      if (rest === undefined) release()
    }
  }
}

/**
 * The JSON of an answer: all of it, or only the beginning if the caller takes pieces and the answer is not shared. A bigint or an undefined body is
 * a bug of the handler: it throws here and becomes INTERNAL.
 */
const textOf = async (
  { def }: Entry,
  answer: Answer,
  { writer }: Call,
  inTime: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<Begun> => {
  if (answer.pieces === undefined) return { json: await jsonText(answer, signal), rest: undefined }
  if (writer !== undefined && def.cache === 'never') return begin(answer.pieces, inTime)
  return { json: await inTime(async () => jsonText(answer, signal)), rest: undefined }
}

/**
 * The same call with a signal that may be aborted earlier (or, if the run is shared, later) than the caller's own. A class, because an object literal
 * with a getter takes a microsecond to make.
 */
class NarrowedCall implements Call {
  readonly network: string
  readonly signal: AbortSignal
  readonly requestId: string
  readonly localAllowed: boolean
  readonly caller: Call['caller']
  readonly servers: Call['servers']
  readonly client: Call['client']
  readonly events: Call['events']
  readonly #call: Call
  constructor(call: Call, signal: AbortSignal) {
    this.network = call.network
    this.signal = signal
    this.requestId = call.requestId
    this.localAllowed = call.localAllowed
    this.caller = call.caller
    this.servers = call.servers
    this.client = call.client
    this.events = call.events
    this.#call = call
  }
  get log(): Log {
    return this.#call.log
  }
}

const narrowed = (call: Call, signal: AbortSignal): Call => {
  const narrow = new NarrowedCall(call, signal)
  if (narrow.client !== undefined) setClient(signal, narrow.client)
  return narrow
}
