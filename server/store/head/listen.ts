import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { DatabaseClient } from '../postgres/client.ts'
import { errorCode, READ_ONLY } from '../postgres/faults.ts'
import { HEAD_CHANNEL, type NotifiedHead, parseHead, publishedHead } from '../schema/head.ts'

/* Listens (LISTEN/NOTIFY) for the published head on a separate connection. The writer of the index sends NOTIFY in the SQL transaction that publishes. */

const CONNECT_MS = 5_000
const ASK_MS = 1_000
const RETRY_MS = 500
/** Milliseconds between two queries of a standby's head. A standby does not support LISTEN. */
const STANDBY_MS = 40
const HEAD = `select mc_seqno, epoch from ${publishedHead.name}`

export interface Line {
  /** Runs a statement without parameters. Closes the connection if no result comes within ASK_MS. */
  rows<R extends object>(text: string): Promise<R[]>
}

export interface ListenOptions {
  /** Settings of the database that the index is written to; undefined while there is none. Called before each attempt to connect. */
  readonly connection: () => ClientConfig | undefined
  /** Called when LISTEN has succeeded. From then until `lost`, every publication is notified. */
  readonly begun: (line: Line) => void
  /** Called after connecting, and after each change of the head. `head` is undefined if the head has to be queried. */
  readonly onNotification: (head: NotifiedHead | undefined) => void
  readonly lost: () => void
  /** Returns whether anybody waits for a new head. If so, a standby is queried every STANDBY_MS instead of every RETRY_MS. */
  readonly isWatched: () => boolean
}

/** Calls `onNotification` when the head of a standby has changed. Resolves when the standby is promoted, because a primary supports LISTEN. */
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

/** Sends LISTEN. Returns true if the server refuses LISTEN because it is a standby. */
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

/** Listens until `close` is called, and reconnects after each lost connection. Meanwhile readers query the head. */
export const listenForHead = (options: ListenOptions): { close(): Promise<void> } => {
  const closing = new AbortController()
  const { signal } = closing

  const listen = async (config: ClientConfig): Promise<void> => {
    const client = new DatabaseClient({
      ...config,
      query_timeout: CONNECT_MS,
      application_name: 'tonway-live',
    })
    // client.end() would wait for a database that may never answer.
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
