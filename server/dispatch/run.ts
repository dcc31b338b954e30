import { beforeDeadline, createAbortController, untilAborted } from '../base/abort.ts'
import type { Answer, AnswerHeaders, Pieces } from '../base/answer.ts'
import type { Call } from '../base/call.ts'
import { jsonOf, jsonTexts, MAX_JOINED } from '../base/json-text.ts'
import { LargePage } from '../base/limits/large-page.ts'
import type { Log } from '../base/log.ts'
import { createPermits } from '../base/permits.ts'
import { endingWith, type Piece, textOfPiece } from '../base/pieces.ts'
import { createPauses } from '../base/yield.ts'
import { isLargePage } from './charge.ts'
import type { ServedMethod } from './entry.ts'
import { timeoutText } from './failure.ts'
import type { Outcome } from './types.ts'

/** Runs the handler of a call and writes its answer as JSON. Rejects with the handler's error, or with SOURCE_TIMEOUT. */
export type RunMethod = (method: ServedMethod, params: unknown, caller: Call, run: AbortController) => Promise<Outcome>

/** Limits for large answers of the index, so that database connections, memory and the event loop stay free for other calls. `patience` in ms. */
const LARGE_PAGES = {
  atOnce: 2,
  waiting: 32,
  patience: 20_000,
  text: 'too many large pages are asked for at once; try again, or take a smaller limit',
}

/** `release`: gives back the permit of a large answer, once its rest has been read. undefined for an answer that must not be large. */
const runWith = async (
  method: ServedMethod,
  params: unknown,
  caller: Call,
  run: AbortController,
  release?: () => void,
): Promise<Outcome & { readonly ok: true }> => {
  const began = performance.now()
  const call = new RunningCall(caller, run.signal, release !== undefined)
  const inTime = <T>(work: () => Promise<T>): Promise<T> => beforeDeadline(method.deadline, timeoutText(method.def.needs), run, work)
  // Calls of one batch begin in one turn of the event loop, and each handler may first read a large bag of cells.
  const paused = createPauses()()
  if (paused !== undefined) await paused
  const coming = method.handler!(params as never, call)
  const answer = coming instanceof Promise ? await inTime(() => coming) : coming
  const { rest, ...text } = await textOf(method, answer, caller, inTime, run.signal)
  call.log.debug('call.answered', { method: method.name, ms: Math.round((performance.now() - began) * 10) / 10 })
  const outcome = {
    ok: true,
    ...text,
    cached: false,
    ...headersOf(call, answer),
    ...(answer.isTransient && { isTransient: true }),
  } as const
  if (rest === undefined) return outcome
  const ending = endingWith(rest, () => {
    release?.()
    if (caller.signal.aborted) run.abort(caller.signal.reason)
  })
  // If the call was aborted, nobody reads the rest.
  if (run.signal.aborted) await ending.return()
  return { ...outcome, rest: ending }
}

/** Headers of an answer. Code inside the call may have added some to `call.headers`. */
const headersOf = (call: Call, answer: Answer): { readonly headers?: AnswerHeaders } => {
  const headers = { ...call.headers, ...answer.headers }
  for (const _ in headers) return { headers }
  return {}
}

export const createRun = (): RunMethod => {
  const large = createPermits(LARGE_PAGES)
  const runLarge: RunMethod = async (method, params, caller, run) => {
    const release = await large.take(run.signal, caller.client)
    try {
      const outcome = await runWith(method, params, caller, run, release)
      if (outcome.rest === undefined) release()
      return outcome
    } catch (error) {
      release()
      throw error
    }
  }
  return async (method, params, caller, run) => {
    if (isLargePage(method.def, params)) return runLarge(method, params, caller, run)
    try {
      return await runWith(method, params, caller, run)
    } catch (error) {
      if (error instanceof LargePage) return runLarge(method, params, caller, run)
      throw error
    }
  }
}

/** An answer of at least this many characters is sent before the rest is produced. */
const ENOUGH = 1 << 17

interface Begun {
  readonly json: string
  readonly more?: readonly string[]
  readonly rest?: AsyncIterator<Piece>
}

async function* sourceOf(pieces: Pieces): AsyncGenerator<Piece> {
  yield* pieces
}

