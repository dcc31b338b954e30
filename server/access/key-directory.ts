import { TonError } from '../../shared/errors.ts'
import type { Caller } from '../base/call.ts'
import { ownerBucket } from './buckets.ts'
import type { KeyGrant } from './key-store.ts'
import { KEY_ID } from './key-text.ts'

/** A key as this process knows it; changes are written into it, so that whoever holds it sees them. */
export interface KeyState extends KeyGrant {
  /** Where its calls are counted. */
  readonly bucket: string
  /** Who calls with it: one object for all its calls. */
  caller?: Caller
}

/** What is known of the keys: a bounded memory in front of the database. */
export interface KeyDirectory {
  /** The key of an id, undefined for none. Rejects with UNAVAILABLE where it is not known and the database does not answer. */
  find(id: string): KeyState | undefined | Promise<KeyState | undefined>
  /** Calls `listener` once, when the key is revoked or has expired. Gives the way to stop. */
  watch(state: KeyState, listener: () => void): () => void
  /** A key, or with undefined anything, has changed. */
  changed(id: string | undefined): void
  /** Nothing had changed at this moment (ticks) that was not told. */
  confirmed(at: number): void
  size(): number
  close(): void
}

export interface DirectoryDeps {
  readonly grants: (ids: readonly string[]) => Promise<readonly KeyGrant[]>
  /** Unix milliseconds, for expiry. */
  readonly now: () => number
  /** Milliseconds that never go back. */
  readonly ticks: () => number
}

/** Milliseconds. */
const TIMES = {
  /** Without a word from the database what is known must be asked again: a revocation takes effect within a second. */
  unconfirmed: 1_000,
  /** What is known is asked again anyhow. */
  known: 30_000,
  /** That there is no such key. */
  none: 5_000,
  /** While the database is away, known keys stay good for so long. */
  grace: 60_000,
  /** How long a known key waits for a database that is slow to say that it is still good. */
  hurry: 500,
  /** After a failure nothing is asked for so long, where an old answer will do. */
  pause: 1_000,
  sweep: 500,
}
const MOST_KNOWN = 20_000
const MOST_NONE = 5_000
/** Ids of one question, and those that may wait for the next. */
const BATCH = 1_000
const MOST_WAITING = 20_000
/** How often an answer that a change has overtaken is asked for again. */
const MOST_AGAIN = 5

interface Entry {
  readonly state: KeyState | undefined
  at: number
}
type Waiter = { readonly resolve: (state: KeyState | undefined) => void; readonly reject: (error: unknown) => void }
type Writable<T> = { -readonly [K in keyof T]: T[K] }

const UNAVAILABLE = 'keys cannot be checked at the moment'

const bounded = <V>(map: Map<string, V>, most: number): void => {
  if (map.size <= most) return
  const [oldest] = map.keys()
  map.delete(oldest!)
}

