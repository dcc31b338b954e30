import { setImmediate as nextTurn } from 'node:timers/promises'
import { TonError } from '../../shared/errors.ts'
import type { Caller } from '../base/call.ts'
import { Lru } from '../base/memory/lru.ts'
import { ownerBucket } from './buckets.ts'
import type { KeyGrant } from './key-store.ts'
import { KEY_ID } from './key-text.ts'

/** State of a key in this process. While a key is watched, its state is changed in place, so that all holders of the object see changes. */
export interface KeyState extends KeyGrant {
  revoked: boolean
  /** The bucket in which calls with this key are counted. */
  readonly bucket: string
  /** The caller object that all calls with this key share. */
  caller?: Caller
}

/** A bounded cache of keys. Its entries are valid until the number of changes in the database differs. */
export interface KeyDirectory {
  /** Finds a key by its id; undefined if there is none. Rejects with UNAVAILABLE if the key is not cached and the database does not answer. */
  find(id: string): KeyState | undefined | Promise<KeyState | undefined>
  /** Calls `listener` once, when the key is revoked or has expired. Returns a function that removes the listener. */
  watch(state: KeyState, listener: () => void): () => void
  /** Reports the number of changes in the database at a time (ticks). If it differs from the last one, any key may have changed, so the cache is cleared. */
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

/** Time (ms) for which a cached key stays valid while the database is not reachable. */
const GRACE = 60_000
/** Interval (ms) at which all keys are queried again, because somebody may have changed the tables by hand. */
const LONGEST = 30_000
/** Interval (ms) of the check for expired keys, and for watched keys that have to be queried again. */
const SWEEP = 500
const MAX_KEYS = 20_000
/** `BATCH`: maximum number of ids in one query. `MAX_WAITING`: maximum number of calls that wait for an answer. */
const BATCH = 1_000
const MAX_WAITING = 20_000

/** The error of a call whose key cannot be checked. */
export const unavailable = (cause?: unknown): TonError =>
  new TonError('UNAVAILABLE', 'keys cannot be checked at the moment', { cause, retryAfter: 1 })

/** Returns whether a key is revoked or has expired. `now` (unix milliseconds) is called only for a key with an expiry. */
export const hasEnded = ({ revoked, expiresAt }: KeyState, now: () => number): boolean =>
  revoked || (expiresAt !== Number.POSITIVE_INFINITY && expiresAt <= now())

/** A key that is used for longer than one call: a WebSocket is closed when its key ends. */
interface Watch {
  readonly state: KeyState
  readonly listeners: Set<() => void>
  /** Version of the directory at which the state was queried. */
  version: number
}

interface Query {
  readonly ids: Set<string>
  readonly answer: Promise<ReadonlyMap<string, KeyGrant>>
}

export const createKeyDirectory = ({ grants, now, ticks }: DirectoryDeps): KeyDirectory => {
  const cache = new Lru<string, KeyState>({ max: MAX_KEYS })
  const watched = new Map<string, Watch>()
  /** Incremented when keys may have changed. An answer that was requested at an older version is used once, and not cached. */
  let version = 0
  let count: bigint | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  let clearedAt = Number.NEGATIVE_INFINITY
  /** The query that is sent in the next event-loop turn. It collects the ids that are requested until then. */
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
      // A key is only deleted by hand, directly in the database. Its state counts as revoked, so that holders of the state see the deletion.
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
  /** Queries the watched keys that may have changed. Keys whose query fails are queried at the next sweep. */
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
      // A text that cannot be an id is not queried.
      return KEY_ID.test(id) ? ask(id) : undefined
    },
    watch(state, listener) {
      const { id } = state
      // If the key may have changed between `find` and `watch`, its version is invalid, so that the next sweep queries it.
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
