import { type Call, leavingOf } from '../base/call.ts'
import type { Cache } from './cache.ts'
import { canonical } from './canonical.ts'
import { createCoalescer } from './coalesce.ts'
import type { Entry } from './entry.ts'
import { createGenerations, type HeadKey } from './generation.ts'
import type { Run } from './run.ts'
import type { Outcome } from './types.ts'

/** Caches of answers that hold until the next head, and of answers that hold permanently. */
export interface Caches {
  readonly headCache: Cache<Outcome>
  readonly finalCache: Cache<Outcome>
}

/** Answers that hold for as long as a head does, or permanently. Equal calls share one run. */
export interface KeptAnswers {
  /** The last answer to a call without parameters, if there is one and it still holds. */
  last(entry: Entry, head: HeadKey): Outcome | undefined
  /** The kept answer at once, or the answer of a run that is under way or begins now. `bare`: the call had no parameters. */
  answer(entry: Entry, params: unknown, call: Call, head: HeadKey, bare: boolean): Promise<Outcome> | Outcome
}

/** Keeps what `run` answers in these caches. */
export const createKeptAnswers = ({ headCache, finalCache }: Caches, run: Run): KeptAnswers => {
  const generations = createGenerations(() => headCache.clear())
  const shared = createCoalescer<Outcome>()
  const cacheOf = ({ def }: Entry): Cache<Outcome> => (def.cache === 'final' ? finalCache : headCache)
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
      return shared.join(key, leavingOf(call), async (controller) => {
        const outcome = await run(entry, params, call, controller)
        if (outcome.ok && (final || born === generations.newest())) cache.set(key, { ...outcome, cached: true }, outcome.json.length)
        return outcome
      })
    },
  }
}
