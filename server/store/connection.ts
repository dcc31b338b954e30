import { once } from 'node:events'
import { Client, type ClientConfig } from 'pg'
import { from } from 'pg-copy-streams'
import { runScript } from './script.ts'

/** One connection for writing; statements are done in the order in which they are given, and reject when it is lost. */
export interface Connection {
  /** A statement with values is prepared once: give values, do not put them into the text. */
  query<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** Several statements in one message, with the rows of their COPYs (copyMessages); inside a transaction they are done or fail together. */
  script(text: string, rows?: Uint8Array): Promise<void>
  /** Writes lines of COPY's text format, or the bytes of such lines. */
  copyIn(target: string, lines: readonly string[] | Uint8Array): Promise<void>
  /** Resolves when the connection has ended, however it did. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Statements that are prepared on a connection. */
const MOST_NAMES = 200
/** About this many characters go to the socket at once. */
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

export const connect = async (config: ClientConfig, name = 'tonway-index'): Promise<Connection> => {
  const client = new Client({ ...config, connectionTimeoutMillis: 5_000, application_name: name, keepAlive: true })
  // The statement that is under way rejects; the event alone tells nobody anything.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  await client.connect()
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    let name = names.get(text)
    if (name === undefined && names.size < MOST_NAMES) {
      name = `s${names.size}`
      names.set(text, name)
    }
    return name
  }
  let last: Promise<unknown> = Promise.resolve()
  /** The driver takes one statement at a time; those that are given meanwhile wait here, in their order. */
  const inTurn = <T>(statement: () => Promise<T>): Promise<T> => {
    const done = last.then(statement)
    last = done.catch(() => {})
    return done
  }
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
    // Failures come by the promise that is awaited below; a lost connection ends the stream as well.
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
      await client.end()
    },
  }
}
