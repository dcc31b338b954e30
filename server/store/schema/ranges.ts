import { bool, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/**
 * Ranges of masterchain blocks above the checkpoint, which `tonway backfill` indexes. One process derives a range into a schema of its own, and the range
 * is then joined to the index. The checkpoint of that schema has the progress. The process that works on a range holds an advisory lock.
 */
export const backfillRanges = table('backfill_ranges', {
  kind: 'place',
  key: ['first_mc_seqno'],
  columns: {
    first_mc_seqno: int4,
    last_mc_seqno: int4,
    /** The epoch of the published head when the range was planned. After a revert the range is planned again. */
    epoch: int8,
    /** Host and process id of the last process that worked on the range, for operators; null if no process has. */
    owner: nullable(text),
    done: bool,
  },
})
