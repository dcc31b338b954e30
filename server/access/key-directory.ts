import { Lru } from '../base/memory/lru.ts'
import { ownerBucket } from './buckets.ts'
import { createKeyQueries } from './key-queries.ts'
import type { KeyState } from './key-state.ts'
import type { KeyGrant } from './key-store.ts'
import { KEY_ID } from './key-text.ts'
import { createWatchedKeys } from './watched-keys.ts'

/** A bounded cache of keys in front of the database. */
export interface KeyDirectory {
  /** The key with an id; undefined if there is none. Rejects with UNAVAILABLE if it is not cached and the database does not answer. */
  find(id: string): KeyState | undefined | Promise<KeyState | undefined>
  /** Calls `listener` once, when the key is revoked or has expired. Returns a function that stops watching. */
  watch(state: KeyState, listener: () => void): () => void
  /** Takes the news that the key with this id has changed; undefined: any key may have. */
  changed(id: string | undefined): void
  /** Takes a time (ticks) up to which every change has been reported. */
  confirmed(at: number): void
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

/** Milliseconds. */
const TIMES = {
  /** A known key is asked for again after this time without news from the database, so a revocation takes effect within a second. */
  unconfirmed: 1_000,
  /** A known key is asked for again after this time in any case. */
  known: 30_000,
  /** How long a missing key is remembered. */
  none: 5_000,
  /** How long a known key stays valid while the database is away. */
  grace: 60_000,
  /** How long a known key waits for a slow database before its old answer is used. */
  hurry: 500,
  /** Interval of the check for expired keys. */
  sweep: 500,
}
const MOST_KNOWN = 20_000
const MOST_NONE = 5_000

interface Entry {
  readonly state: KeyState | undefined
  at: number
}
type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The database's answer, or the known state if that takes long or fails. */
const orKnown = (asked: Promise<KeyState | undefined>, state: KeyState): Promise<KeyState | undefined> =>
  new Promise((resolve) => {
    const hurry = setTimeout(() => resolve(state), TIMES.hurry)
    asked
      .then(resolve, () => resolve(state))
      .finally(() => {
        clearTimeout(hurry)
      })
  })

export const createKeyDirectory = ({ grants, now, ticks }: DirectoryDeps): KeyDirectory => {
  const known = new Lru<string, Entry>({ max: MOST_KNOWN })
  const none = new Lru<string, Entry>({ max: MOST_NONE })
  const watched = createWatchedKeys()
  /** Watched keys about which the database did not answer. */
  const doubtful = new Set<string>()
  let lastConfirmed = Number.NEGATIVE_INFINITY

  const hasEnded = (state: KeyState): boolean => state.revoked || state.expiresAt <= now()

  /** Records that the database has no such key. */
  const settleNone = (id: string, held: KeyState | undefined, at: number, keep: boolean): undefined => {
    // A key is only ever deleted by hand in the database. Its holders have to see that, so it counts as revoked.
    if (held) (held as Writable<KeyState>).revoked = true
    known.delete(id)
    if (keep) none.set(id, { state: undefined, at })
    watched.end(id)
    return undefined
  }

  const settle = (id: string, grant: KeyGrant | undefined, at: number, keep: boolean): KeyState | undefined => {
    doubtful.delete(id)
    const held = watched.get(id) ?? known.get(id)?.state
    if (grant === undefined) return settleNone(id, held, at, keep)
    const bucket = ownerBucket(grant.network, grant.plan, grant.owner)
    const state: KeyState = held ? Object.assign(held, grant, { bucket }) : { ...grant, bucket }
    none.delete(id)
    known.delete(id)
    if (keep) known.set(id, { state, at })
    if (hasEnded(state)) watched.end(id)
    return state
  }

  const failed = (id: string): void => {
    if (watched.get(id)) doubtful.add(id)
  }
  const queries = createKeyQueries({ grants, ticks, settle, failed })
  const reload = (id: string): void => void queries.ask(id).catch(() => {})

  const sweep = setInterval(() => {
    watched.endWhere(hasEnded)
    for (const id of doubtful) reload(id)
  }, TIMES.sweep)
  sweep.unref()

  return {
    find(id) {
      const entry = known.get(id) ?? none.get(id)
      // The database is not asked for a text that cannot be an id.
      if (!entry) return KEY_ID.test(id) ? queries.ask(id) : undefined
      const at = ticks()
      const silence = at - Math.max(entry.at, lastConfirmed)
      const patience = entry.state ? TIMES.known : TIMES.none
      if (silence < TIMES.unconfirmed && at - entry.at < patience) return entry.state
      const graceful = entry.state !== undefined && silence < TIMES.grace
      if (graceful && at < queries.pausedUntil()) return entry.state
      return graceful ? orKnown(queries.ask(id), entry.state!) : queries.ask(id)
    },
    watch(state, listener) {
      const { first, stop } = watched.add(state, listener)
      // The key may have changed after it was found and before it was watched.
      if (first && known.get(state.id)?.state !== state) reload(state.id)
      return stop
    },
    changed(id) {
      queries.overtake(id)
      for (const cache of [known, none]) {
        if (id === undefined) cache.clear()
        else cache.delete(id)
      }
      for (const each of id === undefined ? watched.ids() : [id]) if (watched.get(each)) reload(each)
    },
    confirmed(at) {
      lastConfirmed = at
    },
    size: () => known.size,
    close() {
      clearInterval(sweep)
      queries.close()
    },
  }
}
