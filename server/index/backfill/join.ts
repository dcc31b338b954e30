import { portionsOf } from '../../base/memory/portions.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { MASTER_KEY } from '../../store/row-keys.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { HEAD_CHANNEL, indexCheckpoint, publishedHead } from '../../store/schema/head.ts'
import { columnList, type Table } from '../../store/schema/table.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import { CheckpointMovedError, writeAlone } from '../follow/checkpoint.ts'
import { BLOCK } from '../follow/revert.ts'
import { classifyLate } from '../topics/actions/rederive.ts'
import { moveSales } from '../topics/nfts/links.ts'
import type { Topic } from '../topics/topic.ts'
import { FINISHED, isCluster } from '../write/cluster-commit.ts'
import { recountTraces } from '../write/recount-traces.ts'
import { assignments, conflictOf, update } from '../write/statements.ts'
import { joinTraces } from './cut-traces.ts'
import { schemaOf } from './range-schema.ts'
import type { Range } from './ranges.ts'

/*
 * Copies the rows of a finished range of blocks from the range's own schema into the index, in one SQL transaction. Ranges are copied in order, so that no
 * state overwrites a newer state. The rows become visible when the head is published: in that transaction, or on a Citus cluster after it.
 */

type Query = Pick<Connection, 'query'>['query']

const AT_ONCE = 5_000

const inParts = async <T>(all: readonly T[], work: (some: readonly T[]) => Promise<unknown>): Promise<void> => {
  for (const some of portionsOf(all, AT_ONCE)) await work(some)
}

/** Copies the rows of the range's blocks, but not those of the state before the range. */
const copyRows = (query: Query, table: Table, schema: string, first: number): Promise<unknown> => {
  const { name, since, kind, columns, key } = table
  const list = columnList(table)
  // Only tx_by_hash has no seqno. It has no rows of the state before the range either.
  const where = since in columns ? `where ${since} >= ${first}` : ''
  // Earlier ranges may have written the same rows of validators and codes. In a table of CHAIN_TABLES an existing row is an error.
  const conflict = kind === 'merged' ? conflictOf(table) : CHAIN_TABLES.includes(table) ? '' : 'on conflict do nothing'
  return query(`insert into ${name} (${list}) select ${list} from ${schema}.${name} ${where} order by ${key.join(', ')} ${conflict}`)
}

const replaceRows = async (query: Query, table: Table, schema: string, changed: readonly Buffer[]): Promise<void> => {
  const { name, owner, columns } = table
  const list = columnList(table)
  await query(`delete from ${name} where ${owner} = any($1::bytea[])`, [changed])
  await query(`insert into ${name} (${list}) select ${list} from ${schema}.${name} where ${owner} = any($1::bytea[])`, [changed])
  // `first_lt` of the range is wrong for accounts that are older than the range.
  if ('first_lt' in columns)
    await query(
      `update ${name} as t set first_lt = a.first_lt from accounts a where a.account = t.account and t.account = any($1::bytea[]) and a.first_lt <> t.first_lt`,
      [changed],
    )
}

const joinRows = async (connection: Connection, { first, last }: Range, topics: readonly Topic[]): Promise<void> => {
  const { query } = connection
  const schema = schemaOf(first)
  const counted = await joinTraces(connection, schema, topics)
  const tables = [...CHAIN_TABLES, ...topics.flatMap((topic) => topic.tables)]
  for (const table of tables) if (table.kind === 'event' || table.kind === 'merged') await copyRows(query, table, schema, first)
  const changed = await query<{ account: Buffer }>(`select account from ${schema}.${accounts.name} where mc_seqno >= ${first}`)
  const keys = changed.map(({ account }) => account)
  for (const table of tables) if (table.kind === 'state') await inParts(keys, (some) => replaceRows(query, table, schema, some))
  await inParts(keys, (some) => moveSales(query, schema, some))
  await inParts(counted, (some) => recountTraces(connection, some))
  await inParts(counted, (some) => classifyLate(connection, some, last))
}

/** Publishes all blocks up to `seqno`, unless a later block is published. */
export const publishUpTo = async ({ query, script }: Pick<Connection, 'query' | 'script'>, seqno: number): Promise<void> => {
  const [block] = await query(BLOCK, [MASTER_KEY, seqno])
  const head = assignments(publishedHead, { mc_seqno: seqno, utime: Number(block?.gen_utime ?? 0) })
  await script(
    `${FINISHED} update ${publishedHead.name} set ${head.join(', ')} where id = 1 and mc_seqno < ${seqno}; notify ${HEAD_CHANNEL}`,
  )
}

/** Result of a join. `lost`: the range has to be derived again, because PostgreSQL has emptied its tables, or because the chain was reverted. */
type Outcome = 'joined' | 'lost'

/**
 * Joins a range. `rootHash`: root hash of the range's last block in the chain. Throws CheckpointMovedError if the range does not begin after the
 * checkpoint.
 */
export const joinRange = async (connection: Connection, range: Range, rootHash: Uint8Array, topics: readonly Topic[]): Promise<Outcome> => {
  const { query, script } = connection
  const schema = schemaOf(range.first)
  // The tables are missing if the database was moved or restored.
  const [found] = await query<{ is: boolean }>(`select to_regclass('${schema}.${indexCheckpoint.name}') is not null as is`)
  if (!found?.is) return 'lost'
  const onCluster = await isCluster(connection)
  const outcome = await writeAlone(connection, async (at): Promise<Outcome> => {
    if (at?.seqno !== range.first - 1) throw new CheckpointMovedError()
    const [end] = await query<{ mc_seqno: number; root_hash: Buffer; file_hash: Buffer }>(
      `select mc_seqno, root_hash, file_hash from ${schema}.${indexCheckpoint.name}`,
    )
    if (end?.mc_seqno !== range.last || !end.root_hash.equals(rootHash)) return 'lost'
    await joinRows(connection, range, topics)
    await script(update(indexCheckpoint, { mc_seqno: end.mc_seqno, root_hash: end.root_hash, file_hash: end.file_hash }, { id: 1 }))
    // Publishes in the same SQL transaction, so that no state is newer than the head. A cluster has to publish after the commit.
    if (!onCluster) await publishUpTo(connection, range.last)
    return 'joined'
  })
  if (onCluster && outcome === 'joined') await publishUpTo(connection, range.last)
  return outcome
}
