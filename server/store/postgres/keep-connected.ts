import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { DatabaseClient } from './client.ts'

/** Milliseconds after which a lost connection is opened again. */
const RETRY_MS = 500

/** What the work on a connection is given. `signal` is aborted when the connection is not needed any more. */
export interface Session {
  readonly client: DatabaseClient
  readonly signal: AbortSignal
  /** Resolves after some milliseconds, or when `signal` is aborted. Does not keep the process alive. */
  pause(milliseconds: number): Promise<void>
}

export interface SessionOptions {
  /** Settings of the database; undefined while there is none. */
  readonly config: () => ClientConfig | undefined
  /** Further settings of the connection, such as its timeouts. */
  readonly settings: ClientConfig
  readonly work: (session: Session) => Promise<void>
  /** Called when the connection cannot be opened, or is lost. */
  readonly lost: (error: unknown) => void
}

/** Runs `work` on a connection of its own until the returned function is called. When the connection is lost, another one is opened. */
export const keepConnected = ({ config, settings, work, lost }: SessionOptions): (() => Promise<void>) => {
  const closing = new AbortController()
  const { signal } = closing
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})

  const connectAndWork = async (to: ClientConfig): Promise<void> => {
    const client = new DatabaseClient({ ...to, ...settings })
    // client.end() would wait for a database that may never answer.
    const leave = (): void => client.cut()
    signal.addEventListener('abort', leave, { once: true })
    try {
      await client.connect()
      await work({ client, signal, pause })
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const to = config()
        if (to !== undefined) await connectAndWork(to)
      } catch (error) {
        if (!signal.aborted) lost(error)
      }
      await pause(RETRY_MS)
    }
  }
  const running = run()
  return async () => {
    closing.abort()
    await running
  }
}
