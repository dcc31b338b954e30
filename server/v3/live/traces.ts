import type { EventAction, EventQuery, EventTransaction, LiveEvent } from '../../live/events.ts'
import { TRACE_BROKEN } from '../../store/codes.ts'
import type { ActionRow } from '../../store/queries/actions/filter.ts'
import { everyActionOf, placesOfTraces, type TransactionPosition, tracesById } from '../../store/queries/events.ts'
import type { TraceRow } from '../../store/queries/traces.ts'
import { transactionsByKeys } from '../../store/queries/transactions/by-key.ts'
import { keyText } from '../../store/queries/transactions/transaction-key.ts'
import type { View } from '../../store/queries/view.ts'
import { rawOfKey } from '../../store/row-keys.ts'
import { accountsNamed, toWireActions, type WireAction } from '../shapes/action.ts'
import { grouped } from '../shapes/group-rows.ts'
import { MAX_NODES, toTrace } from '../shapes/trace.ts'
import { relateTransactions, toTransactions, type WireTransaction } from '../shapes/transaction.ts'
import { base64 } from '../shapes/values.ts'
import { type Placed, place, RANK } from './place.ts'
import type { WatchedChanges } from './watched-changes.ts'

/**
 * Maximum bytes of message bodies and initial states of a trace in events, of which each occurrence counts; the same as for emulated traces. An event is in
 * memory as a whole, and a contract can send a body of 256 KB thousands of times in a trace.
 */
const MAX_CELLS_OF_TRACE = 4 << 20
/** Maximum characters of all decoded bodies of the events that are read together, of which each occurrence counts. */
const MAX_DECODED = 1 << 24

const idOf = ({ trace_id }: { readonly trace_id: Buffer }): string => trace_id.toString('latin1')

const hashesOf = (row: TraceRow): string[] =>
  [row.external_hash_norm, row.external_hash, row.trace_id].flatMap((hash) => (hash ? [base64(hash)] : []))

const hashOf = ({ external_hash_norm, external_hash }: TraceRow): string | undefined => {
  const hash = external_hash_norm ?? external_hash
  return hash ? base64(hash) : undefined
}

/** Converts a transaction to the form of events, which adds the hash of the trace's external message. */
export const eventTransaction = (wire: WireTransaction, externalHash: string | null): EventTransaction => ({
  account: wire.account,
  lt: wire.lt,
  hash: wire.hash,
  named: [wire.account, wire.in_msg?.source, ...wire.out_msgs.map(({ destination }) => destination)].flatMap((name) => name ?? []),
  wire: { ...wire, trace_external_hash: externalHash },
})

export const eventAction = (wire: WireAction, { type, ancestors }: Pick<ActionRow, 'type' | 'ancestors'>): EventAction => ({
  type,
  shownType: wire.type,
  ancestors: ancestors ?? [],
  accounts: wire.accounts ?? [],
  named: [...accountsNamed([wire])].map(rawOfKey),
  wire,
})

interface Read {
  readonly wire: ReadonlyMap<string, WireTransaction>
  readonly actions: (trace: string) => readonly EventAction[]
  /** All transactions of each complete trace. */
  readonly nodes: (trace: string) => readonly TransactionPosition[]
}

const newestFirst = (a: EventTransaction, b: EventTransaction): number => (BigInt(a.lt) > BigInt(b.lt) ? -1 : 1)

const transactionsOf = (row: TraceRow, places: readonly TransactionPosition[], { wire }: Read): EventTransaction[] => {
  const external = row.external_hash ? base64(row.external_hash) : null
  return places
    .flatMap((one) => wire.get(keyText(one)) ?? [])
    .map((each) => eventTransaction(each, external))
    .sort(newestFirst)
}

const ofTrace = (row: TraceRow) => ({ finality: 'finalized', traceHash: hashOf(row), otherHashes: hashesOf(row) }) as const

/** Whether the query subscribes to an account or a hash of a complete trace. */
const isRequested = (row: TraceRow, nodes: readonly TransactionPosition[], { isWatched }: WatchedChanges, query: EventQuery): boolean =>
  nodes.some(({ account }) => isWatched(account)) || hashesOf(row).some((hash) => query.hashes.has(hash))

const transactionEvents = (row: TraceRow, changes: WatchedChanges, read: Read): Placed[] => {
  const ofBlock = grouped(
    changes.transactions.filter((one) => one.trace_id.equals(row.trace_id) && changes.isWatched(one.account)),
    ({ mc_seqno }) => String(mc_seqno),
  )
  const isEnded = changes.ended.includes(row)
  const isOfOneBlock = row.state === TRACE_BROKEN || (isEnded && row.mc_seqno_start === row.mc_seqno_end)
  const at = place(RANK.transactions, row.start_lt, row.trace_id)
  const found: Placed[] = []
  for (const seqno of changes.seqnos) {
    const transactions = transactionsOf(row, ofBlock(String(seqno)), read)
    if (transactions.length === 0) continue
    const body = { type: 'transactions', scope: isOfOneBlock ? 'both' : 'block', transactions } as const
    found.push({ seqno, event: { ...ofTrace(row), body, place: at } })
  }
  if (!isEnded || isOfOneBlock) return found
  const watched = read.nodes(idOf(row)).filter(({ account }) => changes.isWatched(account))
  const body = { type: 'transactions', scope: 'trace', transactions: transactionsOf(row, watched, read) } as const
  return [...found, { seqno: row.mc_seqno_end, event: { ...ofTrace(row), body, place: at } }]
}

