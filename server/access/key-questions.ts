import { TonError } from '../../shared/errors.ts'
import type { KeyState } from './key-state.ts'
import type { KeyGrant } from './key-store.ts'

/* Questions about keys to the database: one at a time, each for many ids. */

/** Ids of one question, and ids that may wait for the next one. */
const BATCH = 1_000
const MOST_WAITING = 20_000
/** How often an answer that a change has overtaken is asked for again. */
const MOST_AGAIN = 5
/** Milliseconds after a failure in which nothing is asked where an old answer will do. */
const PAUSE = 1_000

export interface QuestionDeps {
  readonly grants: (ids: readonly string[]) => Promise<readonly KeyGrant[]>
  /** Milliseconds that never go back. */
  readonly ticks: () => number
  /** Takes note of what the database said of an id at a time; `keep`: no change has overtaken it. */
  readonly settle: (id: string, grant: KeyGrant | undefined, at: number, keep: boolean) => KeyState | undefined
  /** The database did not answer about an id. */
  readonly failed: (id: string) => void
}

export interface KeyQuestions {
  /** Asks for an id. Rejects with UNAVAILABLE where the database fails, too many wait, or after `close`. */
  ask(id: string): Promise<KeyState | undefined>
  /** A key, or with undefined anything, has changed: an answer that is under way may be old. */
  overtake(id: string | undefined): void
  /** Until then (ticks) the database is left alone where an old answer will do. */
  pausedUntil(): number
  close(): void
}

type Waiter = { readonly resolve: (state: KeyState | undefined) => void; readonly reject: (error: unknown) => void }

const unavailable = (cause?: unknown): TonError =>
  new TonError('UNAVAILABLE', 'keys cannot be checked at the moment', { cause, retryAfter: 1 })

export const createKeyQuestions = ({ grants, ticks, settle, failed }: QuestionDeps): KeyQuestions => {
  const waiting = new Map<string, Waiter[]>()
  /** What has changed since the question that is under way was put. */
  const overtaken = { all: false, ids: new Set<string>() }
  let asking = false
  let closed = false
  let pausedUntil = Number.NEGATIVE_INFINITY
  /** Answers in a row that a change has overtaken. */
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
    // Where changes never pause, the answer serves once and is not kept.
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
          // Ids that come in this turn are asked for together.
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
