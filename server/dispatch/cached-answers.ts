import type { Call } from '../base/call.ts'
import { canonical } from '../base/memory/canonical.ts'
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
  /** The cached answer at once, or the answer of a run that other calls may share. `bare`: the call had no parameters. */
  answer(entry: ServedMethod, params: unknown, call: Call, head: HeadKey, bare: boolean): Promise<Outcome> | Outcome
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
    answer(entry, params, call, head, bare) {
      const final = entry.def.cache === 'final'
      const cache = cacheOf(entry)
      const born = generations.of(head)
      const key = `${final ? `e${head.epoch}` : born}:${entry.name}${canonical(params)}`
      const hit = cache.get(key)
      if (hit) {
        if (bare) entry.bare = { key, epoch: head.epoch, born }
        return hit
      }
      const keep = (outcome: Outcome): Outcome => {
        if (outcome.ok && (final || born === generations.newest())) cache.set(key, { ...outcome, cached: true }, outcome.json.length)
        return outcome
      }
      return shared.join(key, call.signal, (signal) => {
        const outcome = run(entry, params, call, signal)
        return outcome instanceof Promise ? outcome.then(keep) : keep(outcome)
      })
    },
  }
}
