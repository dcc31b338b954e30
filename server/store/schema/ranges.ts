import { bool, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/**
 * The plan of `tonway backfill`: ranges of masterchain blocks above the checkpoint, each derived by one process into a schema of its own and then joined to
 * the index. How far a range is stands in the checkpoint of that schema; who works on it, in an advisory lock.
 */
export const backfillRanges = table('backfill_ranges', {
  kind: 'place',
  key: ['first_mc_seqno'],
  columns: {
    first_mc_seqno: int4,
    last_mc_seqno: int4,
    /** The epoch of the published head when the range was planned. After a revert the range is planned again. */
    epoch: int8,
    /** Host and process id of the last process that worked on the range, for people; null if none has. */
    owner: nullable(text),
    /** Whether all its blocks are derived. */
    done: bool,
  },
})
