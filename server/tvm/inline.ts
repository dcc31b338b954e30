import { setMaxListeners } from 'node:events'
import { createFairLine } from '../base/fair-line.ts'
import { Lru } from '../base/memory/lru.ts'
import { createUsage } from '../base/recent-use.ts'
import { runGetMethodRequest, TooManyValues } from './get-method-request.ts'
import { VmInterrupted } from './machine/exceptions.ts'
import { type GetMethodRequest, type GetMethodResult, TvmError } from './tvm.ts'

/*
 * A get-method usually takes a few microseconds, but passing it to a thread and back takes twenty. So it first runs in the calling thread, for at most a few
 * milliseconds. A run that takes longer, or needs an operation on a curve, is dropped and repeated in the pool.
 */

/** Maximum duration of one run, ms. After runs took this long in one turn of the event loop, further runs wait for the next turn. */
const MAX_MS = 3
/**
 * Maximum duration, ms, that is counted for a run that ended before its first check. Such a run is short, so if it took longer, another process had the
 * processor.
 */
const UNCHECKED_MS = 0.5
/** Maximum number of checks of a run in the calling thread, one every 5,000 gas. A run with more checks goes to the pool. */
const MAX_CHECKS = 100
/** Maximum number of values of a result that are converted in the calling thread. */
const MAX_VALUES = 2_000
/** Maximum number of quick methods, of slow methods, and of suspect clients that are remembered. */
const REMEMBERED = 4_096
/** Time, ms, during which a method goes directly to the pool after one of its runs was dropped. */
const SLOW_MS = 10_000
/** Time, ms, during which a client may run only quick methods in the calling thread after one of its runs was dropped. */
const SUSPECT_MS = 1_000
const MAX_WAITING = 500
/** Half-life of the time that is counted for a client's runs, ms. */
const HALF_LIFE = 2_000

interface Waiting {
  readonly request: GetMethodRequest
  readonly key: string
  readonly signal: AbortSignal
  readonly resolve: (result: GetMethodResult | undefined) => void
  readonly reject: (error: unknown) => void
}

const keyOf = ({ code, methodId }: GetMethodRequest): string => `${code.hashKey()}${methodId}`

/** `now` returns monotonic milliseconds. `most` is the maximum number of runs that wait. */
export const createInline = (now: () => number = () => performance.now(), most = MAX_WAITING) => {
  const quick = new Lru<string, true>({ max: REMEMBERED })
  const slow = new Lru<string, number>({ max: REMEMBERED })
  const suspects = new Lru<string, number>({ max: REMEMBERED })
  /** Milliseconds that the runs of each client took after a wait. Runs that did not wait are not counted, because fairness matters only if runs wait. */
  const used = createUsage(HALF_LIFE, () => performance.now())
  const waiting = createFairLine<Waiting, string>({ most, clientOf: (client) => client, usedBy: used.of })
  let spent = 0
  let counting = false
  let count = 0

  /** Called at the start of a turn of the event loop. Starts the waiting runs, first those of clients whose runs recently took little time. */
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

  /**
   * Makes a run wait for a turn of the event loop. If too many runs wait, refuses one: a run of the client with the most waiting runs. If several clients have
   * equally many, refuses a run of the client whose runs took the most time.
   */
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
    // A batch of calls may share one signal, which then has many listeners.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', abort, { once: true })
    waiting.push(own, run.request.client ?? '')?.reject(new TvmError('overloaded', `${most} get-methods are waiting`))
    countTurn()
  }

  /** Runs the method now, makes it wait for a turn of the event loop, or resolves to undefined so that the pool runs it. */
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
    /** Runs a get-method in the calling thread. Resolves to undefined if the run must go to the pool. Rejects with a TvmError. */
    run(request: GetMethodRequest, signal: AbortSignal): Promise<GetMethodResult | undefined> {
      // Writing a log of thousands of steps would block the event loop.
      if (request.trace === true) return Promise.resolve(undefined)
      return new Promise((resolve, reject) => begin({ request, key: keyOf(request), signal, resolve, reject }))
    },
    count: () => count,
  }
}
