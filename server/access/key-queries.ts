import { TonError } from '../../shared/errors.ts'
import type { KeyState } from './key-state.ts'
import type { KeyGrant } from './key-store.ts'

/* Asks the database for keys. One query runs at a time, for many ids. */

/** Ids of one query, and ids that may wait for the next one. */
const BATCH = 1_000
const MOST_WAITING = 20_000
/** How often a query is repeated because a change made its answer outdated. */
const MOST_AGAIN = 5
/** Milliseconds after a failure in which the database is not asked if an old answer will do. */
const PAUSE = 1_000

export interface KeyQueryDeps {
  readonly grants: (ids: readonly string[]) => Promise<readonly KeyGrant[]>
  /** Monotonic milliseconds. */
  readonly ticks: () => number
  /** Records the database's answer for an id. `at`: when it was asked (ticks). `keep`: the answer may be cached. */
  readonly settle: (id: string, grant: KeyGrant | undefined, at: number, keep: boolean) => KeyState | undefined
  /** The database did not answer about an id. */
  readonly failed: (id: string) => void
}

export interface KeyQueries {
  /** Asks for an id. Rejects with UNAVAILABLE if the database fails, if too many ids wait, or after `close`. */
  ask(id: string): Promise<KeyState | undefined>
  /** The key with this id has changed (undefined: any key may have), so the answer of a running query may be outdated. */
  overtake(id: string | undefined): void
  /** Until then (ticks) the database is not asked if an old answer will do. */
  pausedUntil(): number
  close(): void
}

type Waiter = { readonly resolve: (state: KeyState | undefined) => void; readonly reject: (error: unknown) => void }

/** The error of a call whose key cannot be checked. */
export const unavailable = (cause?: unknown): TonError =>
  new TonError('UNAVAILABLE', 'keys cannot be checked at the moment', { cause, retryAfter: 1 })

export const createKeyQueries = ({ grants, ticks, settle, failed }: KeyQueryDeps): KeyQueries => {
  const waiting = new Map<string, Waiter[]>()
  /** Changes since the running query was sent. */
  const overtaken = { all: false, ids: new Set<string>() }
  let asking = false
  let closed = false
  let pausedUntil = Number.NEGATIVE_INFINITY
  /** Consecutive answers that a change made outdated. */
  let again = 0

  const take = (id: string): readonly Waiter[] => {
    const waiters = waiting.get(id) ?? []
    waiting.delete(id)
    return waiters
  }

  const put = async (ids: readonly string[]): Promise<void> => {
    const at = ticks()
    overtaken.all = false
    overtaken.ids.clear()
    const found = new Map((await grants(ids)).map((grant) => [grant.id, grant]))
    pausedUntil = Number.NEGATIVE_INFINITY
    const stands = ids.filter((id) => !overtaken.all && !overtaken.ids.has(id))
    // If changes never pause, the answer is used once and not cached.
    again = stands.length === ids.length ? 0 : again + 1
    for (const id of again > MOST_AGAIN ? ids : stands) {
      const state = settle(id, found.get(id), at, again <= MOST_AGAIN)
      for (const { resolve } of take(id)) resolve(state)
    }
  }

  const refuse = (ids: readonly string[], cause: unknown): void => {
    pausedUntil = ticks() + PAUSE
    for (const id of ids) {
      failed(id)
      for (const { reject } of take(id)) reject(unavailable(cause))
    }
  }

  const run = async (): Promise<void> => {
    if (asking) return
    asking = true
    again = 0
    while (waiting.size > 0 && !closed) {
      const ids = [...waiting.keys()].slice(0, BATCH)
      await put(ids).catch((cause) => refuse(ids, cause))
    }
    asking = false
  }

  return {
    ask: (id) =>
      new Promise((resolve, reject) => {
        const waiters = waiting.get(id)
        if (waiters) waiters.push({ resolve, reject })
        else if (closed || waiting.size >= MOST_WAITING) reject(unavailable())
        else {
          waiting.set(id, [{ resolve, reject }])
          // Ids that arrive in the same turn of the event loop share a query.
          setImmediate(() => void run())
        }
      }),
    overtake(id) {
      if (id === undefined) overtaken.all = true
      else overtaken.ids.add(id)
    },
    pausedUntil: () => pausedUntil,
    close() {
      closed = true
      for (const id of [...waiting.keys()]) for (const { reject } of take(id)) reject(new TonError('UNAVAILABLE', 'shutting down'))
    },
  }
}
