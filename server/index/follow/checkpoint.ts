import type { Connection } from '../../store/postgres/connection.ts'
import { actionsProgress } from '../../store/schema/actions.ts'
import { indexCheckpoint, indexExtensions, publishedHead } from '../../store/schema/head.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { Selection } from '../service/selection.ts'
import type { Extension } from '../topics/topic.ts'

/* How far the index has got, and which versions of the code made its rows. */

export interface Checkpoint {
  readonly network: string
  readonly zeroHash: Buffer
  readonly firstSeqno: number
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

/** Something that determines the rows: the core, an extension or a selection of accounts. */
export type Maker = Pick<Extension, 'name' | 'version'>

/** The code that makes the rows of blocks, transactions, messages, accounts and traces. A new version rebuilds every index. */
const CORE: Maker = { name: 'core', version: 1 }

/** Stored with the makers if the chain ends with its process. */
export const PASSING: Maker = { name: 'passing chain', version: 1 }

/** The makers of the rows: the core, the extensions that are not rederived, and the selection if there is one. */
export const makersOf = (extensions: readonly Extension[], { name }: Selection): readonly Maker[] => [
  CORE,
  ...extensions.filter(({ isRederived }) => !isRederived),
  ...(name === '' ? [] : [{ name: `accounts ${name}`, version: 1 }]),
]

const COLUMNS = 'network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash'

export const readCheckpoint = async (connection: Pick<Connection, 'query'>): Promise<Checkpoint | undefined> => {
  const [row] = await connection.query<{
    network: string
    zero_hash: Buffer
    first_mc_seqno: number
    mc_seqno: number
    root_hash: Buffer
    file_hash: Buffer
  }>(`select ${COLUMNS} from index_checkpoint where id = 1`)
  return (
    row && {
      network: row.network,
      zeroHash: row.zero_hash,
      firstSeqno: row.first_mc_seqno,
      seqno: row.mc_seqno,
      rootHash: row.root_hash,
      fileHash: row.file_hash,
    }
  )
}

/** Call it inside an SQL transaction: it sends its statements without waiting between them. */
export const recordCheckpoint = async (connection: Connection, at: Checkpoint, makers: readonly Maker[]): Promise<void> => {
  await Promise.all([
    connection.query(`insert into index_checkpoint (id, ${COLUMNS}) values (1, $1, $2, $3, $4, $5, $6)`, [
      at.network,
      at.zeroHash,
      at.firstSeqno,
      at.seqno,
      at.rootHash,
      at.fileHash,
    ]),
    connection.query('delete from index_extensions'),
    connection.query('insert into index_extensions (name, version) select * from unnest($1::text[], $2::integer[])', [
      makers.map(({ name }) => name),
      makers.map(({ version }) => version),
    ]),
    connection.query('insert into published_head (id, mc_seqno, utime, epoch) values (1, $1, 0, 0)', [at.seqno]),
  ])
}

/** Whether the rows were made by exactly these makers. */
export const madeBy = async (connection: Pick<Connection, 'query'>, makers: readonly Maker[]): Promise<boolean> => {
  const rows = await connection.query<{ name: string; version: number }>('select name, version from index_extensions where name <> $1', [
    PASSING.name,
  ])
  const versions = new Map(rows.map(({ name, version }) => [name, version]))
  return versions.size === makers.length && makers.every(({ name, version }) => versions.get(name) === version)
}

/** Whether a newer version of one of these makers made the stored rows. */
export const madeByNewer = async (connection: Pick<Connection, 'query'>, makers: readonly Maker[]): Promise<boolean> => {
  const rows = await connection.query<{ name: string; version: number }>('select name, version from index_extensions')
  const versions = new Map(makers.map(({ name, version }) => [name, version]))
  return rows.some(({ name, version }) => version > (versions.get(name) ?? version))
}

/** Whether the index belongs to a chain that ends with its process. */
export const isOfPassingChain = async (connection: Pick<Connection, 'query'>): Promise<boolean> => {
  const rows = await connection.query('select from index_extensions where name = $1', [PASSING.name])
  return rows.length > 0
}

/** Empties the index. */
export const clearIndex = (connection: Pick<Connection, 'query'>, extensions: readonly Extension[]): Promise<unknown> => {
  const own = [...CHAIN_TABLES, indexExtensions, indexCheckpoint, publishedHead, actionsProgress]
  const names = [...own, ...extensions.flatMap(({ tables }) => tables)].map(({ name }) => name)
  return connection.query(`truncate ${names.join(', ')}`)
}
