import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { clientOf } from '../base/client.ts'
import { VmInterrupted } from './machine/exceptions.ts'
import { runMethod, TooManyValues } from './method-run.ts'
import type { GetMethodRequest, GetMethodResult } from './tvm.ts'

/*
 * A get-method takes a few microseconds, and to pass it to a thread and back takes twenty. So it is run where it is asked for, but only for a few
 * milliseconds: what takes longer, or needs an operation on a curve, is dropped and begun again in the pool.
 */

/** Milliseconds of one run, and of all runs in one turn of the event loop. */
const MOST_MS = 3
/** Steps of 5,000 gas that a run may take: what is left is soon over, or long. */
const MOST_CHECKS = 200
/** Values of a result that are written out here. */
const MOST_VALUES = 2_000
/** Methods that are known to be quick or slow, and clients who asked for slow ones. */
const REMEMBERED = 4_096
/** Milliseconds for which a method that was dropped goes to the pool at once. */
const SLOW_MS = 10_000
/** Milliseconds for which a client whose run was dropped may run only methods here that are known to be quick. */
const SUSPECT_MS = 1_000

export interface Inline {
  /** Runs a get-method here; undefined where it has to go to the pool. Rejects with a TvmError. */
  run(request: GetMethodRequest, signal: AbortSignal): Promise<GetMethodResult | undefined>
  /** Runs that ended here. */
  count(): number
}

/** `now`: milliseconds that never go back. */
export const createInline = (now: () => number = () => performance.now()): Inline => {
  const quick = new LRUCache<string, true>({ max: REMEMBERED })
  const slow = new LRUCache<string, number>({ max: REMEMBERED })
  const suspects = new LRUCache<string, number>({ max: REMEMBERED })
  let spent = 0
  let counting = false
  let count = 0

  const spend = (ms: number): void => {
    spent += ms
    if (counting) return
    counting = true
    setImmediate(() => {
      counting = false
      spent = 0
    })
  }
  const isOver = (until: number | undefined): boolean => until === undefined || now() > until

  /** Whether a run may be tried here. */
  const mayTry = (key: string, client: string): boolean => {
    if (!isOver(slow.get(key))) return false
    return quick.get(key) === true || isOver(suspects.get(client))
  }

  const attempt = (request: GetMethodRequest, key: string, client: string): GetMethodResult | undefined => {
    const start = now()
    let checks = 0
    const interrupt = (isSlow: boolean): boolean => isSlow || ++checks > MOST_CHECKS || now() - start > MOST_MS
    try {
      const result = runMethod(request, interrupt, MOST_VALUES)
      quick.set(key, true)
      count++
      return result
    } catch (error) {
      if (!(error instanceof VmInterrupted) && !(error instanceof TooManyValues)) throw error
      quick.delete(key)
      slow.set(key, now() + SLOW_MS)
      if (client !== '') suspects.set(client, now() + SUSPECT_MS)
      return undefined
    } finally {
      spend(now() - start)
    }
  }

  return {
    async run(request, signal) {
      // A log of thousands of steps is text enough to hold up a turn.
      if (request.trace === true) return undefined
      const key = `${request.code.hashKey()}${request.methodId}`
      const client = clientOf(signal) ?? ''
      while (mayTry(key, client)) {
        if (spent < MOST_MS) return attempt(request, key, client)
        await nextTurn()
        signal.throwIfAborted()
      }
      return undefined
    },
    count: () => count,
  }
}
