import { type Connection, inTransaction } from '../../store/postgres/connection.ts'
import { HEAD_CHANNEL, indexCheckpoint, indexMakers, publishedHead } from '../../store/schema/head.ts'
import { type Row, select, selectAll } from '../../store/schema/select.ts'
import { CHAIN_TABLES, TABLES } from '../../store/schema/tables.ts'
import type { Selection } from '../service/account-selection.ts'
import type { Topic } from '../topics/topic.ts'
import { FINISHED } from '../write/cluster-commit.ts'
import { insertRows } from '../write/statements.ts'

export interface Checkpoint {
  readonly network: string
  readonly zeroHash: Buffer
  readonly firstSeqno: number
  /** First masterchain block whose history is stored. At least firstSeqno. */
  readonly oldestSeqno: number
  readonly seqno: number
  readonly rootHash: Buffer
  readonly fileHash: Buffer
}

/**
 * Thrown if the stored checkpoint is not the expected one: another process wrote to the index, or the response to a commit was lost. The indexer reads the
 * checkpoint again.
 */
export class CheckpointMovedError extends Error {
  override readonly name = 'CheckpointMovedError'
  constructor() {
    super('the index has moved on meanwhile')
  }
}

/** Version of what determines the rows: the core, a topic, or a selection of accounts. */
export type DerivationVersion = Pick<Topic, 'name' | 'version'>

/** Code that derives the rows of blocks, transactions, messages, accounts and traces. A new version rebuilds every index. */
const CORE: DerivationVersion = { name: 'core', version: 1 }

/** Marks the index of a chain that ends with its process. Stored with the derivation versions. */
export const TRANSIENT: DerivationVersion = { name: 'passing chain', version: 1 }

/** Versions of the core, of the topics that are not rederived, and of the selection unless it is everything. */
export const derivationVersionsOf = (topics: readonly Topic[], { name }: Selection): readonly DerivationVersion[] => [
  CORE,
  ...topics.filter(({ isRederived }) => !isRederived),
  ...(name === '' ? [] : [{ name: `accounts ${name}`, version: 1 }]),
]

const CHECKPOINT = selectAll(indexCheckpoint, 'where id = 1')
export const PUBLISHED = select(publishedHead, ['mc_seqno', 'utime'], 'where id = 1')
/**
 * Locks the checkpoint, so that one transaction writes to the index at a time. Every transaction of the writer, every revert and every removal of history
 * locks this row first.
 */
const LOCKED_CHECKPOINT = selectAll(indexCheckpoint, 'where id = 1 for update')
const MAKERS = selectAll(indexMakers, '')

const checkpointOf = (row: Row<typeof CHECKPOINT>): Checkpoint => ({
  network: row.network,
  zeroHash: row.zero_hash,
  firstSeqno: row.first_mc_seqno,
  oldestSeqno: row.kept_mc_seqno ?? row.first_mc_seqno,
  seqno: row.mc_seqno,
  rootHash: row.root_hash,
  fileHash: row.file_hash,
})

export const readCheckpoint = async (connection: Pick<Connection, 'query'>): Promise<Checkpoint | undefined> => {
  const [row] = await connection.query(CHECKPOINT)
  return row && checkpointOf(row)
}

/** Runs `work` in one SQL transaction during which no other process writes to the index. `work` gets the checkpoint; undefined if there is no index. */
export const writeAlone = <T>(connection: Pick<Connection, 'query'>, work: (at: Checkpoint | undefined) => Promise<T>): Promise<T> =>
  inTransaction(connection, async () => {
    const [row] = await connection.query(LOCKED_CHECKPOINT)
    return await work(row && checkpointOf(row))
  })

const BEGIN_CHANGE = `update ${indexCheckpoint.name} set changes = coalesce(changes, 0) + 1 where id = 1 returning changes`
const UNSETTLED = `select c.changes from ${indexCheckpoint.name} c, ${publishedHead.name} h where c.id = 1 and h.id = 1 and coalesce(h.changes, 0) < c.changes`

/**
 * SQL that publishes that all reverts and removals of history up to number `change` are committed. Does nothing if the index was rebuilt and has had fewer
 * of them.
 */
