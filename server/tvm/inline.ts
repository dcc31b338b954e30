import { setMaxListeners } from 'node:events'
import { createLines } from '../base/fair-lines.ts'
import { Lru } from '../base/memory/lru.ts'
import { createUsage } from '../base/usage.ts'
import { runGetMethodRequest, TooManyValues } from './get-method-request.ts'
import { VmInterrupted } from './machine/exceptions.ts'
import { type GetMethodRequest, type GetMethodResult, TvmError } from './tvm.ts'

/*
 * A get-method usually takes a few microseconds, and passing it to a thread and back takes twenty. So it first runs in the calling thread, for at
 * most a few milliseconds. A run that takes longer, or needs an operation on a curve, is dropped and repeated in the pool.
 */

/** Largest number of milliseconds of one run. After as many in one turn of the event loop, further runs wait for the next turn. */
const MAX_MS = 3
/** Most milliseconds that count for a run that has ended before its first check. It does not take longer, so another process had the processor. */
const UNCHECKED_MS = 0.5
/** Largest number of checks of a run here, one every 5,000 gas. A run with more of them goes to the pool. */
const MAX_CHECKS = 100
/** Largest number of values of a result that are converted here. */
const MAX_VALUES = 2_000
/** Largest number of remembered quick methods, slow methods and clients with dropped runs, each. */
const REMEMBERED = 4_096
/** After a dropped run the method goes directly to the pool for this time, ms. */
const SLOW_MS = 10_000
/** After a dropped run its client may run here for this time (ms) only methods that were quick before. */
const SUSPECT_MS = 1_000
/** Largest number of runs that wait for a turn. */
const MAX_WAITING = 500
/** Milliseconds after which the time that a client's runs took counts half. */
const HALF_LIFE = 2_000

export interface Inline {
  /** Runs a get-method here; undefined if it must go to the pool. Rejects with a TvmError. */
  run(request: GetMethodRequest, signal: AbortSignal): Promise<GetMethodResult | undefined>
  /** The same without waiting: undefined also if the run would have to wait for the next turn of the event loop. Throws a TvmError. */
  runHere(request: GetMethodRequest): GetMethodResult | undefined
  /** Number of runs completed here. */
  count(): number
}

/** A run that waits for the next turn of the event loop. */
interface Waiting {
  readonly request: GetMethodRequest
  readonly key: string
  readonly signal: AbortSignal
  readonly resolve: (result: GetMethodResult | undefined) => void
  readonly reject: (error: unknown) => void
}

/** A method of a contract's code, as it is remembered. */
const keyOf = ({ code, methodId }: GetMethodRequest): string => `${code.hashKey()}${methodId}`

/** `now` returns monotonic milliseconds. `most`: runs that may wait. */
export const createInline = (now: () => number = () => performance.now(), most = MAX_WAITING): Inline => {
  const quick = new Lru<string, true>({ max: REMEMBERED })
  const slow = new Lru<string, number>({ max: REMEMBERED })
  const suspects = new Lru<string, number>({ max: REMEMBERED })
  /** Milliseconds that the runs of each client took that had to wait: while none wait, fairness does not matter. */
  const used = createUsage(HALF_LIFE, () => performance.now())
  const waiting = createLines<Waiting, string>({ most, keyOf: (client) => client, clientOf: (client) => client, usedBy: used.of })
  let spent = 0
  let counting = false
  let count = 0

  /** Begins a turn: first come the runs that wait, those of clients that used little before the others. */
  const turn = (): void => {
    counting = false
    spent = 0
    while (spent < MAX_MS) {
      const at = performance.now()
      const next = waiting.next((client) => used.of(client, at))
      if (next === undefined) return
      const before = spent
      begin(next.job)
      used.add(next.owner, spent - before)
    }
  }
  const countTurn = (): void => {
    if (counting) return
    counting = true
    setImmediate(turn)
  }
  const isOver = (until: number | undefined): boolean => until === undefined || now() > until

  /** Whether a run may be tried here. */
  const mayTry = (key: string, { client = '' }: GetMethodRequest): boolean => {
    if (!isOver(slow.get(key))) return false
    return quick.get(key) === true || isOver(suspects.get(client))
  }

  const attempt = (request: GetMethodRequest, key: string): GetMethodResult | undefined => {
    const start = now()
    let checks = 0
    const interrupt = (isSlow: boolean): boolean => isSlow || ++checks > MAX_CHECKS || now() - start > MAX_MS
    try {
      const result = runGetMethodRequest(request, interrupt, MAX_VALUES)
      if (quick.get(key) === undefined) quick.set(key, true)
      count++
      return result
    } catch (error) {
      if (!(error instanceof VmInterrupted) && !(error instanceof TooManyValues)) throw error
      quick.delete(key)
      slow.set(key, now() + SLOW_MS)
      const { client } = request
      if (client !== undefined && client !== '') suspects.set(client, now() + SUSPECT_MS)
      return undefined
    } finally {
      const took = now() - start
      spent += checks === 0 ? Math.min(took, UNCHECKED_MS) : took
      countTurn()
    }
  }

  /** Waits for a turn. If too many wait, one is refused: of the client who has the most runs waiting, and among those of the one who used most. */
  const wait = (run: Waiting): void => {
    const { signal } = run
    const stopListening = (): void => signal.removeEventListener('abort', abort)
    const own: Waiting = {
      ...run,
      resolve(result) {
        stopListening()
        run.resolve(result)
      },
      reject(error) {
        stopListening()
        run.reject(error)
      },
    }
    const abort = (): void => {
      waiting.remove(own)
      own.reject(signal.reason)
    }
    // A whole batch of calls may share one signal.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', abort, { once: true })
    waiting.push(own, run.request.client ?? '')?.reject(new TvmError('overloaded', `${most} get-methods are waiting`))
    countTurn()
  }

  /** Runs now, or waits for a turn, or leaves it to the pool. */
  const begin = (run: Waiting): void => {
    const { request, key, signal, resolve, reject } = run
    if (signal.aborted) reject(signal.reason)
    else if (!mayTry(key, request)) resolve(undefined)
    else if (spent >= MAX_MS) wait(run)
    else {
      try {
        resolve(attempt(request, key))
      } catch (error) {
        reject(error)
      }
    }
  }

  return {
    runHere(request) {
      if (request.trace === true || spent >= MAX_MS) return undefined
      const key = keyOf(request)
      return mayTry(key, request) ? attempt(request, key) : undefined
    },
    run(request, signal) {
      // Writing a log of thousands of steps would block the event loop.
      if (request.trace === true) return Promise.resolve(undefined)
      return new Promise((resolve, reject) => begin({ request, key: keyOf(request), signal, resolve, reject }))
    },
    count: () => count,
  }
}
