import { bytea, int2, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/** One row: the newest indexed block, and the chain. Written in the same SQL transaction as the rows of the block. */
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
    /** First masterchain block whose history is stored; null if nothing was removed (then it is first_mc_seqno). */
    kept_mc_seqno: nullable(int4),
    /** Grows with every change that no block makes: reverts, removed history. Null before the first one. */
    changes: nullable(int8),
  },
})

/** Notified with each change of `published_head`: with its `mc_seqno` and `utime`, or without a text if more than these has changed. */
export const HEAD_CHANNEL = 'tonway_head'

/** A head as its writer notifies it. */
export interface NotifiedHead {
  readonly seqno: number
  /** Unix seconds. */
  readonly utime: number
}

export const formatHead = ({ seqno, utime }: NotifiedHead): string => `${seqno} ${utime}`

/** The head in a text of HEAD_CHANNEL; undefined if there is none. */
export const parseHead = (text: string | undefined): NotifiedHead | undefined => {
  const [, seqno, utime] = /^(\d{1,10}) (\d{1,10})$/.exec(text ?? '') ?? []
  return seqno === undefined ? undefined : { seqno: Number(seqno), utime: Number(utime) }
}

/** One row: the newest block that readers see. Written after the commit of its rows. */
export const publishedHead = table('published_head', {
  kind: 'place',
  key: ['id'],
  columns: {
    id: int2,
    mc_seqno: int4,
    utime: int8,
    /** Grows with every revert of the chain. Begins with the time when the index was begun, Unix milliseconds. */
    epoch: int8,
    /** The last of the checkpoint's `changes` that is committed on all nodes of a cluster. */
    changes: nullable(int8),
  },
})

/** What readers may see of the index, as one snapshot of its two rows has it. */
export interface IndexHead {
  /** The newest published masterchain block, and the first one whose history is stored. */
  readonly head: number
  readonly first: number
  /** Unix seconds of the head. */
  readonly utime: number
  /** Grows with every revert of the chain, and with every new index. */
  readonly epoch: number
  readonly network: string
  /** Whether the database is a Citus cluster. */
  readonly isDistributed: boolean
}

/** What made the stored rows, with versions: the core and the topics. The table has the name of the release that made it. */
export const indexMakers = table('index_extensions', {
  kind: 'place',
  key: ['name'],
  columns: {
    name: text,
    version: int4,
  },
})
