import type { V3TraceNode } from '../../../shared/models/v3/traces.ts'
import type { Result } from '../../../shared/registry.ts'
import { CLASSIFICATION_STATES, TRACE_STATES } from '../../store/codes.ts'
import type { TraceRow } from '../../store/queries/traces.ts'
import type { WireAction } from './action.ts'
import type { WireTransaction } from './transaction.ts'
import { base64, maybeBase64 } from './values.ts'

export type WireTrace = Result<'v3.traces'>['traces'][number]

/** A trace with more transactions than this is shown without them (v3.md 7.1). */
export const MOST_NODES = 4000
/** Largest number of transactions in one answer. Further traces are shown without theirs, like traces that are too large. */
export const MOST_NODES_OF_PAGE = 10_000
/** @internal A deeper tree is left out, because JSON is written and read by recursion. Its transactions are shown. */
export const MOST_DEPTH = 1000

type Warning = 'trace is too large' | 'trace is too deep' | 'missing node in trace found'

/**
 * The tree of a trace's transactions, linked by their messages; or the reason why there is none. The transactions are ordered by lt, so each comes before
 * those that it causes.
 */
export const treeOf = (root: string, transactions: readonly WireTransaction[]): V3TraceNode | Warning => {
  interface Place {
    readonly node: V3TraceNode
    depth: number
  }
  const places = transactions.map(
    (transaction): Place => ({
      node: { tx_hash: transaction.hash, in_msg_hash: transaction.in_msg?.hash ?? null, children: [] },
      depth: 0,
    }),
  )
  const receivers = new Map(places.flatMap((place) => (place.node.in_msg_hash === null ? [] : [[place.node.in_msg_hash, place] as const])))
  let linked = 0
  let deepest = 0
  for (const [i, { out_msgs }] of transactions.entries()) {
    const { node, depth } = places[i]!
    for (const message of out_msgs) {
      const child = receivers.get(message.hash)
      if (!child) continue
      node.children.push(child.node)
      child.depth = depth + 1
      deepest = Math.max(deepest, child.depth)
      linked++
    }
  }
  const top = linked === places.length - 1 ? places.find(({ node }) => node.tx_hash === root) : undefined
  if (!top) return 'missing node in trace found'
  return deepest > MOST_DEPTH ? 'trace is too deep' : top.node
}

/** Parts of a trace that are not in its row. */
export interface TraceParts {
  /** Sorted by lt; undefined if there are too many. */
  readonly transactions: readonly WireTransaction[] | undefined
  /** Undefined if they were not requested. */
  readonly actions: readonly WireAction[] | undefined
  /** Place in CLASSIFICATION_STATES; undefined if the trace is not classified. */
  readonly classification: number | undefined
}

/** A trace in v3's form, from its row and its parts. */
export const toTrace = (row: TraceRow, { transactions, actions, classification }: TraceParts): WireTrace => {
  const id = base64(row.trace_id)
  const found = transactions ? treeOf(id, transactions) : 'trace is too large'
  const tree = typeof found === 'string' ? undefined : found
  return {
    trace_id: id,
    external_hash: maybeBase64(row.external_hash),
    mc_seqno_start: String(row.mc_seqno_start),
    mc_seqno_end: String(row.mc_seqno_end),
    start_lt: row.start_lt,
    start_utime: Number(row.start_utime),
    end_lt: row.end_lt,
    end_utime: Number(row.end_utime),
    trace_info: {
      trace_state: TRACE_STATES[row.state]!,
      messages: row.edges,
      transactions: row.nodes,
      pending_messages: row.pending_edges,
      classification_state: classification === undefined ? 'unclassified' : CLASSIFICATION_STATES[classification]!,
    },
    is_incomplete: tree === undefined,
    ...(typeof found === 'string' && { warning: found }),
    ...(actions && { actions: [...actions] }),
    ...(tree && { trace: tree }),
    ...(transactions && {
      transactions_order: transactions.map((transaction) => transaction.hash),
      transactions: Object.fromEntries(transactions.map((transaction) => [transaction.hash, transaction])),
    }),
  }
}