/**
 * Produces enough of an answer to start sending it; a short answer is produced completely. An error before that becomes an error response. `inTime` runs
 * the production of each piece under the call's deadline.
 */
const begin = async (pieces: Pieces, inTime: <T>(work: () => Promise<T>) => Promise<T>): Promise<Begun> => {
  const source = sourceOf(pieces)
  const next = (): Promise<IteratorResult<Piece>> => inTime(() => source.next())
  let json = ''
  try {
    while (json.length < ENOUGH) {
      const step = await next()
      if (step.done === true) return { json }
      json += textOfPiece(step.value)
    }
  } catch (error) {
    // The production of a piece may still be in progress, so the result of `return` is not awaited.
    source.return(undefined).catch(() => {})
    throw error
  }
  return { json, rest: { next, return: () => source.return(undefined) } }
}

/** JSON of an answer; only its beginning if the caller accepts pieces and the answer is not shared. */
const textOf = async (
  { def }: ServedMethod,
  answer: Answer,
  { acceptsPieces }: Call,
  inTime: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<Begun> => {
  const { body, pieces } = answer
  if (pieces === undefined) return { json: jsonOf(body) }
  if (Array.isArray(pieces)) return { json: pieces.join('') }
  if (acceptsPieces && (def.cache === 'never' || def.cache === 'index')) return begin(pieces, inTime)
  const [json, ...more] = await inTime(() => jsonTexts(answer, signal, acceptsPieces ? MAX_JOINED.single : MAX_JOINED.other))
  return { json: json!, ...(more.length > 0 && { more }) }
}

/**
 * A call with a signal and headers of its own. What takes time to compute is computed when it is used: `localAllowed` inspects all headers. A class, because
 * V8 takes 2 us to make an object with getters.
 */
class RunningCall implements Required<Call> {
  readonly headers: Record<string, string> = {}
  readonly network: string
  readonly requestId: string
  readonly caller: Call['caller']
  readonly acceptsPieces: boolean | undefined
  readonly events: Call['events']
  private readonly of: Call
  readonly signal: AbortSignal
  readonly isLarge: boolean
  constructor(of: Call, signal: AbortSignal, isLarge: boolean) {
    this.network = of.network
    this.requestId = of.requestId
    this.caller = of.caller
    this.acceptsPieces = of.acceptsPieces
    this.events = of.events
    this.of = of
    this.signal = signal
    this.isLarge = isLarge
  }
  get waitsForBlock(): boolean | undefined {
    return this.of.waitsForBlock
  }
  get log(): Log {
    return this.of.log
  }
  get client(): string | undefined {
    return this.of.client
  }
  get localAllowed(): boolean {
    return this.of.localAllowed
  }
}

/** Runs work for one caller, and aborts it when the caller disconnects. The promise then rejects even if the work continues. */
export const withCaller = async <T>(caller: AbortSignal, work: (run: AbortController) => Promise<T>): Promise<T> => {
  caller.throwIfAborted()
  const run = createAbortController()
  return untilAborted(work(run), caller, () => run.abort(caller.reason))
}

interface SharedRun<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiters: number
}

/**
 * Returns a function that joins the run of a key, or starts it. A caller that disconnects gets a rejection, while the run continues for the others. The
 * signal of `work` is aborted when the last caller has disconnected.
 */
export const createSharedRuns = <T>() => {
  const runs = new Map<string, SharedRun<T>>()
  const forget = (key: string, run: SharedRun<T>): void => {
    if (runs.get(key) === run) runs.delete(key)
  }
  const start = (key: string, work: (run: AbortController) => Promise<T>): SharedRun<T> => {
    const controller = createAbortController()
    const run: SharedRun<T> = { controller, waiters: 0, result: work(controller) }
    runs.set(key, run)
    run.result.catch(() => {}).finally(() => forget(key, run))
    return run
  }
  return async (key: string, caller: AbortSignal, work: (run: AbortController) => Promise<T>): Promise<T> => {
    caller.throwIfAborted()
    const run = runs.get(key) ?? start(key, work)
    run.waiters++
    return untilAborted(run.result, caller, () => {
      if (--run.waiters > 0) return
      // No caller is left. The entry is removed, so that later callers start a new run instead of joining the aborted one.
      forget(key, run)
      run.controller.abort(caller.reason)
    })
  }
}
