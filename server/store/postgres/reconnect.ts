import type { ClientConfig } from 'pg'
import { createRest } from '../../base/promises/rest.ts'
import { type Connection, connect } from './connection.ts'

export interface ReconnectOptions {
  /** Settings of the database; undefined while there is none. */
  readonly config: () => ClientConfig | undefined
  readonly name: string
  /** Timeout of a statement (ms), if it is not that of other connections. */
  readonly patience?: number
  /** Milliseconds before another connection is opened. */
  readonly pause: number
  /** Ends soon once `isOver`: when the connection is lost, or after `close`. Its pauses are `rest`, which ends then too. */
  readonly work: (db: Connection, isOver: () => boolean) => Promise<void>
  readonly failed: (error: unknown) => void
}

/** Runs `work` on a connection of its own until `close` is called. When it has ended, for example because the connection is lost, opens another one. */
export const reconnect = ({ config, name, pause, work, failed, ...options }: ReconnectOptions) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const { rest, wake } = createRest()
  const connectAndWork = async (to: ClientConfig): Promise<void> => {
    const db = await connect(to, name, options)
    let isLost = false
    void db.ended.then(() => {
      isLost = true
      wake()
    })
    await work(db, () => isLost || signal.aborted).finally(() => db.close().catch(() => {}))
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const to = config()
      if (to !== undefined)
        await connectAndWork(to).catch((error: unknown) => {
          if (!signal.aborted) failed(error)
        })
      if (!signal.aborted) await rest(pause)
    }
  }
  // `work` begins after this function has returned, so it can use what is returned.
  const running = Promise.resolve().then(run)
  return {
    signal,
    rest,
    /** Ends a pause of the work. */
    wake,
    async close(): Promise<void> {
      stopping.abort(new Error('the service is stopped'))
      wake()
      await running
    },
  }
}
