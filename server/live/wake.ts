import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { cut, KEEP_ALIVE } from '../store/postgres/driver-extras.ts'
import { HEAD_CHANNEL } from '../store/schema/head.ts'

/* Tells when the index has published a block. The process that writes it notifies; every process that tells events listens. */

/** Milliseconds after which a waiting reader looks without a notification, because one can get lost with its connection. */
const LOOK_MS = 500
const PATIENCE_MS = 5_000
const RETRY_MS = 500

export interface Wake {
  /** Resolves when the head may have changed since the last call, or after LOOK_MS. */
  next(): Promise<void>
  close(): Promise<void>
}

/** Listens on a connection of its own until it is closed. `connection` is asked again after each loss. */
export const createWake = (connection: () => ClientConfig | undefined): Wake => {
  const closing = new AbortController()
  let isDue = false
  let wake: (() => void) | undefined
  const notice = (): void => {
    isDue = true
    wake?.()
  }

  const listen = async (config: ClientConfig): Promise<void> => {
    const client = new Client({
      ...config,
      ...{ connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS, application_name: 'tonway-live' },
      ...KEEP_ALIVE,
    })
    // Not client.end(): it waits for a database that may never answer.
    const leave = (): void => cut(client)
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve)
      client.on('error', () => resolve())
    })
    client.on('notification', notice)
    closing.signal.addEventListener('abort', leave, { once: true })
    try {
      await client.connect()
      await client.query(`listen ${HEAD_CHANNEL}`)
      notice()
      if (!closing.signal.aborted) await ended
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
  const running = run()

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
      isDue = false
    },
    async close() {
      closing.abort()
      wake?.()
      await running
    },
  }
}
