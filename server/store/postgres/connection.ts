import { once } from 'node:events'
import { Client, type ClientConfig } from 'pg'
import { from } from 'pg-copy-streams'
import type { Select } from '../schema/select.ts'
import { CANCEL_MS, cancelBackend, cut, KEEP_ALIVE } from './driver-extras.ts'
import { backendOf, watchOver } from './heartbeat.ts'
import { createNames } from './names.ts'
import { runScript } from './script.ts'

/** One connection for writing. Statements run in the order in which they are given. They reject when the connection is lost. */
export interface Connection {
  /** A statement with values is prepared once, so pass values as parameters and not inside the text. */
  query<R>(text: Select<R> | string, values?: readonly unknown[]): Promise<R[]>
  /** Sends several statements in one message, with the rows of their COPYs (copyMessages). Inside a transaction they succeed or fail together. */
  script(text: string, rows?: Uint8Array): Promise<void>
  /** Writes lines of COPY's text format, or the bytes of such lines. */
  copyIn(target: string, lines: readonly string[] | Uint8Array): Promise<void>
  /** Resolves when the connection has ended, for any reason. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Largest number of prepared statements per connection. */
const MOST_NAMES = 200
/** Approximate number of characters per write to the socket. */
const CHUNK = 1 << 16

function* texts(lines: readonly string[]): Generator<string> {
  let chunk = ''
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

export interface ConnectOptions {
  /** Ends the connection at once. The running statement is cancelled. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds between two checks of a silent connection. Tests set it. */
  readonly beat?: number
}

/** Milliseconds between checks. A dead connection is noticed after four or five of them. */
const BEAT = 5_000

const OPENING_MS = 10_000

/** Keep-alive settings with which the server ends a session whose client is gone. Its locks, such as the leader's, are free then. */
const SERVER_SIDE = `select set_config(name, case name when 'tcp_keepalives_idle' then '10' when 'tcp_keepalives_interval' then '5'
  when 'tcp_keepalives_count' then '3' else '30000' end, false)
  from pg_settings where name in ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout')`

export const connect = async (
  config: ClientConfig,
  name = 'tonway-index',
  { signal, beat = BEAT }: ConnectOptions = {},
): Promise<Connection> => {
  signal?.throwIfAborted()
  const client = new Client({ ...config, connectionTimeoutMillis: 5_000, application_name: name, ...KEEP_ALIVE })
  // The running statement rejects. The event needs a listener, or it would end the process.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  const giveUp = (): void => cut(client)
  signal?.addEventListener('abort', giveUp, { once: true })
  const opening = setTimeout(giveUp, OPENING_MS)
  const open = async () => {
    await client.connect()
    const backend = await backendOf(client)
    await client.query(SERVER_SIDE)
    return backend
  }
  const backend = await open()
    .catch((error) => {
      giveUp()
      throw signal?.aborted ? signal.reason : error
    })
    .finally(() => {
      clearTimeout(opening)
      signal?.removeEventListener('abort', giveUp)
    })
  const nameOf = createNames(client, MOST_NAMES)
  /** Statements that are running or waiting. */
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  /** The driver takes one statement at a time. The others wait here in order. */
  const inTurn = <T>(statement: () => Promise<T>): Promise<T> => {
    waiting += 1
    const done = last.then(statement)
    last = done
      .catch(() => {})
      .then(() => {
        waiting -= 1
      })
    return done
  }
  const stopWatching = watchOver(config, client, backend, {
    busy: () => waiting > 0,
    beat: () => void inTurn(() => client.query('select')).catch(() => {}),
    every: beat,
  })
  const abandon = async (): Promise<void> => {
    if (waiting > 0) await cancelBackend(config, backend.pid)
    cut(client)
  }
  signal?.addEventListener('abort', abandon, { once: true })
  ended.then(() => {
    stopWatching()
    signal?.removeEventListener('abort', abandon)
  })
  if (signal?.aborted) void abandon()
  const copy = async (target: string, lines: readonly string[] | Uint8Array): Promise<void> => {
    const stream = client.query(from(`copy ${target} from stdin`))
    const finished = new Promise<void>((resolve, reject) => {
      stream.once('finish', resolve)
      stream.on('error', (error) => {
        // pg-copy-streams 7.0.0 reports the server's refusal and forgets its connection, but stays open: the end that
        // waits behind unsent lines would be written to that connection by the socket's next `drain`, which throws there.
        stream.destroy()
        reject(error)
      })
    })
    // Failures arrive through the promise that is awaited below. A lost connection ends the stream too.
    const lost = ended.then(() => {
      throw new Error('Connection terminated unexpectedly')
    })
    lost.catch(() => {})
    finished.catch(() => {})
    for (const chunk of lines instanceof Uint8Array ? pieces(lines) : texts(lines)) {
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), finished, lost])
    }
    stream.end()
    await Promise.race([finished, lost])
  }
  return {
    query: <R>(text: string, values?: readonly unknown[]) =>
      inTurn(async () => {
        const name = values && nameOf(text)
        const { rows } = await client.query({ text, ...(values && { values: [...values] }), ...(name !== undefined && { name }) })
        return rows as R[]
      }),
    async script(text, rows) {
      await inTurn<unknown>(() => (rows === undefined ? client.query(text) : runScript(client, text, rows)))
    },
    async copyIn(target, lines) {
      if (lines.length > 0) await inTurn(() => copy(target, lines))
    },
    ended,
    async close() {
      // A silent server does not answer the close, so the socket is closed here.
      const patience = setTimeout(() => cut(client), CANCEL_MS)
      await client.end()
      clearTimeout(patience)
    },
  }
}
