import * as z from 'zod'
import { decimal, hash44 } from '../wire.ts'
import { nextCursor, withBookAndMetadata } from './book.ts'
import { v3Transaction } from './transaction.ts'

/** A transaction and those that its messages caused. */
export interface V3TraceNode {
  tx_hash: string
  /** null where nothing was received: a tick-tock transaction. */
  in_msg_hash: string | null
  children: V3TraceNode[]
}
export const traceNode: z.ZodType<V3TraceNode> = z
  .lazy(() => z.strictObject({ tx_hash: hash44(), in_msg_hash: hash44().nullable(), children: z.array(traceNode) }))
  .meta({ id: 'V3TraceNode' })

const traceInfo = z
  .strictObject({
    trace_state: z.enum(['complete', 'pending', 'broken']),
    messages: z.int(),
    transactions: z.int(),
    pending_messages: z.int(),
    classification_state: z.enum(['unclassified', 'ok', 'failed', 'broken']),
  })
  .meta({ id: 'V3TraceInfo' })

/** What the actions of a trace look like comes with them; until then there are none. */
const actions = z.array(z.never())

const trace = z
  .strictObject({
    trace_id: hash44().nullable(),
    external_hash: hash44().nullable(),
    mc_seqno_start: decimal(),
    mc_seqno_end: decimal(),
    start_lt: decimal(),
    start_utime: z.int(),
    end_lt: decimal().nullable(),
    end_utime: z.int().nullable(),
    trace_info: traceInfo,
    is_incomplete: z.boolean(),
    warning: z.string().optional(),
    actions: actions.optional(),
    trace: traceNode.optional(),
    transactions_order: z.array(hash44()).optional(),
    transactions: z.record(hash44(), v3Transaction).optional(),
  })
  .meta({ id: 'V3Trace' })

export const v3Traces = z.strictObject({ traces: z.array(trace), ...withBookAndMetadata, ...nextCursor }).meta({ id: 'V3Traces' })

export const v3Actions = z.strictObject({ actions, ...withBookAndMetadata }).meta({ id: 'V3Actions' })
