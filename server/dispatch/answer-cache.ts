import { hasMoreValues } from '../../shared/json.ts'
import { ignoresUnknown, type ParamSource } from '../../shared/params.ts'
import type { Call } from '../base/call.ts'
import { canonical } from '../base/memory/canonical-text.ts'
import { Lru } from '../base/memory/lru.ts'
import { isTracing, traced } from '../base/tracing/tracer.ts'
import { isSameHead } from '../store/head/index-head.ts'
import type { IndexHead } from '../store/schema/head.ts'
import type { ServedMethod } from './entry.ts'
import { createSharedRuns, withCaller } from './run.ts'
import type { Outcome } from './types.ts'

export interface CacheLimits {
  readonly entries: number
  readonly bytes: number
  /** Milliseconds until an entry expires. By default it does not. */
  readonly age?: number
}

/** Estimated bytes of an entry besides its text: its slots in the cache, the object, and two string headers. */
const OVERHEAD = 160

/** LRU cache bounded by entries and bytes. Keys count as bytes too, because they contain callers' parameters. */
export const createCache = <V extends {}>({ entries: max, bytes: maxSize, age }: CacheLimits) => {
  const values = new Lru<string, V>({ max, maxSize, maxEntrySize: Math.floor(maxSize / 8), ...(age !== undefined && { ttl: age }) })
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
  /** Answers of the index, and its head; undefined while that is not in memory. */
  readonly indexed?: { readonly cache: Cache; readonly head: () => IndexHead | undefined } | undefined
}

/** Where one call finds and leaves its answer. */
export interface Slot {
  readonly find: () => Outcome | undefined
  /** Runs the work and stores its answer. */
  readonly run: (caller: Pick<Call, 'signal' | 'acceptsPieces'>, work: (run: AbortController) => Promise<Outcome>) => Promise<Outcome>
}

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

/**
 * Returns a function that numbers the heads, for cache keys; it returns undefined while there is no head. Answers of an earlier head are dropped. After a
 * revert the number is new even if the head is a block that was the head before, because `epoch` differs.
 */
const createGenerations = <Head>(head: () => Head | undefined, isSame: (a: Head, b: Head) => boolean, cache: Cache) => {
  let present: Head | undefined
  let number = 0
  return (): { readonly head: Head; readonly number: number } | undefined => {
    const current = head()
    if (current === undefined) return undefined
    if (present === undefined || (current !== present && !isSame(current, present))) {
      number++
      cache.clear()
    }
    present = current
    return { head: current, number }
  }
}

const tracedFind = (name: string, find: Slot['find']): Outcome | undefined =>
  traced({ name: 'cache', kind: 'step', attributes: { 'tonway.cache': name } }, (span) => {
    const cached = find()
    span.set({ 'tonway.cache.hit': cached !== undefined })
    return cached
  })

/** Returns a function that finds the cache slot of a call; undefined if its answer is not cached. */
export const createAnswerCache = ({ headCache, finalCache, head, indexed }: AnswerCacheDeps) => {
  const chainHead = createGenerations(head, isSame, headCache)
  const indexHead = indexed && createGenerations(indexed.head, isSameHead, indexed.cache)
  const joinRun = createSharedRuns<Outcome>()
  const tracing = isTracing()
  /** Runs of equal calls are shared if `isShared`. An answer that comes after the head has changed has a key that no later call has. */
  const slot = (name: string, cache: Cache, key: string, isShared: boolean): Slot => {
    const find = () => cache.get(key)
    const store = (outcome: Outcome): Outcome => {
      if (outcome.ok && !outcome.isTransient && outcome.rest === undefined && outcome.more === undefined)
        cache.set(key, { ...outcome, cached: true }, outcome.json.length)
      return outcome
    }
    return {
      find: tracing ? () => tracedFind(name, find) : find,
      run({ signal, acceptsPieces }, work) {
        const stored = async (run: AbortController): Promise<Outcome> => store(await work(run))
        // Those who accept pieces may get longer answers than others.
        return isShared ? joinRun(acceptsPieces ? `+${key}` : key, signal, stored) : withCaller(signal, stored)
      },
    }
  }

  const slotOfChain = (isFinal: boolean, request: string): Slot | undefined => {
    const now = chainHead()
    if (now === undefined) return undefined
    if (isFinal) return slot('final', finalCache, `e${now.head.epoch}:${request}`, true)
    return slot('head', headCache, `${now.number}:${request}`, true)
  }

  /** Equal calls do not share a run, because the rest of a long answer is read by one caller only. */
  const slotOfIndex = (request: string): Slot | undefined => {
    const number = indexHead?.()?.number
    if (number === undefined) return undefined
    return slot('index', indexed!.cache, `${number}:${request}`, false)
  }

  return (method: ServedMethod, raw: unknown, source: ParamSource): Slot | undefined => {
    const { name, def } = method
    if (def.cache === 'never' || hasMoreValues(raw, MAX_KEY_VALUES)) return undefined
    const request = `${name}${requestText(method, raw, source)}`
    return def.cache === 'index' ? slotOfIndex(request) : slotOfChain(def.cache === 'final', request)
  }
}
