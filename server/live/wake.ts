import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { cut, KEEP_ALIVE } from '../store/postgres/driver-extras.ts'
import { errorCode, READ_ONLY } from '../store/postgres/faults.ts'
import { HEAD_CHANNEL, parseHead, publishedHead, type ToldHead } from '../store/schema/head.ts'

/* Wakes the hub when the index has published a block. The process that writes the index notifies through PostgreSQL; every process with events listens. */

/** Milliseconds after which a waiting reader looks without a notification, because one can get lost with its connection. */
const LOOK_MS = 500
const PATIENCE_MS = 5_000
const RETRY_MS = 500

export interface Wake {
  /** Resolves when the head may have changed since the last call, or after LOOK_MS; with the new head if its writer has told it. */
  next(): Promise<ToldHead | undefined>
  close(): Promise<void>
}

/** Calls `notice` when the head that readers see has changed, with the new one if it is known. Returns a function that stops it. */
export type OnHead = (notice: (head?: ToldHead) => void) => () => void

/** Milliseconds between looks at the head of a standby, which refuses to listen. */
const STANDBY_MS = 40
const HEAD = `select mc_seqno, epoch from ${publishedHead.name}`

/**
 * Calls `notice` when the head of a standby has changed. Rejects when the connection is lost. Resolves when the standby is promoted, because a primary can be
 * listened to.
 */
const watchStandby = async (client: Client, notice: () => void, signal: AbortSignal): Promise<void> => {
  let known = ''
  while (!signal.aborted) {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (!rows[0]!.standby) return
    const head = JSON.stringify((await client.query(HEAD)).rows)
    if (head !== known) notice()
    known = head
    await sleep(STANDBY_MS, undefined, { signal, ref: false })
  }
}

/**
 * Listens on its own connection until it is closed. `connection` is called again after each loss. With `onHead` no connection is opened: those who read the
 * head report it.
 */
export const createWake = (connection: () => ClientConfig | undefined, onHead?: OnHead): Wake => {
  const closing = new AbortController()
  let isDue = false
  let told: ToldHead | undefined
  let wake: (() => void) | undefined
  const notice = (head?: ToldHead): void => {
    isDue = true
    told = head
    wake?.()
  }

  const listen = async (config: ClientConfig): Promise<void> => {
    const client = new Client({
      ...config,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      application_name: 'tonway-live',
      ...KEEP_ALIVE,
    })
    // Not client.end(): it waits for a database that may never answer.
    const leave = (): void => cut(client)
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve)
      client.on('error', () => resolve())
    })
    client.on('notification', ({ payload }) => notice(parseHead(payload)))
    closing.signal.addEventListener('abort', leave, { once: true })
    try {
      await client.connect()
      const refused = await client.query(`listen ${HEAD_CHANNEL}`).then(
        () => false,
        (error: unknown) => {
          if (errorCode(error) !== READ_ONLY) throw error
          return true
        },
      )
      notice()
      if (refused) await watchStandby(client, notice, closing.signal)
      else if (!closing.signal.aborted) await ended
    } finally {
      closing.signal.removeEventListener('abort', leave)
      leave()
    }
  }

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const config = connection()
      // Without notifications the head is looked at every LOOK_MS, so a lost connection is not worth a line in the log.
      if (config !== undefined) await listen(config).catch(() => {})
      await sleep(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  const stop = onHead?.(notice)
  const running = onHead ? undefined : run()

  return {
    async next() {
      if (!isDue && !closing.signal.aborted) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, LOOK_MS)
          timer.unref()
        })
        clearTimeout(timer)
        wake = undefined
      }
      const head = told
      isDue = false
      told = undefined
      return head
    },
    async close() {
      closing.abort()
      stop?.()
      wake?.()
      await running
    },
  }
}
