import { bytea, int2, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/** One row: the newest indexed block, and the chain's identity. Written in the same SQL transaction as the rows of the block. */
export const indexCheckpoint = table('index_checkpoint', {
  kind: 'place',
  key: ['id'],
  columns: {
    id: int2,
    network: text,
    zero_hash: bytea,
    first_mc_seqno: int4,
    mc_seqno: int4,
    root_hash: bytea,
    file_hash: bytea,
    /** First masterchain block whose history is stored; null if that is first_mc_seqno. */
    kept_mc_seqno: nullable(int4),
    /** Number of changes that do not come from blocks: reverts and removals of history. Null before the first change. */
    changes: nullable(int8),
  },
})

/** Channel of NOTIFY for changes of the published head. */
export const HEAD_CHANNEL = 'tonway_head'

/** One row: the newest block that readers see. Written in the SQL transaction that writes the rows of the block, on a Citus cluster after its commit. */
export const publishedHead = table('published_head', {
  kind: 'place',
  key: ['id'],
  columns: {
    id: int2,
    mc_seqno: int4,
    utime: int8,
    /** Grows with every revert of the chain. Its first value is the time at which the index was begun, in Unix milliseconds. */
    epoch: int8,
    /** The value of the checkpoint's `changes` that is committed on all nodes of a cluster. */
    changes: nullable(int8),
  },
})

/** The part of the index that readers may see: the rows of published_head and index_checkpoint, read in one snapshot. */
export interface IndexHead {
  /** Seqno of the newest published masterchain block, and (`first`) of the first masterchain block whose history is stored. */
  readonly head: number
  readonly first: number
  /** Unix seconds of the head. Answers use this as the current time, for example to decide whether an auction is over. */
  readonly utime: number
  /** Grows with every revert of the chain, and with every new index. */
  readonly epoch: number
  readonly network: string
  /** True if the database is a Citus cluster, which cannot join rows of different shards. */
  readonly isDistributed: boolean
}

/**
 * Versions of the code that derived the stored rows: of the chain's own tables, of those topics (index/topics) whose new version rebuilds the index, and of
 * a selection of accounts. Released migrations are not edited, so the table still has its first name.
 */
export const indexMakers = table('index_extensions', {
  kind: 'place',
  key: ['name'],
  columns: {
    name: text,
    version: int4,
  },
})