export const createKeyDirectory = ({ grants, now, ticks }: DirectoryDeps): KeyDirectory => {
  const known = new Map<string, Entry>()
  const none = new Map<string, Entry>()
  const watched = new Map<string, { readonly state: KeyState; readonly listeners: Set<() => void> }>()
  const waiting = new Map<string, Waiter[]>()
  /** Watched keys of which it is not known whether they are good still. */
  const doubtful = new Set<string>()
  let asking = false
  let lastConfirmed = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let closed = false
  /** What has changed since the question that is under way was put. */
  const overtaken = { all: false, ids: new Set<string>() }

  const hasEnded = (state: KeyState): boolean => state.revoked || state.expiresAt <= now()

  const end = (id: string): void => {
    const watch = watched.get(id)
    if (!watch) return
    watched.delete(id)
    for (const listener of watch.listeners) listener()
  }

  /** Takes note of what the database said of an id; `keep`: it is still so. */
  const settle = (id: string, grant: KeyGrant | undefined, at: number, keep: boolean): KeyState | undefined => {
    doubtful.delete(id)
    const held = watched.get(id)?.state ?? known.get(id)?.state
    if (grant === undefined) {
      // Keys are not deleted but by hand: whoever holds this one is to see it.
      if (held) (held as Writable<KeyState>).revoked = true
      known.delete(id)
      if (keep) none.set(id, { state: undefined, at })
      bounded(none, MOST_NONE)
      end(id)
      return undefined
    }
    const bucket = ownerBucket(grant.network, grant.plan, grant.owner)
    const state: KeyState = held ? Object.assign(held, grant, { bucket }) : { ...grant, bucket }
    none.delete(id)
    known.delete(id)
    if (keep) known.set(id, { state, at })
    bounded(known, MOST_KNOWN)
    if (hasEnded(state)) end(id)
    return state
  }

  /** One question at a time, for all that wait. An answer that a change has overtaken is asked for again. */
  const ask = async (): Promise<void> => {
    if (asking) return
    asking = true
    let again = 0
    while (waiting.size > 0 && !closed) {
      const ids = [...waiting.keys()].slice(0, BATCH)
      const at = ticks()
      overtaken.all = false
      overtaken.ids.clear()
      try {
        const found = new Map((await grants(ids)).map((grant) => [grant.id, grant]))
        pausedUntil = Number.NEGATIVE_INFINITY
        const stands = ids.filter((id) => !overtaken.all && !overtaken.ids.has(id))
        // Where changes never pause, the answer will do once, and is not kept.
        again = stands.length === ids.length ? 0 : again + 1
        for (const id of again > MOST_AGAIN ? ids : stands) {
          const state = settle(id, found.get(id), at, again <= MOST_AGAIN)
          for (const { resolve } of take(id)) resolve(state)
        }
      } catch (cause) {
        pausedUntil = ticks() + TIMES.pause
        for (const id of ids) {
          if (watched.has(id)) doubtful.add(id)
          for (const { reject } of take(id)) reject(new TonError('UNAVAILABLE', UNAVAILABLE, { cause, retryAfter: 1 }))
        }
      }
    }
    asking = false
  }
  const take = (id: string): readonly Waiter[] => {
    const waiters = waiting.get(id) ?? []
    waiting.delete(id)
    return waiters
  }

  const load = (id: string): Promise<KeyState | undefined> =>
    new Promise((resolve, reject) => {
      const waiters = waiting.get(id)
      if (waiters) waiters.push({ resolve, reject })
      else if (closed || waiting.size >= MOST_WAITING) reject(new TonError('UNAVAILABLE', UNAVAILABLE, { retryAfter: 1 }))
      else {
        waiting.set(id, [{ resolve, reject }])
        // Those that come in this turn are asked for together.
        setImmediate(() => void ask())
      }
    })
  const reload = (id: string): void => void load(id).catch(() => {})

  /** What is answered, or what is known already where that takes long or fails. */
  const orKnown = (asked: Promise<KeyState | undefined>, state: KeyState): Promise<KeyState | undefined> =>
    new Promise((resolve) => {
      const hurry = setTimeout(() => resolve(state), TIMES.hurry)
      asked
        .then(resolve, () => resolve(state))
        .finally(() => {
          clearTimeout(hurry)
        })
    })

  const changed = (id: string | undefined): void => {
    if (id === undefined) {
      overtaken.all = true
      known.clear()
      none.clear()
    } else {
      overtaken.ids.add(id)
      known.delete(id)
      none.delete(id)
    }
    for (const each of id === undefined ? watched.keys() : [id]) if (watched.has(each)) reload(each)
  }

  const sweep = setInterval(() => {
    for (const [id, { state }] of watched) if (hasEnded(state)) end(id)
    for (const id of doubtful) reload(id)
  }, TIMES.sweep)
  sweep.unref()

  return {
    find(id) {
      const entry = known.get(id) ?? none.get(id)
      // What cannot be an id is not asked for.
      if (!entry) return KEY_ID.test(id) ? load(id) : undefined
      const at = ticks()
      const silence = at - Math.max(entry.at, lastConfirmed)
      const patience = entry.state ? TIMES.known : TIMES.none
      if (silence < TIMES.unconfirmed && at - entry.at < patience) return entry.state
      const graceful = entry.state !== undefined && silence < TIMES.grace
      if (graceful && at < pausedUntil) return entry.state
      return graceful ? orKnown(load(id), entry.state!) : load(id)
    },
    watch(state, listener) {
      const { id } = state
      let watch = watched.get(id)
      if (!watch) {
        watch = { state, listeners: new Set() }
        watched.set(id, watch)
        // It may have changed after it was found and before anybody watched.
        if (known.get(id)?.state !== state) reload(id)
      }
      const { listeners } = watch
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watched.get(id)?.listeners === listeners) watched.delete(id)
      }
    },
    changed,
    confirmed(at) {
      lastConfirmed = at
    },
    size: () => known.size,
    close() {
      closed = true
      clearInterval(sweep)
      for (const id of [...waiting.keys()]) for (const { reject } of take(id)) reject(new TonError('UNAVAILABLE', 'shutting down'))
    },
  }
}