const settle = (change: bigint): string =>
  `${FINISHED} update ${publishedHead.name} set changes = ${change} where id = 1 and coalesce(changes, 0) < ${change}
    and exists (select from ${indexCheckpoint.name} where id = 1 and changes >= ${change})`

/**
 * Like writeAlone, for a change that does not come from a block, such as a revert. On a Citus cluster readers can see that the change is running, from its
 * commit until all nodes show it. `work` must return undefined if it changed nothing.
 */
export const changeAlone = async <T>(
  connection: Pick<Connection, 'query'>,
  work: (at: Checkpoint | undefined) => Promise<T>,
): Promise<T> => {
  let change: string | undefined
  const done = await writeAlone(connection, async (at) => {
    const changed = await work(at)
    if (changed === undefined) return changed
    const [row] = await connection.query<{ changes: string }>(BEGIN_CHANGE)
    change = row?.changes
    return changed
  })
  if (change !== undefined) await connection.query(settle(BigInt(change)))
  return done
}

/** Publishes reverts and removals of history that an earlier process committed but did not publish. */
export const settleChanges = async (connection: Pick<Connection, 'query'>): Promise<void> => {
  const [row] = await connection.query<{ changes: string }>(UNSETTLED)
  if (row !== undefined) await connection.query(settle(BigInt(row.changes)))
}

/** Writes the checkpoint of a new index. Call this inside an SQL transaction, so that nobody reads the index yet. */
export const recordCheckpoint = (
  connection: Pick<Connection, 'script'>,
  at: Checkpoint,
  derivationVersions: readonly DerivationVersion[],
): Promise<void> => {
  const checkpoint = {
    id: 1,
    network: at.network,
    zero_hash: at.zeroHash,
    first_mc_seqno: at.firstSeqno,
    kept_mc_seqno: null,
    changes: null,
    mc_seqno: at.seqno,
    root_hash: at.rootHash,
    file_hash: at.fileHash,
  }
  const made = derivationVersions.map(({ name, version }) => ({ name, version }))
  // The epoch is later than that of any earlier index in this database, so that readers notice the new index.
  const head = { id: 1, mc_seqno: at.seqno, utime: 0, epoch: Date.now(), changes: null }
  return connection.script(
    `${insertRows(indexCheckpoint, [checkpoint])} delete from ${indexMakers.name};
     ${insertRows(indexMakers, made)} ${insertRows(publishedHead, [head])} notify ${HEAD_CHANNEL}`,
  )
}

type Derivation = Awaited<ReturnType<typeof readDerivation>>

/** Reads what derived the rows of the index: versions by name, and whether the index is of a chain that ends with its process. */
export const readDerivation = async ({ query }: Pick<Connection, 'query'>) => {
  const versions = new Map((await query(MAKERS)).map(({ name, version }) => [name, version]))
  return { isTransient: versions.delete(TRANSIENT.name), versions }
}

/** Removes the mark of an earlier release, which also marked the indexes of chains that another tonway stores. */
export const unmarkTransient = ({ query }: Pick<Connection, 'query'>): Promise<unknown> =>
  query(`delete from ${indexMakers.name} where name = '${TRANSIENT.name}'`)

/** Compares the versions that derived the rows with those of this process. `newer`: the rows are of a later version. */
export const compareVersions = ({ versions }: Derivation, own: readonly DerivationVersion[]): 'same' | 'newer' | 'other' => {
  const isSame = versions.size === own.length && own.every(({ name, version }) => versions.get(name) === version)
  if (isSame) return 'same'
  return own.some(({ name, version }) => (versions.get(name) ?? version) > version) ? 'newer' : 'other'
}

export const clearIndex = (connection: Pick<Connection, 'query'>, topics: readonly Topic[]): Promise<unknown> => {
  const places = TABLES.filter(({ kind }) => kind === 'place')
  const names = [...CHAIN_TABLES, ...places, ...topics.flatMap(({ tables }) => tables)].map(({ name }) => name)
  return connection.query(`truncate ${names.join(', ')}`)
}
