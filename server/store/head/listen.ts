import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { DatabaseClient } from '../postgres/client.ts'
import { errorCode, READ_ONLY } from '../postgres/faults.ts'
import { HEAD_CHANNEL, type NotifiedHead, parseHead, publishedHead } from '../schema/head.ts'

/* Listens for the published head over a connection of its own. Whoever writes the index notifies in the SQL transaction that publishes. */

/** Milliseconds that the connection may take to open, and a question over it. */
const CONNECT_MS = 5_000
const ASK_MS = 1_000
const RETRY_MS = 500
/** Milliseconds between looks at the head of a standby, which refuses to listen. */
const STANDBY_MS = 40
const HEAD = `select mc_seqno, epoch from ${publishedHead.name}`

/** A connection that listens. */
export interface Line {
  /** Rows of a statement without values, as the driver reads them. A line that does not answer is given up. */
  rows<R extends object>(text: string): Promise<R[]>
}

export interface ListenOptions {
  /** How to connect to the database that the index is written to; called again after each loss. undefined while there is none. */
  readonly connection: () => ClientConfig | undefined
  /** The connection listens from now on: nothing that is published later is missed while it lives. */
  readonly begun: (line: Line) => void
  /** The head has changed: to this one, or undefined if the notification has no head. */
  readonly onNotification: (head: NotifiedHead | undefined) => void
  /** The connection does not listen any more. */
  readonly lost: () => void
  /** Whether the head of a standby is to be looked at. */
  readonly isWatched: () => boolean
}

/** Calls `noticed` when the head of a standby has changed. Resolves when the standby is promoted, because a primary can be listened to. Rejects when the connection is lost. */
const watchStandby = async (client: DatabaseClient, { onNotification, isWatched }: ListenOptions, signal: AbortSignal): Promise<void> => {
  let lastSeen = ''
  while (!signal.aborted) {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (!rows[0]!.standby) return
    const head = JSON.stringify((await client.query(HEAD)).rows)
    if (head !== lastSeen) onNotification(undefined)
    lastSeen = head
    await sleep(isWatched() ? STANDBY_MS : RETRY_MS, undefined, { signal, ref: false })
  }
}

/** Whether the database refuses to listen, as a standby does. */
const isRefused = (client: DatabaseClient): Promise<boolean> =>
  client.query(`listen ${HEAD_CHANNEL}`).then(
    () => false,
    (error: unknown) => {
      if (errorCode(error) !== READ_ONLY) throw error
      return true
    },
  )

const lineOf = (client: DatabaseClient): Line => ({
  async rows<R extends object>(text: string) {
    const silent = setTimeout(() => client.cut(), ASK_MS)
    try {
      return (await client.query<R>(text)).rows
    } finally {
      clearTimeout(silent)
    }
  },
})

/** Listens until it is closed, over one connection after the other. A lost connection is not an error: readers then read the head from the database. */
export const listenForHead = (options: ListenOptions): { close(): Promise<void> } => {
  const closing = new AbortController()
  const { signal } = closing

  const listen = async (config: ClientConfig): Promise<void> => {
    const client = new DatabaseClient({
      ...config,
      query_timeout: CONNECT_MS,
      application_name: 'tonway-live',
    })
    // Not client.end(): it waits for a database that may never answer.
    const leave = (): void => client.cut()
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve)
      client.on('error', () => resolve())
    })
    client.on('notification', ({ payload }) => options.onNotification(parseHead(payload)))
    signal.addEventListener('abort', leave, { once: true })
    try {
      await client.connect()
      const refused = await isRefused(client)
      if (!refused) options.begun(lineOf(client))
      options.onNotification(undefined)
      if (refused) await watchStandby(client, options, signal)
      else if (!signal.aborted) await ended
    } finally {
      options.lost()
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const config = options.connection()
      if (config !== undefined) await listen(config).catch(() => {})
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
