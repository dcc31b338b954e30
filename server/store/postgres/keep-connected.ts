import { addAbortListener } from 'node:events'
import type { ClientConfig } from 'pg'
import { createRest } from '../../base/promises/rest.ts'
import { DatabaseClient } from './client.ts'
import { type Connection, connect } from './connection.ts'

interface LoopOptions {
  /** Settings of the database; undefined while there is none. */
  readonly config: () => ClientConfig | undefined
  /** Milliseconds after which a lost connection is opened again; the default is 500. */
  readonly retry?: number
  /** Called when the connection cannot be opened, or is lost. */
  readonly lost: (error: unknown) => void
}

/** Runs `work` until `close` is called, again whenever it has ended. `rest` ends early by `wake` and by `close`. */
const repeat = ({ config, retry = 500, lost }: LoopOptions, work: (to: ClientConfig) => Promise<void>) => {
  const closing = new AbortController()
  const { signal } = closing
  const { rest, wake } = createRest()
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const attempt = async (to = config()): Promise<void> => to && (await work(to))
      await attempt().catch((error: unknown) => signal.aborted || lost(error))
      if (!signal.aborted) await rest(retry)
    }
  }
  // The work begins when the caller has what this function returns, because callers use it inside `work`.
  const running = Promise.resolve().then(run)
  const close = async (): Promise<void> => {
    closing.abort(new Error('the service is stopped'))
    wake()
    await running
  }
  return { signal, rest, wake, close }
}

/** What the work on a connection is given. `signal` is aborted when the connection is not needed any more. */
export interface Session {
  readonly client: DatabaseClient
  readonly signal: AbortSignal
  /** Resolves after some milliseconds, or when `signal` is aborted. Does not keep the process alive. */
  pause(milliseconds: number): Promise<void>
}

export interface SessionOptions extends LoopOptions {
  /** Further settings of the connection, such as its timeouts. */
  readonly settings: ClientConfig
  readonly work: (session: Session) => Promise<void>
}

/** Runs `work` on a connection of its own until the returned function is called. When the connection is lost, another one is opened. */
export const keepConnected = ({ settings, work, ...options }: SessionOptions): (() => Promise<void>) => {
  const { signal, rest, close } = repeat(options, async (to) => {
    const client = new DatabaseClient({ ...to, ...settings })
    // client.end() would wait for a database that may never answer.
    const leave = (): void => client.cut()
    using _leaving = addAbortListener(signal, leave)
    try {
      await client.connect()
      await work({ client, signal, pause: async (ms) => (signal.aborted ? undefined : rest(ms)) })
    } finally {
      leave()
    }
  })
  return close
}

export interface WriterOptions extends LoopOptions {
  readonly name: string
  /** Timeout of a statement (ms), if it is not that of other connections. */
  readonly patience?: number
  /** Ends soon once `isOver`: the connection is lost, or not needed any more. Its pauses are `rest`, which ends then too. */
  readonly work: (db: Connection, isOver: () => boolean) => Promise<void>
}

/** As keepConnected, for work that writes and has to end its statements before its connection is closed. */
export const keepWriting = ({ name, work, patience, ...options }: WriterOptions) => {
  const loop = repeat(options, async (to) => {
    const db = await connect(to, name, patience === undefined ? {} : { patience })
    let isLost = false
    void db.ended.then(() => {
      isLost = true
      loop.wake()
    })
    await work(db, () => isLost || loop.signal.aborted).finally(() => db.close().catch(() => {}))
  })
  return loop
}
