import { ignoresUnknown, type ParamSource } from '../../shared/params.ts'
import { CallSignal, untilAborted } from '../base/abort.ts'
import type { Call } from '../base/call.ts'
import { Asked } from '../base/memory/asked.ts'
import { canonical } from '../base/memory/canonical.ts'
import { Lru } from '../base/memory/lru.ts'
import type { ServedMethod } from './entry.ts'
import type { RunEntry } from './run.ts'
import type { Outcome } from './types.ts'

/** Bounds of a cache: number of entries, and their weight in bytes. */
export interface CacheLimits {
  readonly entries: number
  readonly bytes: number
  /** With at least this many entries, a value is kept only if its key was asked for before; by default every value is kept. */
  readonly free?: number
}

/** An LRU cache that is bounded by count and by bytes. Keys count too, because they contain a caller's parameters. */
export interface Cache<V> {
  get(key: string): V | undefined
  /** `bytes`: weight of the value. An entry that is heavier than an eighth of the cache is not kept. */
  set(key: string, value: V, bytes: number): void
  clear(): void
  stats(): { readonly entries: number; readonly bytes: number; readonly hits: number; readonly misses: number }
}

/** Memory of an entry beyond its text: its places in the cache, the object, two string headers. */
const OVERHEAD = 160

/**
 * Keeping an answer that nobody asks for again costs more than it takes to look for it: it outlives two garbage collections, and pushes out others. So
 * once `free` entries are there, only answers that are asked for repeatedly are kept.
 */
export const createCache = <V extends {}>(limits: CacheLimits): Cache<V> => {
  const { free = Number.POSITIVE_INFINITY } = limits
  const asked = new Asked()
  const kept = new Lru<string, V>({ max: limits.entries, maxSize: limits.bytes, maxEntrySize: Math.floor(limits.bytes / 8) })
  let hits = 0
  let misses = 0
  return {
    get(key) {
      const value = kept.get(key)
      if (value !== undefined) hits++
      else {
        misses++
        if (kept.size >= free) asked.add(key)
      }
      return value
    },
    set(key, value, bytes) {
      if (kept.size >= free && !asked.isTwice(key)) return
      kept.set(key, value, { size: bytes + key.length + OVERHEAD })
    },
    clear() {
      asked.clear()
      // Clearing takes time for all the room that there is, used or not: 40 µs for 10,000 entries.
      if (kept.size > 0) kept.clear()
    },
    stats: () => ({ entries: kept.size, bytes: kept.calculatedSize, hits, misses }),
  }
}

/** What dispatch needs from the chain: which block is the current head. */
export interface HeadKey {
  readonly epoch: number
  readonly id: { readonly rootHash: Uint8Array }
}

/** Counts the heads seen, by epoch and root hash. A revert is a new generation even if it leads to a known block. */
interface Generations {
  /** The generation of the chain's current head. In cache keys it stands for that head. */
  of(head: HeadKey): number
  /** The newest generation. */
  newest(): number
}

/** `onNew` is called before a new generation is given out. */
const createGenerations = (onNew: () => void): Generations => {
  let present: HeadKey | undefined
  let presentHash = ''
  let generation = 0
  return {
    of(head) {
      if (head === present) return generation
      const hash = Buffer.from(head.id.rootHash).toString('hex')
      if (head.epoch !== present?.epoch || hash !== presentHash) {
        generation++
        onNew()
      }
      present = head
      presentHash = hash
      return generation
    },
    newest: () => generation,
  }
}

/** Runs that several callers can share. */
interface Coalescer<T> {
  /**
   * Joins the run of this key, or starts it. `run`'s signal is aborted when the last caller has left. The promise of a caller that
   * leaves is rejected with its reason; the others keep waiting. A run that is over at once is not shared, because nobody can join it.
   */
  join(key: string, caller: AbortSignal, run: (signal: CallSignal) => Promise<T> | T): Promise<T> | T
  /** Number of current runs. */
  size(): number
}

interface Run<T> {
  readonly result: Promise<T>
  readonly signal: CallSignal
  waiters: number
}

const createCoalescer = <T>(): Coalescer<T> => {
  const runs = new Map<string, Run<T>>()

  const keep = (key: string, run: Run<T>): void => {
    runs.set(key, run)
    const forget = (): void => {
      if (runs.get(key) === run) runs.delete(key)
    }
    run.result.then(forget, forget)
  }

  const waitFor = (key: string, run: Run<T>, caller: AbortSignal): Promise<T> => {
    run.waiters++
    return untilAborted(run.result, caller, () => {
      if (--run.waiters > 0) return
      // Nobody is left. Later callers start a new run instead of joining one that is being aborted.
      if (runs.get(key) === run) runs.delete(key)
      run.signal.abort(caller.reason)
    })
  }

  return {
    join(key, caller, work) {
      if (caller.aborted) return Promise.reject(caller.reason)
      const running = runs.get(key)
      if (running !== undefined) return waitFor(key, running, caller)
      const signal = new CallSignal()
      const result = work(signal)
      if (!(result instanceof Promise)) return result
      const run: Run<T> = { signal, waiters: 0, result }
      keep(key, run)
      return waitFor(key, run, caller)
    },
    size: () => runs.size,
  }
}

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
