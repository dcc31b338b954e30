import { CLASSIFICATION_STATES } from '../codes.ts'
import { bool, bytea, code, int2, int4, int8, nullable, text, textList } from './column.ts'
import { table } from './table.ts'

/*
 * Actions of traces. Rows belong to complete traces; `mc_seqno` is the masterchain block that completed the trace. Rows are inserted in the order of blocks, so
 * a block range index (BRIN) is enough to find the rows that a revert deletes.
 */

export const traceClassifications = table('trace_classifications', {
  kind: 'event',
  key: ['trace_id'],
  group: 'traces',
  prunedWith: 'trace',
  columns: {
    trace_id: bytea,
    mc_seqno: int4,
    /** The masterchain block at which `facts` were read. It is the block that completed the trace, or a later one if the trace was classified later. */
    facts_seqno: int4,
    version: int4,
    state: code(CLASSIFICATION_STATES),
    /** Facts about the trace's accounts, as JSON; null if there are none. */
    facts: nullable(text),
  },
})

export const actions = table('actions', {
  kind: 'event',
  key: ['trace_id', 'action_id'],
  group: 'traces',
  prunedWith: 'trace',
  columns: {
    trace_id: bytea,
    action_id: bytea,
    mc_seqno: int4,
    type: text,
    start_lt: int8,
    end_lt: int8,
    start_utime: int8,
    end_utime: int8,
    trace_end_lt: int8,
    trace_end_utime: int8,
    success: bool,
    /** The account that sent the action's first message; null for an external message. */
    initiator: nullable(bytea),
    parent_id: nullable(bytea),
    /** Types of all parent actions, direct and indirect. */
    ancestors: nullable(textList),
    /** Concatenated hashes of the transactions that the action covers. */
    tx_hashes: bytea,
    /** The fields that are shown but not queried, as JSON. */
    content: text,
  },
})

export const actionAccounts = table('action_accounts', {
  kind: 'event',
  key: ['account', 'trace_end_lt', 'trace_id', 'action_end_lt', 'action_id'],
  group: 'transactions',
  prunedWith: 'trace',
  columns: {
    account: bytea,
    trace_end_lt: int8,
    trace_id: bytea,
    action_end_lt: int8,
    action_id: bytea,
    trace_end_utime: int8,
    mc_seqno: int4,
  },
})

/**
 * One row: the version of the classifier, and the progress of a reclassification of older traces. Traces above (end_lt, trace_id) are done. Without a row, all
 * actions are of this release's classifier.
 */
export const actionsProgress = table('actions_progress', {
  kind: 'place',
  key: ['id'],
  columns: {
    id: int2,
    version: int4,
    end_lt: int8,
    trace_id: bytea,
    done: bool,
  },
})
