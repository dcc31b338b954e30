import { type TraceChange, traceState } from '../../derive/traces.ts'
import { keyBytes, line, NULL } from './text.ts'

/** A row of traces, or what a group adds to one. */
export const traceRow = (trace: TraceChange): string =>
  line([
    keyBytes(trace.traceId),
    trace.externalHash === undefined ? NULL : keyBytes(trace.externalHash),
    trace.externalHashNorm === undefined ? NULL : keyBytes(trace.externalHashNorm),
    String(traceState(trace.pendingEdges, trace.broken)),
    String(trace.mcSeqnoStart),
    String(trace.mcSeqnoEnd),
    String(trace.startLt),
    String(trace.startUtime),
    String(trace.endLt),
    String(trace.endUtime),
    String(trace.edges),
    String(trace.pendingEdges),
    String(trace.nodes),
  ])
