import type { Call } from '../base/call.ts'
import type { Cache } from './cache.ts'
import { createCoalescer } from './coalesce.ts'
import type { ServedMethod } from './entry.ts'
import { createGenerations, type HeadKey } from './head-generations.ts'
import type { RunEntry } from './run.ts'
import type { Outcome } from './types.ts'

/** The caches: one for answers that hold until the next head, one for answers that hold permanently. */
export interface Caches {
  readonly headCache: Cache<Outcome>
  readonly finalCache: Cache<Outcome>
}

/** Answers from the caches. If there is none, the call is run; equal calls at the same time share one run. */
export interface CachedAnswers {
  /** The last answer to a call of this method without parameters; undefined if there is none or it no longer holds. */
  last(entry: ServedMethod, head: HeadKey): Outcome | undefined
  /** The key of calls with these parameters, for the answers below. `asked`: their text (asked-text.ts). */
  keyOf(entry: ServedMethod, asked: string, head: HeadKey): string
  /** The cached answer. `bare`: the call has no parameters. */
  find(entry: ServedMethod, key: string, head: HeadKey, bare: boolean): Outcome | undefined
  /** The answer of a run that other calls may share. It is kept. */
  run(entry: ServedMethod, key: string, params: unknown, call: Call, head: HeadKey): Promise<Outcome> | Outcome
}

/** Makes cached answers from a runner and caches. */
export const createCachedAnswers = ({ headCache, finalCache }: Caches, run: RunEntry): CachedAnswers => {
  const generations = createGenerations(() => headCache.clear())
  const shared = createCoalescer<Outcome>()
  const cacheOf = ({ def }: ServedMethod): Cache<Outcome> => (def.cache === 'final' ? finalCache : headCache)
  return {
    last(entry, head) {
      const { bare } = entry
      if (bare === undefined) return undefined
      const holds = entry.def.cache === 'final' ? bare.epoch === head.epoch : bare.born === generations.of(head)
      return holds ? cacheOf(entry).get(bare.key) : undefined
    },
    keyOf: (entry, asked, head) => `${entry.def.cache === 'final' ? `e${head.epoch}` : generations.of(head)}:${entry.name}${asked}`,
    find(entry, key, head, bare) {
      const found = cacheOf(entry).get(key)
      if (bare && found) entry.bare = { key, epoch: head.epoch, born: generations.of(head) }
      return found
    },
    run(entry, key, params, call, head) {
      const born = generations.of(head)
      const keep = (outcome: Outcome): Outcome => {
        if (!outcome.ok || (entry.def.cache !== 'final' && born !== generations.newest())) return outcome
        cacheOf(entry).set(key, { ...outcome, cached: true }, outcome.json.length)
        return outcome
      }
      return shared.join(key, call.signal, (signal) => {
        const outcome = run(entry, params, call, signal)
        return outcome instanceof Promise ? outcome.then(keep) : keep(outcome)
      })
    },
  }
}
