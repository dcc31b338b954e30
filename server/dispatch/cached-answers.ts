import { ignoresUnknown, type ParamSource } from '../../shared/params.ts'
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
  /** The key of calls with these parameters, which need not be read for it. Throws RangeError for values that are nested too deep. */
  keyOf(entry: ServedMethod, raw: unknown, source: ParamSource, head: HeadKey): string
  /** The cached answer. `bare`: the call has no parameters. */
  find(entry: ServedMethod, key: string, head: HeadKey, bare: boolean): Outcome | undefined
  /** The answer of a run that other calls may share. It is kept. */
  run(entry: ServedMethod, key: string, params: unknown, call: Call, head: HeadKey): Promise<Outcome> | Outcome
}

/**
 * What a call asks for as a text. Calls of a method with the same text have the same parameters, so an answer that is kept needs no parameters to be read.
 * Names that the method ignores are left out.
 */
const askedText = ({ def, names }: ServedMethod, raw: unknown, source: ParamSource): string => {
  if (raw === undefined || raw === null) return canonical(NONE)
  if (!ignoresUnknown(def, source) || typeof raw !== 'object' || Array.isArray(raw)) return canonical(raw)
  const known: Record<string, unknown> = {}
  for (const name of names) if (Object.hasOwn(raw, name)) known[name] = (raw as Readonly<Record<string, unknown>>)[name]
  // A query is read in another way than a body (params.ts).
  return source === 'query' ? `?${canonical(known)}` : canonical(known)
}

const NONE = {}

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
    keyOf(entry, raw, source, head) {
      const period = entry.def.cache === 'final' ? `e${head.epoch}` : generations.of(head)
      return `${period}:${entry.name}${askedText(entry, raw, source)}`
    },
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
