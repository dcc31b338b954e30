import type { Readable } from 'node:stream'
import type { ClientConfig } from 'pg'
import { to } from 'pg-copy-streams'
import type { Select } from '../schema/select.ts'
import { columnNames, type Table } from '../schema/table.ts'
import { DatabaseClient } from './client.ts'

/* Streams complete tables as lines of COPY's text format, all in one snapshot of the database. */

export interface BlockStream {
  /** The next rows, up to and including masterchain block `seqno`. */
  upTo(seqno: number): Promise<string[]>
  rest(): Promise<string[]>
}

export interface RowReader {
  /** Argument of `set transaction snapshot`, for other connections that need the same snapshot. */
  readonly snapshot: string
  query<R>(text: Select<R> | string, values?: readonly unknown[]): Promise<R[]>
  byBlock(table: Table): Promise<BlockStream>
  close(): Promise<void>
}

/** The query for a table's rows in the order of masterchain blocks. The first column is the block's seqno. Rows without a block come last. */
const ordered = (table: Table): string => {
  const { name, since, revertedWith } = table
  const names = columnNames(table)
  const columns = names.map((each) => `t.${each}`).join(', ')
  if (revertedWith === undefined || names.includes(since)) return `select t.${since}, ${columns} from ${name} t order by t.${since}`
  const { table: other, by } = revertedWith
  const on = Object.entries(by).map(([own, its]) => `x.${its} = t.${own}`)
  return `select x.${other.since}, ${columns} from ${name} t left join ${other.name} x on ${on.join(' and ')} order by 1 nulls last`
}

/** Splits a stream into lines. It rejects when the stream fails, which readline's iterator does not report. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const text of stream.setEncoding('utf8')) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

const createStream = (lines: AsyncIterator<string>): BlockStream => {
  let waiting: string | undefined
  let ended = false
  const take = async (isWithin: (seqno: number) => boolean): Promise<string[]> => {
    const taken: string[] = []
    while (!ended) {
      if (waiting === undefined) {
        const next = await lines.next()
        if (next.done) {
          ended = true
          break
        }
        waiting = next.value
      }
      const end = waiting.indexOf('\t')
      const first = waiting.slice(0, end)
      if (!isWithin(first === '\\N' ? Number.POSITIVE_INFINITY : Number(first))) break
      taken.push(waiting.slice(end + 1))
      waiting = undefined
    }
    return taken
  }
  return { upTo: (seqno) => take((of) => of <= seqno), rest: () => take(() => true) }
}

/** Opens a reader. Aborting the signal closes its connections and rejects pending calls. */
export const openRowReader = async (config: ClientConfig, signal: AbortSignal): Promise<RowReader> => {
  const clients: DatabaseClient[] = []
  const close = async (): Promise<void> => {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
  const leave = (): void => {
    for (const client of clients) client.cut()
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', leave, { once: true })

  const connect = async (): Promise<DatabaseClient> => {
    const client = new DatabaseClient({ ...config, application_name: 'tonway-verify' })
    clients.push(client)
    await client.connect()
    await client.lookAfter()
    await client.query('begin isolation level repeatable read read only')
    return client
  }
  const open = async (): Promise<RowReader> => {
    const main = await connect()
    const { rows } = await main.query<{ id: string }>('select pg_export_snapshot() as id')
    const snapshot = rows[0]!.id
    const lines = async (statement: string): Promise<AsyncIterator<string>> => {
      const client = await connect()
      await client.query(`set transaction snapshot '${snapshot}'`)
      const stream = client.query(to(`copy (${statement}) to stdout`))
      // linesOf() throws this error when the next line is read.
      stream.on('error', () => {})
      return linesOf(stream)
    }
    return {
      snapshot,
      async query<R>(text: string, values: readonly unknown[] = []) {
        return (await main.query(text, [...values])).rows as R[]
      },
      async byBlock(table) {
        return createStream(await lines(ordered(table)))
      },
      async close() {
        signal.removeEventListener('abort', leave)
        await close()
      },
    }
  }
  try {
    return await open()
  } catch (error) {
    await close()
    signal.throwIfAborted()
    throw error
  }
}
