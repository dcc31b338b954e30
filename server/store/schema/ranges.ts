import { bool, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/**
 * The plan of `tonway backfill`: ranges of masterchain blocks above the checkpoint. Each range is derived by one process into a separate schema, and then
 * joined to the index. The progress of a range is in the checkpoint of its schema. The process that works on a range holds an advisory lock.
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
    /** True if all blocks of the range are derived. */
    done: bool,
  },
})
