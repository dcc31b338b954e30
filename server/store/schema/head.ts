import { bytea, int2, int4, int8, text } from './column.ts'
import { table } from './table.ts'

/** One row, written with the rows of a block: how far the index is. */
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
  },
})

/** One row, written after the checkpoint's commit: readers never look above it. */
export const publishedHead = table('published_head', {
  kind: 'place',
  key: ['id'],
  columns: {
    id: int2,
    mc_seqno: int4,
    utime: int8,
    /** Grows with every revert of the chain. */
    epoch: int8,
  },
})

/** Which topics, in which versions, made the rows that are stored. */
export const indexExtensions = table('index_extensions', {
  kind: 'place',
  key: ['name'],
  columns: {
    name: text,
    version: int4,
  },
})
