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

/* How far the index has got, and which versions of the code made its rows. */

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

/** The stored checkpoint is not the expected one: another process wrote, or the answer to a commit was lost. The indexer reads it again. */
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

/** The code that makes the rows of blocks, transactions, messages, accounts and traces. A new version rebuilds every index. */
const CORE: DerivationVersion = { name: 'core', version: 1 }

/** Stored with the derivation versions if the chain ends with its process. */
export const TRANSIENT: DerivationVersion = { name: 'passing chain', version: 1 }

/** The versions of the code that derives the rows: the core, the topics that are not rederived, and the selection if there is one. */
export const derivationVersionsOf = (topics: readonly Topic[], { name }: Selection): readonly DerivationVersion[] => [
  CORE,
  ...topics.filter(({ isRederived }) => !isRederived),
  ...(name === '' ? [] : [{ name: `accounts ${name}`, version: 1 }]),
]

const CHECKPOINT = selectAll(indexCheckpoint, 'where id = 1')
/** The published head: the newest block that readers see. */
export const PUBLISHED = select(publishedHead, ['mc_seqno', 'utime'], 'where id = 1')
/** The writer changes this row first in each of its transactions. A revert, a move of the cut and a step that removes history lock it first. */
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

/** Runs `work` in one SQL transaction, in which nobody else writes to the index. `work` gets the checkpoint; undefined if there is no index. */
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

/** A script that notifies readers that changes are committed, up to this one. An index that was made again meanwhile has not got so far. */
const settle = (change: bigint): string =>
  `${FINISHED} update ${publishedHead.name} set changes = ${change} where id = 1 and coalesce(changes, 0) < ${change}
    and exists (select from ${indexCheckpoint.name} where id = 1 and changes >= ${change})`

/**
 * Like writeAlone, for a change that no block makes: readers of a Citus cluster see that it is under way from its commit on, until all nodes show it. If `work` returns
 * undefined, nothing has changed.
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

/** Ends the changes of a process that was lost between their commit and their publication. */
export const settleChanges = async (connection: Pick<Connection, 'query'>): Promise<void> => {
  const [row] = await connection.query<{ changes: string }>(UNSETTLED)
  // A change that is under way settles itself. This waits for it, if need be.
  if (row !== undefined) await connection.query(settle(BigInt(row.changes)))
}

/** Writes the checkpoint of a new index, which nobody reads yet. Call it inside an SQL transaction. */
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
  // Later than the epoch of any index that was here before, so that its readers see that this is another one.
  const head = { id: 1, mc_seqno: at.seqno, utime: 0, epoch: Date.now(), changes: null }
  return connection.script(
    `${insertRows(indexCheckpoint, [checkpoint])} delete from ${indexMakers.name};
     ${insertRows(indexMakers, made)} ${insertRows(publishedHead, [head])} notify ${HEAD_CHANNEL}`,
  )
}

/** Whether the rows were derived by exactly these versions. */
export const madeBy = async (connection: Pick<Connection, 'query'>, derivationVersions: readonly DerivationVersion[]): Promise<boolean> => {
  const rows = await connection.query(MAKERS, [TRANSIENT.name])
  const versions = new Map(rows.map(({ name, version }) => [name, version]))
  return versions.size === derivationVersions.length && derivationVersions.every(({ name, version }) => versions.get(name) === version)
}

/** Whether a newer version of one of these derived the stored rows. */
export const madeByNewer = async (
  connection: Pick<Connection, 'query'>,
  derivationVersions: readonly DerivationVersion[],
): Promise<boolean> => {
  const rows = await connection.query(MAKERS, [TRANSIENT.name])
  const versions = new Map(derivationVersions.map(({ name, version }) => [name, version]))
  return rows.some(({ name, version }) => version > (versions.get(name) ?? version))
}

/** Whether the index belongs to a chain that ends with its process. */
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
