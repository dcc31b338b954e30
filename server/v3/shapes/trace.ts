import type { V3TraceNode } from '../../../shared/models/v3/traces.ts'
import type { Result } from '../../../shared/registry.ts'
import { base64, flag, json, maybeBase64, number, object, optional, type Shape, word } from '../../base/json/shape.ts'
import type { JsonText } from '../../base/json/text.ts'
import { CLASSIFICATION_STATES, TRACE_STATES } from '../../store/codes.ts'
import type { TraceRow } from '../../store/queries/traces.ts'
import { nameOf } from '../../store/row-keys.ts'
import type { WireAction } from './action.ts'
import { type TransactionOf, transaction, type WireTransaction } from './transaction.ts'

export type WireTrace = Result<'v3.traces'>['traces'][number]

/** Maximum number of transactions of a trace. A larger trace is shown without its transactions. */
export const MAX_NODES = 4000
/** Maximum number of transactions in one answer. Further traces are shown without transactions. */
export const MAX_NODES_OF_PAGE = 10_000
/** @internal Maximum depth of a tree, because JSON is written and parsed recursively. A deeper tree is omitted; the trace's transactions are still shown. */
export const MAX_DEPTH = 1000

type Warning = 'trace is too large' | 'trace is too deep' | 'missing node in trace found'

interface Linked {
  readonly hash: string
  /** Hash of the received message; null for tick-tock transactions. */
  readonly received: string | null
  readonly sent: readonly string[]
}

/** A node of the tree. `at`: index of the transaction in the trace. */
interface Branch {
  readonly at: number
  readonly children: Branch[]
}

/**
 * Builds the tree of a trace's transactions by the hashes of their messages; returns a warning if that fails. The transactions are ordered by lt, so each
 * comes before those that it causes.
 */
const branchesOf = (root: string, linked: readonly Linked[]): Branch | Warning => {
  interface TreeNode extends Branch {
    depth: number
  }
  const treeNodes = linked.map((_, at): TreeNode => ({ at, children: [], depth: 0 }))
  const receivers = new Map<string, TreeNode>()
  for (const [i, { received }] of linked.entries()) if (received !== null) receivers.set(received, treeNodes[i]!)
  let links = 0
  let deepest = 0
  for (const [i, { sent }] of linked.entries()) {
    const { children, depth } = treeNodes[i]!
    for (const hash of sent) {
      const child = receivers.get(hash)
      if (!child) continue
      children.push(child)
      child.depth = depth + 1
      deepest = Math.max(deepest, child.depth)
      links++
    }
  }
  const top = links === treeNodes.length - 1 ? treeNodes[linked.findIndex(({ hash }) => hash === root)] : undefined
  if (!top) return 'missing node in trace found'
  return deepest > MAX_DEPTH ? 'trace is too deep' : top
}

export interface TraceParts<Transaction = WireTransaction> {
  /** Sorted by lt; undefined if there are too many. */
  readonly transactions: readonly Transaction[] | undefined
  /** Undefined if they were not requested. */
  readonly actions: readonly WireAction[] | undefined
  /** Index in CLASSIFICATION_STATES; undefined if the trace is not classified. */
  readonly classification: number | undefined
}

/** Source of a trace's fields without its tree, transactions and actions. */
interface HeadOf extends Pick<TraceParts, 'classification'> {
  readonly row: TraceRow
  readonly warning: Warning | undefined
}

const info: Shape<HeadOf, WireTrace['trace_info']> = object({
  trace_state: word(({ row }) => TRACE_STATES[row.state]!),
  messages: number(({ row }) => row.edges),
  transactions: number(({ row }) => row.nodes),
  pending_messages: number(({ row }) => row.pending_edges),
  classification_state: word(({ classification }) =>
    classification === undefined ? 'unclassified' : CLASSIFICATION_STATES[classification]!,
  ),
})