const traceEvent = (row: TraceRow, read: Read): LiveEvent => {
  const nodes = read.nodes(idOf(row))
  const wires = nodes.flatMap((one) => read.wire.get(keyText(one)) ?? []).sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
  const isWhole = wires.length === row.nodes
  const shown = toTrace(row, { transactions: isWhole ? wires : undefined, actions: undefined, classification: undefined })
  const transactions = isWhole ? transactionsOf(row, nodes, read) : []
  return {
    ...ofTrace(row),
    body: {
      type: 'trace',
      accounts: new Set(nodes.map(({ account }) => rawOfKey(account))),
      named: transactions.flatMap(({ named }) => named),
      actions: read.actions(idOf(row)),
      wire: {
        trace_id: shown.trace_id,
        trace: shown.trace ?? null,
        transactions: Object.fromEntries(transactions.map(({ hash, wire }) => [hash, wire])),
        ...(shown.is_incomplete && { is_incomplete: true, warning: shown.warning }),
      },
    },
    place: place(RANK.trace, row.start_lt, row.trace_id),
  }
}

const actionsEvent = (row: TraceRow, actions: readonly EventAction[]): LiveEvent => ({
  ...ofTrace(row),
  body: { type: 'actions', actions },
  place: place(RANK.actions, row.start_lt, row.trace_id),
})

/** Transactions, by trace id, of the completed traces that the query may request. A trace can have transactions in blocks before those of `ended`. */
const nodesOf = async (view: View, { ended, transactions, isWatched }: WatchedChanges, query: EventQuery): Promise<Read['nodes']> => {
  const seen = new Set(transactions.filter(({ account }) => isWatched(account)).map(idOf))
  // A trace within one block can be matched here. A longer trace is only a candidate: watched accounts may have transactions in its earlier blocks.
  const candidates = ended.filter(
    (row) => seen.has(idOf(row)) || row.mc_seqno_start < row.mc_seqno_end || hashesOf(row).some((hash) => query.hashes.has(hash)),
  )
  return grouped(
    await placesOfTraces(
      view,
      candidates.map(({ trace_id }) => trace_id),
    ),
    idOf,
  )
}

export const traceEvents = async (view: View, changes: WatchedChanges, query: EventQuery): Promise<Placed[]> => {
  const { types } = query
  if (!['transactions', 'actions', 'trace'].some((type) => types.has(type as 'trace'))) return []
  const nodes = await nodesOf(view, changes, query)
  const ended = changes.ended.filter((row) => isRequested(row, nodes(idOf(row)), changes, query))
  const watched = changes.transactions.filter(({ account }) => changes.isWatched(account))
  const isEnded = new Set(ended.map(idOf))
  const open = new Map(watched.filter((one) => !isEnded.has(idOf(one))).map((one) => [idOf(one), one.trace_id]))
  const ids = ended.map(({ trace_id }) => trace_id)
  const needed = new Map<string, TransactionPosition>()
  if (types.has('transactions')) for (const one of watched) needed.set(keyText(one), one)
  for (const row of ended) {
    if (types.has('trace') && row.nodes <= MAX_NODES) for (const one of nodes(idOf(row))) needed.set(keyText(one), one)
    if (types.has('transactions')) for (const one of nodes(idOf(row))) if (changes.isWatched(one.account)) needed.set(keyText(one), one)
  }
  const [openRows, rows, actionRows] = await Promise.all([
    types.has('transactions') ? tracesById(view, [...open.values()]) : [],
    transactionsByKeys(view, [...needed.values()]),
    types.has('actions') || types.has('trace') ? everyActionOf(view, ids) : [],
  ])
  const [related, wireActions] = await Promise.all([
    relateTransactions(view, rows, [...ended, ...openRows], { mostCells: MAX_CELLS_OF_TRACE, mostDecoded: MAX_DECODED }),
    toWireActions(view, actionRows, true),
  ])
  const wires = await toTransactions(view, rows, related)
  const actions = wireActions.map((wire, i) => ({ trace: idOf(actionRows[i]!), action: eventAction(wire, actionRows[i]!) }))
  const byTrace = grouped(actions, ({ trace }) => trace)
  const read: Read = {
    wire: new Map(wires.map((wire, i) => [keyText(rows[i]!), wire])),
    actions: (trace) => byTrace(trace).map(({ action }) => action),
    nodes,
  }
  const found: Placed[] = []
  if (types.has('transactions')) for (const row of [...ended, ...openRows]) found.push(...transactionEvents(row, changes, read))
  for (const row of ended) {
    const own = read.actions(idOf(row))
    if (types.has('actions') && own.length > 0) found.push({ seqno: row.mc_seqno_end, event: actionsEvent(row, own) })
    if (types.has('trace')) found.push({ seqno: row.mc_seqno_end, event: traceEvent(row, read) })
  }
  return found
}
