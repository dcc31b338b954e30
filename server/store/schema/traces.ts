import { bytea, int2, int4, int8, nullable } from './column.ts'
import { table } from './table.ts'

/** Traces by the hash of their first transaction. */
export const traces = table('traces', {
  kind: 'merged',
  key: ['trace_id'],
  group: 'traces',
  columns: {
    trace_id: bytea,
    external_hash: nullable(bytea),
    /** Where it differs from external_hash. */
    external_hash_norm: nullable(bytea),
    /** TRACE_PENDING, TRACE_COMPLETE or TRACE_BROKEN (codes.ts). */
    state: int2,
    mc_seqno_start: int4,
    mc_seqno_end: int4,
    start_lt: int8,
    start_utime: int8,
    end_lt: int8,
    end_utime: int8,
    /** Messages consumed, logs, and the one that began it. */
    edges: int4,
    /** Messages on their way. */
    pending_edges: int4,
    /** Transactions. */
    nodes: int4,
  },
  indexes: {
    end_lt: '(end_lt)',
    end_utime: '(end_utime)',
    external_hash: 'using hash (external_hash) where external_hash is not null',
    external_hash_norm: 'using hash (external_hash_norm) where external_hash_norm is not null',
    mc_seqno_end: '(mc_seqno_end, end_lt)',
  },
})
