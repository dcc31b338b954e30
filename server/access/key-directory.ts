import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { TonError } from '../../shared/errors.ts'
import type { Caller } from '../base/call.ts'
import { Lru } from '../base/memory/lru.ts'
import { portionsOf } from '../base/memory/portions.ts'
import { oneAtATime } from '../base/promises/one-at-a-time.ts'
import { createPauses, mapWithPauses } from '../base/yield.ts'
import { ownerBucket } from './bucket-names.ts'
import type { KeyGrant, KeyRecord } from './key-queries.ts'

/** State of a key in this process. */
export interface KeyState extends KeyGrant {
  readonly bucket: string
  caller?: Caller
}

export interface DirectoryDeps {
  /** Reads keys by one query. Those that do not exist are left out. */
  readonly grants: (ids: readonly string[]) => Promise<readonly KeyGrant[]>
  /** Unix milliseconds, for expiry. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly ticks: () => number
}

/** While the database is not reachable, cached keys stay valid for this time (ms). */
const GRACE = 60_000
/** Time (ms) after which a cached key is queried again, because somebody may have changed the tables by hand. */
const LONGEST = 30_000
const MAX_KEYS = 20_000
/** Maximum number of keys that are queried at a time. */
const MAX_PENDING = 5_000
/** Watched keys that are read by one query. Calls would wait behind a query for each of thousands. */
const SWEPT_TOGETHER = 500

export const unavailable = (cause?: unknown): TonError =>
  new TonError('UNAVAILABLE', 'keys cannot be checked at the moment', { cause, retryAfter: 1 })

/** `now` (unix milliseconds) is called only for a key with an expiry. */
export const hasEnded = ({ revokedAt, expiresAt }: KeyRecord, now: () => number): boolean =>
  revokedAt !== undefined || (expiresAt !== undefined && expiresAt.getTime() <= now())

export type KeyDirectory = ReturnType<typeof createKeyDirectory>

/** Bounded cache of keys. It is cleared when the number of changes in the database is a new one. */
export const createKeyDirectory = ({ grants, now, ticks }: DirectoryDeps) => {
  const cache = new Lru<string, { readonly state: KeyState; readonly readAt: number }>({ max: MAX_KEYS })
  /** Keys that are queried. A change begins another map, so that no later call waits for an older answer. */
  let pending = new Map<string, Promise<KeyState | undefined>>()
  /** Has an event of the name of each watched key, which is emitted when the key has ended. */
  const ends = new EventEmitter().setMaxListeners(0)
  let count: bigint | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  /** Number of queried keys without an answer, with those that a change has removed from `pending`. */
  let unanswered = 0

  /** Keys that the next query reads: those that are requested in one turn of the event loop. */
  let requested: string[] = []
  let reading: Promise<ReadonlyMap<string, KeyState>> | undefined

  const readRequested = async (): Promise<ReadonlyMap<string, KeyState>> => {
    await setImmediate()
    const ids = requested
    requested = []
    reading = undefined
    try {
      const found = await grants(ids)
      return new Map(found.map((grant) => [grant.id, { ...grant, bucket: ownerBucket(grant.network, grant.plan, grant.owner) }]))
    } catch (cause) {
      throw cause instanceof TonError ? cause : unavailable(cause)
    } finally {
      unanswered -= ids.length
    }
  }
  /** `before`: the cached state, which is the answer if the database does not answer. */
  const load = async (id: string, before: KeyState | undefined): Promise<KeyState | undefined> => {
    // An answer that a change overtakes may be older than the change, so it is used once and not cached.
    const own = pending
    unanswered++
    requested.push(id)
    reading ??= readRequested()
    try {
      const state = (await reading).get(id)
      if (own === pending && state !== undefined) cache.set(id, { state, readAt: ticks() })
      return state
    } catch (error) {
      // Callers that came later may wait for this answer too.
      if (before !== undefined && own === pending && ticks() - countedAt < GRACE) return before
      throw error
    } finally {
      own.delete(id)
    }
  }

  /**
   * Finds a key by its id, in the cache or else in the database. Returns undefined if there is none. Rejects with UNAVAILABLE if the database does not answer,
   * or if `most` keys wait for its answer already.
   */
  const find = (id: string, most = MAX_PENDING): KeyState | Promise<KeyState | undefined> => {
    const at = ticks()
    const cached = at - countedAt < GRACE ? cache.get(id) : undefined
    if (cached !== undefined && at - cached.readAt < LONGEST) return cached.state
    const before = pending.get(id)
    if (before !== undefined) return before
    if (unanswered >= most) return Promise.reject(unavailable())
    const loading = load(id, cached?.state)
    pending.set(id, loading)
    return loading
  }

  /** Ends a watch if its key has ended. */
  const check = async (id: string): Promise<void> => {
    const state = await find(id, Number.POSITIVE_INFINITY)
    // Only an operator deletes a key, directly in the database. That counts as revoking it.
    const isRevoked = state === undefined || state.revokedAt !== undefined
    if (!isRevoked && !hasEnded(state, now)) return
    const reason = isRevoked ? 'the API key was revoked' : 'the API key has expired'
    // Thousands of streams may watch one key, and each takes up to a millisecond to end. A raw listener removes itself, and does nothing a second time.
    await mapWithPauses(ends.rawListeners(id), (end) => end(reason))
  }
  const checkAll = async (): Promise<void> => {
    const pause = createPauses()
    for (const ids of portionsOf(ends.eventNames() as string[], SWEPT_TOGETHER)) {
      // Keys that cannot be queried are looked at again at the next sweep.
      await Promise.all(ids.map((id) => check(id).catch(() => {})))
      await pause()
    }
  }
  const sweep = oneAtATime(checkAll)

  return {
    find: (id: string) => find(id),
    /** The newest cached state of a key that was found before; otherwise that state. */
    newest: (before: KeyState): KeyState => cache.get(before.id)?.state ?? before,
    /** Calls `listener` once, with the reason, when the key is revoked or has expired. Returns a function that removes the listener. */
    watch(id: string, listener: (reason: string) => void): () => void {
      ends.once(id, listener)
      return () => ends.off(id, listener)
    },
    /** Checks whether watched keys have ended: they may have expired, also while the database is away. */
    sweep,
    /** Reports the number of changes in the database at a time (ticks). If the number is new, any key may have changed, so the cache is cleared. */
    saw(changes: bigint, at: number): void {
      countedAt = at
      if (changes !== count) {
        count = changes
        cache.clear()
        pending = new Map()
      }
      sweep()
    },
    size: () => cache.size,
  }
}
