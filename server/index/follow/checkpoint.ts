import type { Connection } from '../../store/postgres/connection.ts'
import { HEAD_CHANNEL, indexCheckpoint, indexMakers, publishedHead } from '../../store/schema/head.ts'
import { type Row, select, selectAll } from '../../store/schema/select.ts'
import { CHAIN_TABLES, TABLES } from '../../store/schema/tables.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { Selection } from '../service/account-selection.ts'
import type { Topic } from '../topics/topic.ts'
import { FINISHED } from '../write/cluster-commit.ts'
import { insertRows } from '../write/statements.ts'

/* The checkpoint of the index: its last block, and the versions of the code that derived its rows. */

export interface Checkpoint {
  readonly network: string
  readonly zeroHash: Buffer
  readonly firstSeqno: number
  /** First masterchain block whose history is stored; at least firstSeqno. */
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

/** The id of a checkpoint's block. */
export const checkpointId = ({ seqno, rootHash, fileHash }: Checkpoint): BlockId => ({
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno,
  rootHash,
  fileHash,
})

/** Something that determines the rows: the core, a topic or a selection of accounts. */
export type DerivationVersion = Pick<Topic, 'name' | 'version'>

/** The code that derives the rows of blocks, transactions, messages, accounts and traces. A new version rebuilds every index. */
const CORE: DerivationVersion = { name: 'core', version: 1 }

/** Marks the index of a chain that ends with its process. It is stored with the derivation versions. */
export const TRANSIENT: DerivationVersion = { name: 'passing chain', version: 1 }

/** Returns the versions of the code that derives the rows: the core, the topics that are not rederived, and the selection unless it is everything. */
export const derivationVersionsOf = (topics: readonly Topic[], { name }: Selection): readonly DerivationVersion[] => [
  CORE,
  ...topics.filter(({ isRederived }) => !isRederived),
  ...(name === '' ? [] : [{ name: `accounts ${name}`, version: 1 }]),
]

const CHECKPOINT = selectAll(indexCheckpoint, 'where id = 1')
/** The published head: the newest block that readers see. */
export const PUBLISHED = select(publishedHead, ['mc_seqno', 'utime'], 'where id = 1')
/**
 * Locks the checkpoint, so that one transaction writes to the index at a time. The writer updates this row first in each of its transactions. A revert, a
 * move of the history cut and a removal of history lock the row first.
 */
const LOCKED_CHECKPOINT = selectAll(indexCheckpoint, 'where id = 1 for update')
const MAKERS = selectAll(indexMakers, 'where name <> $1')

const checkpointOf = (row: Row<typeof CHECKPOINT>): Checkpoint => ({
  network: row.network,
  zeroHash: row.zero_hash,
  firstSeqno: row.first_mc_seqno,
  oldestSeqno: row.kept_mc_seqno ?? row.first_mc_seqno,
  seqno: row.mc_seqno,
  rootHash: row.root_hash,
  fileHash: row.file_hash,
})

/** The stored checkpoint; undefined if there is no index. */
export const readCheckpoint = async (connection: Pick<Connection, 'query'>): Promise<Checkpoint | undefined> => {
  const [row] = await connection.query(CHECKPOINT)
  return row && checkpointOf(row)
}

/** Runs `work` in one SQL transaction, during which nobody else writes to the index. `work` gets the checkpoint; undefined if there is no index. */
export const writeAlone = async <T>({ query }: Pick<Connection, 'query'>, work: (at: Checkpoint | undefined) => Promise<T>): Promise<T> => {
  await query('begin')
  try {
    const [row] = await query(LOCKED_CHECKPOINT)
    const done = await work(row && checkpointOf(row))
    await query('commit')
    return done
  } catch (error) {
    await query('rollback').catch(() => {})
    throw error
  }
}

const BEGIN_CHANGE = `update ${indexCheckpoint.name} set changes = coalesce(changes, 0) + 1 where id = 1 returning changes`
const UNSETTLED = `select c.changes from ${indexCheckpoint.name} c, ${publishedHead.name} h where c.id = 1 and h.id = 1 and coalesce(h.changes, 0) < c.changes`

/** A script that publishes that all changes up to this one are committed. It does nothing if the index was rebuilt meanwhile and has had fewer changes. */
const settle = (change: bigint): string =>
  `${FINISHED} update ${publishedHead.name} set changes = ${change} where id = 1 and coalesce(changes, 0) < ${change}
    and exists (select from ${indexCheckpoint.name} where id = 1 and changes >= ${change})`

/**
 * Like writeAlone, for a change that belongs to no block, such as a revert. On a Citus cluster readers can see that a change is running, from its commit
 * until all nodes show it. If `work` returns undefined, nothing has changed.
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

/** Publishes the changes of a process that ended between their commit and their publication. */
export const settleChanges = async (connection: Pick<Connection, 'query'>): Promise<void> => {
  const [row] = await connection.query<{ changes: string }>(UNSETTLED)
  // If the process of a change is still running and publishes the change itself, this statement waits for it and changes nothing.
  if (row !== undefined) await connection.query(settle(BigInt(row.changes)))
}

/** Writes the checkpoint of a new index. Call it inside an SQL transaction, so that nobody reads the index yet. */
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
  // The epoch is later than that of any index that was here before, so that readers of the old index notice the new one.
  const head = { id: 1, mc_seqno: at.seqno, utime: 0, epoch: Date.now(), changes: null }
  return connection.script(
    `${insertRows(indexCheckpoint, [checkpoint])} delete from ${indexMakers.name};
     ${insertRows(indexMakers, made)} ${insertRows(publishedHead, [head])} notify ${HEAD_CHANNEL}`,
  )
}

/** Returns whether the rows were derived by exactly these versions. */
export const madeBy = async (connection: Pick<Connection, 'query'>, derivationVersions: readonly DerivationVersion[]): Promise<boolean> => {
  const rows = await connection.query(MAKERS, [TRANSIENT.name])
  const versions = new Map(rows.map(({ name, version }) => [name, version]))
  return versions.size === derivationVersions.length && derivationVersions.every(({ name, version }) => versions.get(name) === version)
}

/** Returns whether the stored rows were derived by a newer version of any of these. */
export const madeByNewer = async (
  connection: Pick<Connection, 'query'>,
  derivationVersions: readonly DerivationVersion[],
): Promise<boolean> => {
  const rows = await connection.query(MAKERS, [TRANSIENT.name])
  const versions = new Map(derivationVersions.map(({ name, version }) => [name, version]))
  return rows.some(({ name, version }) => version > (versions.get(name) ?? version))
}

/** Returns whether the index belongs to a chain that ends with its process. */
export const isOfTransientChain = async (connection: Pick<Connection, 'query'>): Promise<boolean> => {
  const rows = await connection.query(select(indexMakers, ['name'], 'where name = $1'), [TRANSIENT.name])
  return rows.length > 0
}

/** Empties the index. */
export const clearIndex = (connection: Pick<Connection, 'query'>, topics: readonly Topic[]): Promise<unknown> => {
  const places = Object.values(TABLES).filter(({ kind }) => kind === 'place')
  const names = [...CHAIN_TABLES, ...places, ...topics.flatMap(({ tables }) => tables)].map(({ name }) => name)
  return connection.query(`truncate ${names.join(', ')}`)
}
