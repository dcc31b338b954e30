import { hasMoreValues } from '../../shared/json.ts'
import { ignoresUnknown, type ParamSource } from '../../shared/params.ts'
import { canonical } from '../base/memory/canonical-text.ts'
import { Lru } from '../base/memory/lru.ts'
import { isTracing, traced } from '../base/tracing/tracer.ts'
import type { ServedMethod } from './entry.ts'
import { createSharedRuns } from './run.ts'
import type { Outcome } from './types.ts'

export interface CacheLimits {
  readonly entries: number
  readonly bytes: number
}

/** Estimated bytes of an entry besides its text: its slots in the cache, the object, and two string headers. */
const OVERHEAD = 160

/** LRU cache bounded by entries and bytes. Keys count as bytes too, because they contain callers' parameters. */
export const createCache = <V extends {}>(limits: CacheLimits) => {
  const values = new Lru<string, V>({ max: limits.entries, maxSize: limits.bytes, maxEntrySize: Math.floor(limits.bytes / 8) })
  let hits = 0
  let misses = 0
  return {
    get(key: string): V | undefined {
      const value = values.get(key)
      if (value === undefined) misses++
      else hits++
      return value
    },
    /** `bytes`: size of the value. An entry larger than an eighth of the cache is not stored. */
    set: (key: string, value: V, bytes: number): void => void values.set(key, value, { size: bytes + key.length + OVERHEAD }),
    clear: (): void => values.clear(),
    stats: () => ({ entries: values.size, bytes: values.calculatedSize, hits, misses }),
  }
}

type Cache = ReturnType<typeof createCache<Outcome>>

export interface HeadKey {
  readonly epoch: number
  readonly id: { readonly rootHash: Uint8Array }
}

const isSame = (a: HeadKey, b: HeadKey): boolean => a.epoch === b.epoch && Buffer.compare(a.id.rootHash, b.id.rootHash) === 0

export interface AnswerCacheDeps {
  /** Answers that are valid until the next head. */
  readonly headCache: Cache
  readonly finalCache: Cache
  /** undefined while the chain has no head. Nothing is cached then. */
  readonly head: () => HeadKey | undefined
}

export type Slot = NonNullable<ReturnType<ReturnType<typeof createAnswerCache>>>

/**
 * Maximum number of values in the parameters of a call whose answer is cached. The longest lists of addresses have a thousand. A request can have a hundred
 * times as many, and to sort and write them as a key takes longer than to refuse them.
 */
const MAX_KEY_VALUES = 2_000

/**
 * Canonical text of a call's parameters, without names that the method ignores. It is a cache key, so that cached answers are found without parsing. Throws
 * RangeError for values that are nested too deep.
 */
const requestText = ({ def, names }: ServedMethod, raw: unknown, source: ParamSource): string => {
  if (raw === undefined || raw === null) return canonical({})
  if (!ignoresUnknown(def, source) || typeof raw !== 'object' || Array.isArray(raw)) return canonical(raw)
  const used: Record<string, unknown> = {}
  for (const name of names) if (Object.hasOwn(raw, name)) used[name] = (raw as Readonly<Record<string, unknown>>)[name]
  // A query is parsed by other rules than a body (params.ts), so its text is marked.
  return source === 'query' ? `?${canonical(used)}` : canonical(used)
}

const tracedFind = (name: string, find: () => Outcome | undefined): Outcome | undefined =>
  traced({ name: 'cache', kind: 'step', attributes: { 'tonway.cache': name } }, (span) => {
    const cached = find()
    span.set({ 'tonway.cache.hit': cached !== undefined })
    return cached
  })

/** Returns a function that finds the cache slot of a call; undefined if its answer is not cached. */
export const createAnswerCache = ({ headCache, finalCache, head }: AnswerCacheDeps) => {
  let present: HeadKey | undefined
  let generation = 0
  /** Number of the head, which cache keys contain. After a revert it is new even if the head is a block that was the head before, because `epoch` differs. */
  const generationOf = (head: HeadKey): number => {
    if (present === undefined || (head !== present && !isSame(head, present))) {
      generation++
      headCache.clear()
    }
    present = head
    return generation
  }
  const joinRun = createSharedRuns<Outcome>()
  const tracing = isTracing()
  return (method: ServedMethod, raw: unknown, source: ParamSource) => {
    const { name, def } = method
    const current = def.cache === 'never' || hasMoreValues(raw, MAX_KEY_VALUES) ? undefined : head()
    if (current === undefined) return undefined
    const isFinal = def.cache === 'final'
    const cache = isFinal ? finalCache : headCache
    const own = generationOf(current)
    const key = `${isFinal ? `e${current.epoch}` : own}:${name}${requestText(method, raw, source)}`
    const store = (outcome: Outcome): Outcome => {
      if (outcome.ok && (isFinal ? !outcome.isTransient : own === generation))
        cache.set(key, { ...outcome, cached: true }, outcome.json.length)
      return outcome
    }
    return {
      find: tracing ? () => tracedFind(isFinal ? 'final' : 'head', () => cache.get(key)) : () => cache.get(key),
      /** Runs the work and stores its answer. Equal calls at the same time share one run. */
      run: (caller: AbortSignal, work: (run: AbortController) => Promise<Outcome>): Promise<Outcome> =>
        joinRun(key, caller, async (run) => store(await work(run))),
    }
  }
}
