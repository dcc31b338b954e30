import * as z from 'zod'
import { decimal, flag, hash44, int, lt, many, model, text, utime, words } from '../value-formats.ts'
import { v3Action } from './actions.ts'
import { metadataOfPage } from './book.ts'
import { v3Transaction } from './transactions.ts'

export interface V3TraceNode {
  tx_hash: string
  /** null for a tick-tock transaction, which has no inbound message. */
  in_msg_hash: string | null
  children: V3TraceNode[]
}
export const traceNode: z.ZodType<V3TraceNode> = z
  .lazy(() =>
    z.strictObject({
      tx_hash: hash44('Hash of the transaction.'),
      in_msg_hash: hash44('Hash of the message that it received; null if it received none.').nullable(),
      children: many('The transactions that its messages caused.', traceNode),
    }),
  )
  .meta({ id: 'V3TraceNode' })

/** Transactions by their hashes. */
export const byHash = (what: string) =>
  z.record(hash44('Hash of a transaction.'), v3Transaction).meta({ description: what, examples: [{}] })

const traceInfo = model('V3TraceInfo', {
  trace_state: words(
    'Whether all messages have arrived (complete), some are on their way (pending), or its begin is not in the index (broken).',
    ['complete', 'pending', 'broken'],
  ),
  messages: int('How many messages the trace holds.', 4),
  transactions: int('How many transactions the trace holds.', 3),
  pending_messages: int('How many messages are on their way.', 0),
  classification_state: words('How far the search for actions has come.', ['unclassified', 'ok', 'failed', 'broken']),
})

const actions = many('What the trace means, such as a transfer or a swap.', v3Action)

const trace = model('V3Trace', {
  trace_id: hash44('Id of the trace: the hash of its first transaction; null if that is not known.').nullable(),
  external_hash: hash44('Hash of the message that began the trace; null if there is none.').nullable(),
  mc_seqno_start: decimal('Number of the masterchain block with its first transaction.'),
  mc_seqno_end: decimal('Number of the masterchain block with its last transaction.'),
  start_lt: lt('Logical time of its first transaction.'),
  start_utime: utime('When its first transaction was made.'),
  end_lt: lt('Logical time of its last transaction; null while it goes on.').nullable(),
  end_utime: utime('When its last transaction was made; null while it goes on.').nullable(),
  trace_info: traceInfo.describe('How large the trace is, and whether it is complete.'),
  is_incomplete: flag('Whether its transactions were left out of this answer because there are too many.'),
  warning: text('What is missing of the trace.', 'too many transactions').optional(),
  actions: actions.optional(),
  trace: traceNode.describe('The tree of its transactions.').optional(),
  transactions_order: many('Hashes of its transactions, by logical time.', hash44('Hash of a transaction.')).optional(),
  transactions: byHash('Its transactions by their hashes.').optional(),
})

export const v3Traces = model('V3Traces', { traces: many('The traces that were found.', trace), ...metadataOfPage })

/** The list of traces under the name that older clients use. */
export const v3Events = model('V3Events', { events: many('The traces that were found.', trace), ...metadataOfPage })
