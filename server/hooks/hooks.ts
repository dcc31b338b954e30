import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { TonError } from '../../shared/errors.ts'
import { answering } from '../base/answer.ts'
import type { Call } from '../base/call.ts'
import { createPermits } from '../base/permits.ts'
import type { HookFigures } from '../metrics/figures.ts'
import { createPost } from '../net/post.ts'
import { HOOKS_LOCK, tryLock } from '../store/postgres/advisory-lock.ts'
import type { Connection } from '../store/postgres/connection.ts'
import { databaseFault } from '../store/postgres/faults.ts'
import { keepWriting } from '../store/postgres/keep-connected.ts'
import { hookHandlers } from './handlers.ts'
import { createSender, type Sender, type SenderDeps } from './sender.ts'
import { createHookStore, type HookStore } from './store.ts'

/* The webhooks of a network: the methods, and the sender, which runs in one of the processes that share a database. */

export interface HooksDeps extends Pick<SenderDeps, 'hub' | 'owners' | 'firstPause' | 'log'> {
  /** Connection to the current database; undefined while there is none. */
  readonly connection: () => ClientConfig | undefined
  /** Hosts that may have private addresses (TONWAY_HOOKS_ALLOW). */
  readonly allowed: readonly string[]
  /** True if hooks may post to this machine though `allowed` does not name it. It would open all local ports to whoever has a key. */
  readonly loopback: boolean
  /** True for an embedded chain: callers on this machine need no key. */
  readonly isEmbedded: boolean
  /** For tests. */
  readonly now?: () => number
}

const CONNECT_AGAIN_MS = 300
/** Milliseconds between attempts to become the sender, and between the sender's checks for changes by other processes. */
const LOOK_MS = 1_000
/** Milliseconds that a call waits for the connection. */
const STORE_MS = 5_000
const STATEMENT_MS = 10_000
/** Calls have one connection, with the sender. A list has up to seven megabytes, and those of one owner delayed all others for minutes. */
const CALLS = { atOnce: 2, waiting: 1_000, patience: 10_000, text: 'too many calls for hooks wait' }

export const createHooks = ({ hub, connection, allowed, loopback, isEmbedded, owners, log, now = Date.now, firstPause }: HooksDeps) => {
  const post = createPost({ hosts: allowed.map((host) => host.toLowerCase()), loopback })
  const calls = createPermits(CALLS)
  const sent = { delivered: 0, failed: 0 }
  let sender: Sender | undefined
  let store: HookStore | undefined

  /** Waits for the lock HOOKS_LOCK, which one process has at a time, and then sends until `isOver`. */
  const send = async (db: Connection, own: HookStore, isOver: () => boolean): Promise<void> => {
    while (!isOver() && !(await tryLock(db, HOOKS_LOCK))) await rest(LOOK_MS)
    sender = createSender(own, sent, { hub, post, now, firstPause, owners, log })
    try {
      while (!isOver()) {
        await sender.sync(isOver)
        await rest(LOOK_MS)
      }
    } finally {
      await sender.close()
      sender = undefined
    }
  }

  const { signal, rest, wake, close } = keepWriting({
    config: connection,
    name: 'tonway-hooks',
    patience: STATEMENT_MS,
    retry: CONNECT_AGAIN_MS,
    async work(db, isOver) {
      store = createHookStore(db)
      await send(db, store, isOver).finally(() => {
        store = undefined
      })
    },
    lost: (error) => log.debug('hooks.database_lost', { text: (error as Error).message }),
  })

  const connected = async (): Promise<HookStore> => {
    const patience = AbortSignal.timeout(STORE_MS)
    while (store === undefined) {
      if (patience.aborted || signal.aborted) throw new TonError('UNAVAILABLE', 'the database of hooks is away', { retryAfter: 1 })
      await sleep(20)
    }
    return store
  }
  const withStore = async <T>({ signal: left }: Call, owner: string, use: (of: HookStore) => Promise<T>): Promise<T> => {
    const current = await connected()
    using _permit = await calls.take(left, owner)
    try {
      return await use(current)
    } catch (error) {
      const fault = databaseFault(error)
      throw fault === undefined ? error : new TonError('UNAVAILABLE', fault, { retryAfter: 1, cause: error })
    }
  }

  return {
    handlers: answering(hookHandlers({ hub, post, withStore, isEmbedded, changed: wake, now })),
    figures: (): HookFigures => ({
      ...(sender?.figures() ?? { active: 0, failing: 0, paused: 0 }),
      ...sent,
      is_sender: sender !== undefined,
    }),
    async close(): Promise<void> {
      await close()
      post.close()
    },
  }
}
