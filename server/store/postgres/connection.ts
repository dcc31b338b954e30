import type { ClientConfig } from 'pg'
import type { Select } from '../schema/select.ts'
import { DatabaseClient } from './client.ts'
import { nameSetting, READ_TIMEOUT } from './faults.ts'
import { runScript } from './script.ts'
import { tracedSql } from './slow-statements.ts'

/** One connection for writing. Statements run in the order of the calls, and reject when the connection is lost. */
export interface Connection {
  /** Runs a statement. A text with values is prepared once, so pass values as parameters and not inside the text. */
  query<R>(text: Select<R> | string, values?: readonly unknown[]): Promise<R[]>
  /** Sends several statements and the rows of their COPYs (copySteps) in one message. Inside a transaction they succeed or fail together. */
  script(text: string, rows?: readonly Uint8Array[]): Promise<void>
  readonly ended: Promise<void>
  close(): Promise<void>
  /** As `close`, but never rejects. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Default timeout of a statement, in milliseconds. Reverting many blocks takes minutes. */
const PATIENCE_MS = 300_000
const OPENING_MS = 10_000
const CLOSING_MS = 2_000

export interface ConnectOptions {
  /** Aborting closes the connection at once, and the server cancels the running statement. */
  readonly signal?: AbortSignal | undefined
  /** Timeout of a statement, in milliseconds; 0: none. */
  readonly patience?: number
}

export const connect = async (
  config: ClientConfig,
  name = 'tonway-index',
  { signal, patience = PATIENCE_MS }: ConnectOptions = {},
): Promise<Connection> => {
  signal?.throwIfAborted()
  const client = new DatabaseClient({ ...config, application_name: name, statement_timeout: patience })
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  const cut = (): void => client.cut()
  signal?.addEventListener('abort', cut, { once: true })
  void ended.then(() => signal?.removeEventListener('abort', cut))
  using _opening = setTimeout(cut, OPENING_MS)
  try {
    await client.connect()
    await client.lookAfter()
  } catch (error) {
    cut()
    throw signal?.aborted ? signal.reason : nameSetting(error, config)
  }
  let last: Promise<unknown> = Promise.resolve()
  /** Queues a statement, because the driver accepts one at a time. */
  const inTurn = <T>(statement: () => Promise<T>): Promise<T> => {
    const done = last.then(statement)
    last = done.catch((error: Error) => {
      if (error.message === READ_TIMEOUT) cut()
    })
    return done
  }
  const script = async (text: string, rows?: readonly Uint8Array[]): Promise<void> => {
    await inTurn<unknown>(() =>
      tracedSql<unknown>(text, async () => (rows === undefined ? client.query(text) : runScript(client, text, rows))),
    )
  }
  const close = async (): Promise<void> => {
    // If the server does not respond to the close, the socket is destroyed.
    using _patience = setTimeout(cut, CLOSING_MS)
    await client.end()
  }
  return {
    query: <R>(text: string, values?: readonly unknown[]) =>
      inTurn(async () => {
        const name = values && client.nameOf(text)
        const statement = { text, ...(values && { values: [...values] }), ...(name !== undefined && { name }) }
        const { rows } = await tracedSql(text, () => client.query(statement))
        return rows as R[]
      }),
    script,
    ended,
    close,
    [Symbol.asyncDispose]: () => close().catch(() => {}),
  }
}

/** Runs `work` in one SQL transaction. */
export const inTransaction = async <T>({ query }: Pick<Connection, 'query'>, work: () => Promise<T>): Promise<T> => {
  await query('begin')
  try {
    const done = await work()
    await query('commit')
    return done
  } catch (error) {
    await query('rollback').catch(() => {})
    throw error
  }
}
