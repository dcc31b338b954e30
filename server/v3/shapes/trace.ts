import { TonError } from '../../../shared/errors.ts'
import type { V3TraceNode } from '../../../shared/models/v3/traces.ts'
import type { Result } from '../../../shared/registry.ts'
import { CLASSIFICATION_STATES, TRACE_STATES } from '../../store/codes.ts'
import type { TraceRow } from '../../store/queries/traces.ts'
import { MAX_SIZE_OF_PAGE, MESSAGES_OF_ONE } from '../../store/queries/transactions/size.ts'
import type { WireAction } from './action.ts'
import type { WireTransaction } from './transaction.ts'
import { base64, maybeBase64, optional } from './values.ts'

export type WireTrace = Result<'v3.traces'>['traces'][number]

/** Maximum size of a trace: its transactions, or its messages (transactions/size.ts). A larger trace is shown without its transactions. */
export const MAX_NODES = 4000
export const PAGE_TEXT = `${MAX_SIZE_OF_PAGE} transactions or ${MAX_SIZE_OF_PAGE * MESSAGES_OF_ONE} messages`

/** Throws if the transactions of a page have a larger size than an answer may have. `rows`: the rows of the page. */
export const checkPage = (size: number, rows: string): void => {
  if (size > MAX_SIZE_OF_PAGE)
    throw new TonError('INVALID_PARAMS', `the ${rows} of this page have more than ${PAGE_TEXT}: ask for fewer`, {
      issues: [{ param: 'limit', message: 'the page is too large' }],
    })
}

/** @internal Maximum depth of a tree, because JSON is written and parsed recursively. A deeper tree is omitted; the trace's transactions are still shown. */
export const MAX_DEPTH = 1000

export interface Linked {
  readonly hash: string
  readonly in_msg: { readonly hash: string } | null
  readonly out_msgs: readonly { readonly hash: string }[]
}

/** Transactions, sorted by lt. Each is formatted when its JSON is written, because those of one trace can have gigabytes of JSON. `wireOf`: formats one. */
interface TraceTransactions {
  readonly links: readonly Linked[]
  readonly wireOf: (place: number) => WireTransaction
}

type Warning = 'trace is too large' | 'trace is too deep' | 'missing node in trace found'

/**
 * Builds the tree of a trace's transactions by the hashes of their messages; returns a warning if that fails. `root`: hash of the first transaction.
 * `transactions`: ordered by lt, so each comes before those that it causes.
 */
export const treeOf = (root: string, transactions: readonly Linked[]): V3TraceNode | Warning => {
  const nodes = transactions.map(({ hash, in_msg }) => ({
    tx_hash: hash,
    in_msg_hash: in_msg?.hash ?? null,
    children: [] as V3TraceNode[],
  }))
  const receivers = new Map<string, number>()
  for (const [i, { in_msg_hash }] of nodes.entries()) if (in_msg_hash !== null) receivers.set(in_msg_hash, i)
  const depths = nodes.map(() => 0)
  let links = 0
  let deepest = 0
  for (const [i, { out_msgs }] of transactions.entries()) {
    for (const { hash } of out_msgs) {
      const child = receivers.get(hash)
      if (child === undefined) continue
      nodes[i]!.children.push(nodes[child]!)
      depths[child] = depths[i]! + 1
      deepest = Math.max(deepest, depths[child])
      links++
    }
  }
  const top = links === nodes.length - 1 ? nodes.find(({ tx_hash }) => tx_hash === root) : undefined
  if (!top) return 'missing node in trace found'
  return deepest > MAX_DEPTH ? 'trace is too deep' : top
}

export interface TraceParts {
  /** Undefined if there are too many. */
  readonly transactions: TraceTransactions | undefined
  /** Undefined if they were not requested. */
  readonly actions: readonly WireAction[] | undefined
  /** Index in CLASSIFICATION_STATES; undefined if the trace is not classified. */
  readonly classification: number | undefined
}

const byHash = ({ links, wireOf }: TraceTransactions): Record<string, WireTransaction> => {
  // JSON.stringify takes what toJSON returns.
  const unformatted = links.map(({ hash }, place) => [hash, { toJSON: () => wireOf(place) }] as const)
  return Object.fromEntries(unformatted) as unknown as Record<string, WireTransaction>
}

export const toTrace = (row: TraceRow, { transactions, actions, classification }: TraceParts): WireTrace => {
  const found = transactions ? treeOf(base64(row.trace_id), transactions.links) : 'trace is too large'
  const warning = typeof found === 'string' ? found : null
  return {
    trace_id: base64(row.trace_id),
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
    is_incomplete: warning !== null,
    warning: optional(warning),
    ...(actions && { actions: [...actions] }),
    ...(typeof found !== 'string' && { trace: found }),
    ...(transactions && { transactions_order: transactions.links.map(({ hash }) => hash), transactions: byHash(transactions) }),
  }
}
