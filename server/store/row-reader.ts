import type { Readable } from 'node:stream'
import { Client, type ClientConfig } from 'pg'
import { to } from 'pg-copy-streams'
import { columnNames, type TableName } from './columns.ts'

/* Whole tables as lines of COPY's text format, streamed, all of one snapshot of the database. */

export interface BlockStream {
  /** Rows of masterchain blocks not read yet, up to `seqno`. */
  upTo(seqno: number): Promise<string[]>
  rest(): Promise<string[]>
}

export interface RowReader {
  /** What `set transaction snapshot` takes: for others who shall see the same. */
  readonly snapshot: string
  checkpoint(): Promise<{ readonly first: number; readonly last: number; readonly zeroHash: Buffer; readonly epoch: number } | undefined>
  byBlock(table: TableName): Promise<BlockStream>
  close(): Promise<void>
}

/** A table's rows in the order of masterchain blocks, the block's seqno first; rows that belong to no block come last. */
const ordered = (table: TableName): string => {
  const columns = columnNames(table)
    .map((name) => `t.${name}`)
    .join(', ')
  return table === 'tx_by_hash'
    ? `select x.mc_seqno, ${columns} from tx_by_hash t left join transactions x on x.account = t.account and x.lt = t.lt order by 1 nulls last`
    : `select t.mc_seqno, ${columns} from ${table} t order by t.mc_seqno`
}

/** A stream's lines. Rejects when the stream fails: readline's iterator leaves that error to nobody. */
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
  const take = async (wanted: (seqno: number) => boolean): Promise<string[]> => {
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
      if (!wanted(first === '\\N' ? Number.POSITIVE_INFINITY : Number(first))) break
      taken.push(waiting.slice(end + 1))
      waiting = undefined
    }
    return taken
  }
  return { upTo: (seqno) => take((of) => of <= seqno), rest: () => take(() => true) }
}

export const openRowReader = async (config: ClientConfig): Promise<RowReader> => {
  const clients: Client[] = []
  const connect = async (): Promise<Client> => {
    const client = new Client({ ...config, application_name: 'tonway-verify' })
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    await client.query('begin isolation level repeatable read read only')
    return client
  }
  const main = await connect()
  const { rows } = await main.query<{ id: string }>('select pg_export_snapshot() as id')
  const snapshot = rows[0]!.id
  const lines = async (statement: string): Promise<AsyncIterator<string>> => {
    const client = await connect()
    await client.query(`set transaction snapshot '${snapshot}'`)
    return linesOf(client.query(to(`copy (${statement}) to stdout`)))
  }
  return {
    snapshot,
    async checkpoint() {
      const { rows: found } = await main.query(
        'select first_mc_seqno, c.mc_seqno, zero_hash, epoch from index_checkpoint c, published_head where c.id = 1',
      )
      const [row] = found as { first_mc_seqno: number; mc_seqno: number; zero_hash: Buffer; epoch: string }[]
      return row && { first: row.first_mc_seqno, last: row.mc_seqno, zeroHash: row.zero_hash, epoch: Number(row.epoch) }
    },
    async byBlock(table) {
      return createStream(await lines(ordered(table)))
    },
    async close() {
      await Promise.allSettled(clients.map((client) => client.end()))
    },
  }
}
