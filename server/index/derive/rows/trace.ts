import type { WriteRow } from '../../../store/schema/table.ts'
import type { traces } from '../../../store/schema/traces.ts'
import { type TraceChange, traceState } from '../traces.ts'

/** A row of a new trace, or the values that a group of blocks adds to a stored trace. */
export const traceRow = (trace: TraceChange): WriteRow<typeof traces> => ({
  trace_id: trace.traceId,
  external_hash: trace.externalHash,
  external_hash_norm: trace.externalHashNorm,
  state: traceState(trace.pendingEdges, trace.broken),
  mc_seqno_start: trace.mcSeqnoStart,
  mc_seqno_end: trace.mcSeqnoEnd,
  start_lt: trace.startLt,
  start_utime: trace.startUtime,
  end_lt: trace.endLt,
  end_utime: trace.endUtime,
  edges: trace.edges,
  pending_edges: trace.pendingEdges,
  nodes: trace.nodes,
})