const head: Shape<HeadOf, Omit<WireTrace, 'actions' | 'trace' | 'transactions_order' | 'transactions'>> = object({
  trace_id: base64(({ row }) => row.trace_id),
  external_hash: maybeBase64(({ row }) => row.external_hash),
  mc_seqno_start: word(({ row }) => String(row.mc_seqno_start)),
  mc_seqno_end: word(({ row }) => String(row.mc_seqno_end)),
  start_lt: word(({ row }) => row.start_lt),
  start_utime: number(({ row }) => Number(row.start_utime)),
  end_lt: word(({ row }) => row.end_lt),
  end_utime: number(({ row }) => Number(row.end_utime)),
  trace_info: info,
  is_incomplete: flag(({ warning }) => warning !== undefined),
  warning: optional(json(({ warning }) => warning ?? null)),
})

const linkedOfWire = ({ hash, in_msg, out_msgs }: WireTransaction): Linked => ({
  hash,
  received: in_msg?.hash ?? null,
  sent: out_msgs.map((message) => message.hash),
})

const nodeOf = ({ at, children }: Branch, transactions: readonly WireTransaction[]): V3TraceNode => {
  const { hash, in_msg } = transactions[at]!
  return { tx_hash: hash, in_msg_hash: in_msg?.hash ?? null, children: children.map((child) => nodeOf(child, transactions)) }
}

/** Returns a warning if the tree cannot be built. `root`: hash of the first transaction. `transactions`: ordered by lt. */
export const treeOf = (root: string, transactions: readonly WireTransaction[]): V3TraceNode | Warning => {
  const top = branchesOf(root, transactions.map(linkedOfWire))
  return typeof top === 'string' ? top : nodeOf(top, transactions)
}

export const toTrace = (row: TraceRow, { transactions, actions, classification }: TraceParts): WireTrace => {
  const found = transactions ? treeOf(row.trace_id.toString('base64'), transactions) : 'trace is too large'
  const warning = typeof found === 'string' ? found : undefined
  return {
    ...head.of({ row, classification, warning }),
    ...(actions && { actions: [...actions] }),
    ...(typeof found !== 'string' && { trace: found }),
    ...(transactions && {
      transactions_order: transactions.map((transaction) => transaction.hash),
      transactions: Object.fromEntries(transactions.map((transaction) => [transaction.hash, transaction])),
    }),
  }
}

const linkedOfRows = ({ row, received, sent }: TransactionOf): Linked => ({
  hash: nameOf(row.hash),
  received: received && nameOf(received.row.msg_hash),
  sent: sent.map((message) => nameOf(message.row.msg_hash)),
})

const nodeOfRows = ({ at, children }: Branch, transactions: readonly TransactionOf[]): V3TraceNode => {
  const { row, received } = transactions[at]!
  return {
    tx_hash: row.hash.toString('base64'),
    in_msg_hash: received === null ? null : received.row.msg_hash.toString('base64'),
    children: children.map((child) => nodeOfRows(child, transactions)),
  }
}

/** Writes the JSON of `toTrace`, with a step after each transaction. */
export function* writeTrace(out: JsonText, row: TraceRow, parts: TraceParts<TransactionOf>): Generator<void> {
  const { transactions, actions, classification } = parts
  const found = transactions ? branchesOf(nameOf(row.trace_id), transactions.map(linkedOfRows)) : 'trace is too large'
  const warning = typeof found === 'string' ? found : undefined
  const beginning = {
    ...head.of({ row, classification, warning }),
    ...(actions && { actions }),
    ...(typeof found !== 'string' && { trace: nodeOfRows(found, transactions!) }),
    ...(transactions && { transactions_order: transactions.map((one) => one.row.hash.toString('base64')) }),
  }
  if (!transactions) {
    out.value(beginning)
    return
  }
  out.add(`${JSON.stringify(beginning).slice(0, -1)},"transactions":{`)
  for (const [i, of] of transactions.entries()) {
    out.add(`${i > 0 ? ',' : ''}"${of.row.hash.toString('base64')}":`)
    out.value(transaction.of(of))
    yield
  }
  out.add('}}')
}
