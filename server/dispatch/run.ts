import type { CallSignal } from '../base/abort.ts'
import type { Answer, AnswerHeaders } from '../base/answer.ts'
import type { Call } from '../base/call.ts'
import { jsonOf, jsonText } from '../base/json-text.ts'
import { beforeDeadline } from '../base/limits/deadline.ts'
import { LargePage } from '../base/limits/large-page.ts'
import { createPermits } from '../base/permits.ts'
import { endingWith, type TextSource } from '../base/pieces.ts'
import { type Begun, begin, whileWaitedFor } from './begin-answer.ts'
import { isLargePage } from './charge.ts'
import type { ServedMethod } from './entry.ts'
import { timeoutText } from './failure.ts'
import type { Outcome } from './types.ts'

/**
 * Runs the handler of a method with parsed parameters and makes the text of its answer, at once if the handler answers at once. Throws or rejects with
 * whatever the handler throws, and rejects with SOURCE_TIMEOUT.
 */
export type RunEntry = (entry: ServedMethod, params: unknown, caller: Call, signal: CallSignal) => Promise<Outcome> | Outcome

/** Limits on large answers of the index, which leave database connections, memory and the event loop for other calls. `patience` in ms. */
const LARGE_PAGES = {
  atOnce: 2,
  waiting: 32,
  patience: 20_000,
  text: 'too many large pages are asked for at once; try again, or take a smaller limit',
}

const runWith = (isLarge: boolean, ...[entry, params, caller, signal]: Parameters<RunEntry>): ReturnType<RunEntry> => {
  const began = performance.now()
  const run: Run = { entry, call: narrowed(caller, { signal, isLarge, headers: {} }), caller, signal, began }
  const answer = entry.handler!(params as never, run.call)
  if (answer instanceof Promise) return deferredOutcome(run, answer)
  const whole = wholeOf(answer)
  return whole === undefined ? deferredOutcome(run, answer) : wholeOutcome(run, answer, whole)
}

/** One run of a handler. */
interface Run {
  readonly entry: ServedMethod
  /** The call as the handler has it. */
  readonly call: Call
  readonly caller: Call
  readonly signal: CallSignal
  readonly began: number
}

/** The outcome of an answer that is there. */
const wholeOutcome = (run: Run, answer: Answer, json: string): Outcome => {
  logAnswered(run)
  return { ok: true, json, cached: false, ...headersOf(run, answer) }
}

/** The same for an answer that has to be waited for, or that comes in pieces. */
const deferredOutcome = async (run: Run, coming: Promise<Answer> | Answer): Promise<Outcome> => {
  const { entry, caller, signal } = run
  const inTime = <T>(work: () => Promise<T>): Promise<T> => beforeDeadline(entry.deadline, timeoutText(entry.def.needs), signal, work)
  const answer = coming instanceof Promise ? await inTime(() => coming) : coming
  const whole = wholeOf(answer)
  if (whole !== undefined) return wholeOutcome(run, answer, whole)
  const begun = await textOf(entry, answer, caller, inTime, signal)
  if (begun.rest === undefined) return wholeOutcome(run, answer, begun.json)
  logAnswered(run)
  const rest = whileWaitedFor(begun.rest, caller.signal, signal)
  // The call was aborted, so nobody would read the rest.
  if (signal.aborted) await rest.return()
  return { ok: true, json: begun.json, cached: false, rest, ...headersOf(run, answer) }
}

/** The headers of an answer, and those that code deep inside the call has added. */
const headersOf = ({ call }: Run, answer: Answer): { readonly headers?: AnswerHeaders } => {
  const headers = { ...call.headers, ...answer.headers }
  for (const _ in headers) return { headers }
  return {}
}

const logAnswered = ({ entry: { name, isLogged }, caller, began }: Run): void => {
  if (isLogged) caller.log.debug('call.answered', { method: name, ms: Math.round((performance.now() - began) * 10) / 10 })
}

/** A runner that makes few large pages at a time. The others wait. */
export const createRun = (): RunEntry => {
  const large = createPermits(LARGE_PAGES)
  const runLarge = async (entry: ServedMethod, params: unknown, caller: Call, signal: CallSignal): Promise<Outcome> => {
    // An answer that has to wait for earlier ones of its connection must not hold a permit meanwhile.
    await caller.writer?.ready()
    const release = await large.take(signal, caller.client)
    let rest: TextSource | undefined
    try {
      const outcome = await runWith(true, entry, params, caller, signal)
      if (!outcome.ok || outcome.rest === undefined) return outcome
      rest = endingWith(outcome.rest, release)
      return { ...outcome, rest }
    } finally {
      if (rest === undefined) release()
    }
  }
  return (entry, params, caller, signal) => {
    if (isLargePage(entry.def, params)) return runLarge(entry, params, caller, signal)
    const outcome = runWith(false, entry, params, caller, signal)
    if (!(outcome instanceof Promise)) return outcome
    return outcome.catch((error: unknown) => {
      if (error instanceof LargePage) return runLarge(entry, params, caller, signal)
      throw error
    })
  }
}

/** The JSON of an answer that needs no making; undefined for one whose pieces are still to come. */
const wholeOf = ({ body, pieces }: Answer): string | undefined => {
  if (pieces === undefined) return jsonOf(body)
  return Array.isArray(pieces) ? pieces.join('') : undefined
}

/** The JSON of an answer in pieces: all of it, or only the beginning if the caller takes pieces and the answer is not shared. */
const textOf = async (
  { def }: ServedMethod,
  answer: Answer,
  { writer }: Call,
  inTime: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<Begun> => {
  if (writer !== undefined && def.cache === 'never') return begin(answer.pieces!, inTime)
  return { json: await inTime(async () => jsonText(answer, signal)), rest: undefined }
}

/**
 * The same call with a signal that may be aborted earlier (or, if the run is shared, later) than the caller's own, and with headers of the run. The rest of it
 * is looked up when it is requested: most handlers need only the signal, and who may call `local.*` takes a look at all headers.
 */
const narrowed = (call: Call, own: Pick<Call, 'signal' | 'isLarge' | 'headers'>): Call =>
  Object.create(call, {
    signal: { value: own.signal },
    isLarge: { value: own.isLarge },
    headers: { value: own.headers },
    // What belongs to the caller's own request is no part of a run, which others may share.
    writer: { value: undefined },
  }) as Call
