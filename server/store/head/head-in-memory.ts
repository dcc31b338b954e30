import type { ClientConfig } from 'pg'
import { createRest } from '../../base/promises/rest.ts'
import { keepConnected, type Session } from '../postgres/keep-connected.ts'
import { comparePositions, type Floor } from '../replicas/floor.ts'
import { HEAD_CHANNEL, type IndexHead } from '../schema/head.ts'
import { HEAD_QUERY, type HeadRow } from './index-head.ts'

/*
 * Caches the published head, so that a cached answer needs no query. A separate connection listens (LISTEN/NOTIFY) and queries the head after each
 * notification: the writer of the index sends NOTIFY in the SQL transaction that publishes. The head is also queried without a notification, because one
 * can get lost with its connection.
 */

/** Calls `notice` after each change of the published head. Returns a function that unsubscribes `notice`. */
export type OnHead = (notice: () => void) => () => void

export type PresentHead = ReturnType<typeof createPresentHead>

export interface PresentHeadOptions {
  /** Settings of the database that is written to, not of a replica; undefined while there is none. */
  readonly connection: () => ClientConfig | undefined
  readonly floor: Floor
}

/** Milliseconds for which the cached head is used. If the connection breaks without an error, a new block can stay unnoticed for this long. */
const MAX_AGE_MS = 1_000
/** Milliseconds between two queries of the head, and timeout of a query. */
const EVERY_MS = 500
const TIMEOUT_MS = 1_000
/** Milliseconds between two queries of a standby's head while anybody waits for a new head. A standby does not support LISTEN. */
const STANDBY_MS = 40

export const createPresentHead = ({ connection, floor }: PresentHeadOptions) => {
  const listeners = new Set<() => void>()
  let place: IndexHead | undefined
  /** Start time of the query that returned `place`. */
  let queriedAt = 0
  /** The row of the head at the last query, as JSON. */
  let lastSeen = ''
  /** True if the head may have changed since the last query began. */
  let isDue = true
  const { rest, wake } = createRest()
  /** Seqno of the block that this process published last. */
  let own = -1
  let close: (() => Promise<void>) | undefined

  const invalidate = (): void => {
    place = undefined
    isDue = true
    wake()
  }

  const follow = async ({ client, signal }: Session): Promise<void> => {
    let isListening = false
    client.on('notification', invalidate)
    client.on('end', wake)
    while (!signal.aborted) {
      if (!isListening) {
        const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
        isListening = !rows[0]!.standby
        if (isListening) await client.query(`listen ${HEAD_CHANNEL}`)
      }
      const wasDue = isDue
      isDue = false
      const now = performance.now()
      const [row] = (await client.query<HeadRow>(HEAD_QUERY.sql)).rows
      // The head of a standby changes without a notification. A head that was changed during the query is queried again.
      place = row && isListening && !isDue ? row : undefined
      queriedAt = now
      const seen = JSON.stringify(row ?? '')
      const isNews = wasDue || seen !== lastSeen
      lastSeen = seen
      if (isNews) for (const notice of [...listeners]) notice()
      if (isDue) continue
      await rest(isListening || listeners.size === 0 ? EVERY_MS : STANDBY_MS)
    }
  }

  /** Connects at the first use, because a process that only writes does not need the head. */
  const start = (): void => {
    close ??= keepConnected({
      config: connection,
      settings: { query_timeout: TIMEOUT_MS, application_name: 'tonway-live' },
      work: follow,
      lost: invalidate,
    })
  }

  const isBehind = ({ epoch, head }: IndexHead): boolean => {
    const least = floor.at()
    return head < own || (least !== undefined && comparePositions({ epoch, seqno: head }, least) < 0)
  }

  return {
    /** Returns the cached head; undefined if it may be outdated. The caller then queries the head. */
    now(): IndexHead | undefined {
      start()
      return place === undefined || performance.now() - queriedAt > MAX_AGE_MS || isBehind(place) ? undefined : place
    },
    onHead(notice: () => void): () => void {
      listeners.add(notice)
      start()
      return () => void listeners.delete(notice)
    },
    /** Records that this process has published block `seqno` or has reverted to it. Called before other processes are notified. */
    published(seqno: number): void {
      if (seqno < own) invalidate()
      own = seqno
    },
    async close(): Promise<void> {
      const opened = close
      close = async () => {}
      await opened?.()
    },
  }
}
