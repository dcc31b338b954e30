import { TRACE_BROKEN, TRACE_COMPLETE, TRACE_PENDING } from '../codes.ts'
import { bytea, int2, int4, int8, merged, nullable } from './column.ts'
import { table } from './table.ts'

/** The new state of a trace. A broken trace stays broken. A trace also becomes broken if more messages were received than sent. */
const STATE = `case when traces.state = ${TRACE_BROKEN} or traces.pending_edges + excluded.pending_edges < 0 then ${TRACE_BROKEN}
  when traces.pending_edges + excluded.pending_edges = 0 then ${TRACE_COMPLETE} else ${TRACE_PENDING} end`

/** `trace_id`: hash of the first transaction. */
export const traces = table('traces', {
  kind: 'merged',
  key: ['trace_id'],
  group: 'traces',
  since: 'mc_seqno_start',
  prunedWith: 'trace',
  columns: {
    trace_id: bytea,
    external_hash: merged('keep', nullable(bytea)),
    /** The normalized hash; null if it equals external_hash. */
    external_hash_norm: merged('keep', nullable(bytea)),
    /** TRACE_PENDING, TRACE_COMPLETE or TRACE_BROKEN (codes.ts). */
    state: merged({ sql: STATE }, int2),
    mc_seqno_start: merged('keep', int4),
    mc_seqno_end: merged('greatest', int4),
    start_lt: merged('keep', int8),
    start_utime: merged('keep', int8),
    end_lt: merged('greatest', int8),
    end_utime: merged('greatest', int8),
    /** Number of received messages, including the one that began the trace, and of logs (external out-messages). */
    edges: merged('sum', int4),
    /** Number of messages that were sent but not received yet. */
    pending_edges: merged('sum', int4),
    nodes: merged('sum', int4),
  },
})
