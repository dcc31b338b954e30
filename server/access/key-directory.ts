import { setImmediate as nextTurn } from 'node:timers/promises'
import { TonError } from '../../shared/errors.ts'
import type { Caller } from '../base/call.ts'
import { Lru } from '../base/memory/lru.ts'
import { ownerBucket } from './bucket-names.ts'
import type { KeyGrant } from './key-queries.ts'
import { KEY_ID } from './key-text.ts'

/** State of a key in this process. While a key is watched, the object is changed in place, so that everyone who has it sees the changes. */
export interface KeyState extends KeyGrant {
  revoked: boolean
  readonly bucket: string
  caller?: Caller
}

/** Bounded cache of keys. It is cleared when the number of changes in the database is a new one. */
export interface KeyDirectory {
  /** Finds a key by its id; undefined if there is none. Rejects with UNAVAILABLE if the key is not cached and the database does not answer. */
  find(id: string): KeyState | undefined | Promise<KeyState | undefined>
  /** Calls `listener` once, when the key is revoked or has expired. Returns a function that removes the listener. */
  watch(state: KeyState, listener: () => void): () => void
  /** Reports the number of changes in the database at a time (ticks). If the number is new, any key may have changed, so the cache is cleared. */
  saw(count: bigint, at: number): void
  size(): number
  close(): void
}

export interface DirectoryDeps {
  readonly grants: (ids: readonly string[]) => Promise<readonly KeyGrant[]>
  /** Unix milliseconds, for expiry. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly ticks: () => number
}

/** While the database is not reachable, cached keys stay valid for this time (ms). */
const GRACE = 60_000
/** Interval (ms) at which all keys are queried again, because somebody may have changed the tables by hand. */
const LONGEST = 30_000
/** Interval (ms) of the check for expired keys, and for watched keys that must be queried again. */
const SWEEP = 500
const MAX_KEYS = 20_000
/** `BATCH`: maximum number of ids in one query. `MAX_WAITING`: maximum number of calls that wait for an answer. */
const BATCH = 1_000
const MAX_WAITING = 20_000

export const unavailable = (cause?: unknown): TonError =>
  new TonError('UNAVAILABLE', 'keys cannot be checked at the moment', { cause, retryAfter: 1 })

/** `now` (unix milliseconds) is called only for a key with an expiry. */
export const hasEnded = ({ revoked, expiresAt }: KeyState, now: () => number): boolean =>
  revoked || (expiresAt !== Number.POSITIVE_INFINITY && expiresAt <= now())

/** A key in use for longer than one call: its WebSocket is closed when the key ends. */
interface Watch {
  readonly state: KeyState
  readonly listeners: Set<() => void>
  /** The directory's `version` at which the state was queried. */
  version: number
}

interface Query {
  readonly ids: Set<string>
  readonly answer: Promise<ReadonlyMap<string, KeyGrant>>
}

export const createKeyDirectory = ({ grants, now, ticks }: DirectoryDeps): KeyDirectory => {
  const cache = new Lru<string, KeyState>({ max: MAX_KEYS })
  const watched = new Map<string, Watch>()
  /** Incremented when keys may have changed. If it changes during a query, the answer is used once and not cached. */
  let version = 0
  let count: bigint | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  let clearedAt = Number.NEGATIVE_INFINITY
  /** The query that is sent in the next event-loop turn, for all ids that are requested before. */
  let next: Query | undefined
  let waiting = 0
  let closed = false

  const end = (id: string): void => {
    const watch = watched.get(id)
    if (watch === undefined) return
    watched.delete(id)
    for (const listener of watch.listeners) listener()
  }

  const settle = (id: string, grant: KeyGrant | undefined, queriedVersion: number): KeyState | undefined => {
    const watch = watched.get(id)
    if (grant === undefined) {
      // Only an operator deletes a key, directly in the database. The key counts as revoked, so that open connections see the deletion.
      if (watch) watch.state.revoked = true
      cache.delete(id)
      end(id)
      return undefined
    }
    const fresh = { ...grant, bucket: ownerBucket(grant.network, grant.plan, grant.owner) }
    if (queriedVersion !== version) return fresh
    const state: KeyState = watch ? Object.assign(watch.state, fresh) : fresh
    if (watch) watch.version = queriedVersion
    cache.set(id, state)
    if (hasEnded(state, now)) end(id)
    return state
  }

  const begin = (): Query => {
    const ids = new Set<string>()
    const run = async (): Promise<ReadonlyMap<string, KeyGrant>> => {
      await nextTurn()
      if (next?.ids === ids) next = undefined
      return new Map((await grants([...ids])).map((grant) => [grant.id, grant]))
    }
    return { ids, answer: run() }
  }

  const ask = async (id: string): Promise<KeyState | undefined> => {
    if (closed || waiting >= MAX_WAITING) throw unavailable()
    if (next === undefined || next.ids.size >= BATCH) next = begin()
    next.ids.add(id)
    const queriedVersion = version
    waiting++
    try {
      return settle(id, (await next.answer).get(id), queriedVersion)
    } catch (cause) {
      throw cause instanceof TonError ? cause : unavailable(cause)
    } finally {
      waiting--
    }
  }

  let reloading = false
  /** Queries watched keys that may have changed. A failed query is repeated at the next sweep. */
  const reload = async (): Promise<void> => {
    if (reloading) return
    reloading = true
    const old = [...watched].filter(([, watch]) => watch.version !== version)
    await Promise.allSettled(old.map(([id]) => ask(id)))
    reloading = false
  }
  const sweep = (): void => {
    for (const [id, { state }] of watched) if (hasEnded(state, now)) end(id)
    void reload()
  }
  const sweeping = setInterval(sweep, SWEEP)
  sweeping.unref()

  return {
    find(id) {
      const state = cache.get(id)
      if (state !== undefined && ticks() - countedAt < GRACE) return state
      return KEY_ID.test(id) ? ask(id) : undefined
    },
    watch(state, listener) {
      const { id } = state
      // The key may have changed between `find` and `watch`. Version -1 makes the next sweep query it.
      const watch = watched.get(id) ?? { state, listeners: new Set(), version: cache.get(id) === state ? version : -1 }
      watched.set(id, watch)
      watch.listeners.add(listener)
      return () => {
        watch.listeners.delete(listener)
        if (watch.listeners.size === 0 && watched.get(id) === watch) watched.delete(id)
      }
    },
    saw(changes, at) {
      countedAt = at
      if (changes === count && at - clearedAt < LONGEST) return
      count = changes
      clearedAt = at
      version++
      cache.clear()
      sweep()
    },
    size: () => cache.size,
    close() {
      closed = true
      clearInterval(sweeping)
    },
  }
}
