import { groupedWithPauses, groupsOf } from '../../base/memory/grouped.ts'
import { portionsOf } from '../../base/memory/portions.ts'
import { mapWithPauses } from '../../base/yield.ts'
import type { EventAction, EventQuery, EventTransaction, LiveEvent } from '../../live/events.ts'
import { TRACE_BROKEN } from '../../store/codes.ts'
import type { ActionRow } from '../../store/queries/actions/of-traces.ts'
import {
  type CountedPosition,
  everyActionOf,
  newestOfTrace,
  placesOfTraces,
  type TransactionPosition,
  tracesById,
} from '../../store/queries/events.ts'
import type { TraceRow } from '../../store/queries/traces.ts'
import { transactionsByKeys } from '../../store/queries/transactions/by-key.ts'
import { createSize, MAX_SIZE_OF_PAGE, sizeOfTrace } from '../../store/queries/transactions/size.ts'
import { compareLt, keyText } from '../../store/queries/transactions/transaction-key.ts'
import type { View } from '../../store/queries/view.ts'
import { keyOfRaw, rawOfKey } from '../../store/row-keys.ts'
import { accountsNamed, toWireActions, type WireAction } from '../shapes/action.ts'
import { MAX_NODES, treeOf } from '../shapes/trace.ts'
import { relateTransactions, toTransactions, type WireTransaction } from '../shapes/transaction.ts'
import { base64 } from '../shapes/values.ts'
import { type Fitting, fit } from './fit.ts'
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
  readonly nodes: (trace: string) => readonly TransactionPosition[]
}

const newestFirst = (a: EventTransaction, b: EventTransaction): number => compareLt(b.lt, a.lt)

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

/** The transactions of watched accounts in a trace that its events show: in each block, and of a complete trace that has several blocks. */
interface Parts {
  readonly ofBlocks: ReadonlyMap<number, Fitting>
  whole?: Fitting
}

const blockParts = (watched: readonly TransactionPosition[]): Parts => {
  const inBlocks = groupsOf(watched, ({ mc_seqno }) => mc_seqno)
  return { ofBlocks: new Map([...inBlocks].map(([seqno, own]) => [seqno, fit(own, MAX_NODES)])) }
}

const transactionEvents = (row: TraceRow, { ofBlocks, whole }: Parts, isEnded: boolean, read: Read): Placed[] => {
  const isOfOneBlock = row.state === TRACE_BROKEN || (isEnded && row.mc_seqno_start === row.mc_seqno_end)
  const placedAt = place(RANK.transactions, row.start_lt, row.trace_id)
  const found: Placed[] = []
  const add = (seqno: number, scope: 'both' | 'block' | 'trace', { places, cut }: Fitting): void => {
    const transactions = transactionsOf(row, places, read)
    if (transactions.length === 0 && cut.size === 0) return
    const body = { type: 'transactions', scope, transactions, ...(cut.size > 0 && { cut }) } as const
    found.push({ seqno, event: { ...ofTrace(row), body, place: placedAt } })
  }
  for (const [seqno, fitting] of ofBlocks) add(seqno, isOfOneBlock ? 'both' : 'block', fitting)
  if (whole !== undefined) add(row.mc_seqno_end, 'trace', whole)
  return found
}

const traceEvent = (row: TraceRow, read: Read): LiveEvent => {
  const nodes = read.nodes(idOf(row))
  const wires = nodes.flatMap((one) => read.wire.get(keyText(one)) ?? []).sort((a, b) => compareLt(a.lt, b.lt))
  const isWhole = wires.length === row.nodes
  const tree = isWhole ? treeOf(base64(row.trace_id), wires) : 'trace is too large'
  const transactions = isWhole ? transactionsOf(row, nodes, read) : []
  return {
    ...ofTrace(row),
    body: {
      type: 'trace',
      accounts: new Set(nodes.map(({ account }) => rawOfKey(account))),
      named: transactions.flatMap(({ named }) => named),
      actions: read.actions(idOf(row)),
      wire: {
        trace_id: base64(row.trace_id),
        trace: typeof tree === 'string' ? null : tree,
        transactions: Object.fromEntries(transactions.map(({ hash, wire }) => [hash, wire])),
        ...(typeof tree === 'string' && { is_incomplete: true, warning: tree }),
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

/** Maximum number of accounts by which the transactions of a large trace are searched at a time. */
const PICKED = 20_000

/** The newest transactions of each watched account in a trace of more than MAX_NODES. */
const newestWatched = async (view: View, { trace_id }: TraceRow, query: EventQuery): Promise<CountedPosition[]> => {
  const accounts = [...query.accounts]
  const found: CountedPosition[] = []
  for (const some of portionsOf(accounts, PICKED)) {
    const keys = await mapWithPauses(some, keyOfRaw, view.signal)
    for (const one of await newestOfTrace(view, trace_id, keys, Math.max(MAX_NODES, keys.length))) found.push(one)
  }
  return found
}

/**
 * Transactions, by trace id, of the completed traces that the query may request. A trace can have transactions in blocks before those of `ended`. Of a trace
 * with more than MAX_NODES, only those of watched accounts.
 */
const nodesOf = async (
  view: View,
  ended: readonly TraceRow[],
  watched: readonly TransactionPosition[],
  query: EventQuery,
): Promise<Read['nodes']> => {
  const seen = new Set(watched.map(idOf))
  // A trace within one block can be matched here. A longer trace is only a candidate: watched accounts may have transactions in its earlier blocks.
  const isCandidate = await mapWithPauses(
    ended,
    (row) => seen.has(idOf(row)) || row.mc_seqno_start < row.mc_seqno_end || hashesOf(row).some((hash) => query.hashes.has(hash)),
    view.signal,
  )
  const candidates = ended.filter((_, i) => isCandidate[i])
  const small = candidates.flatMap(({ nodes, trace_id }) => (nodes <= MAX_NODES ? [trace_id] : []))
  const ofSmall = await groupedWithPauses(await placesOfTraces(view, small), idOf, view.signal)
  const ofLarge = new Map<string, readonly TransactionPosition[]>()
  for (const row of candidates) if (row.nodes > MAX_NODES) ofLarge.set(idOf(row), await newestWatched(view, row, query))
  return (trace) => ofLarge.get(trace) ?? ofSmall(trace)
}

/**
 * Chooses the transactions to read: those of the blocks themselves, and those of complete traces up to a size. Small traces come first. Events of traces that
 * do not fit are incomplete.
 */
const neededOf = async (
  view: View,
  ended: readonly TraceRow[],
  watched: readonly TransactionPosition[],
  nodes: Read['nodes'],
  { isWatched }: WatchedChanges,
  { types }: EventQuery,
) => {
  const parts = new Map<string, Parts>()
  const needed = new Map<string, TransactionPosition>()
  const size = createSize()
  const need = (places: readonly TransactionPosition[]): void => {
    for (const one of places) {
      const key = keyText(one)
      if (!needed.has(key)) size.add(one)
      needed.set(key, one)
    }
  }
  if (types.has('transactions')) {
    const ofTrace = await groupedWithPauses(watched, idOf, view.signal)
    const ids = new Set([...watched, ...ended].map(idOf))
    await mapWithPauses(ids, (id) => parts.set(id, blockParts(ofTrace(id))), view.signal)
    for (const { ofBlocks } of parts.values()) for (const { places } of ofBlocks.values()) need(places)
  }
  const most = size.now() + MAX_SIZE_OF_PAGE
  const left = (): number => Math.min(MAX_NODES, Math.max(0, most - size.now()))
  const smallestFirst = [...ended].sort((a, b) => sizeOfTrace(a) - sizeOfTrace(b))
  await mapWithPauses(
    smallestFirst,
    (row) => {
      const own = nodes(idOf(row))
      const part = parts.get(idOf(row))
      if (part !== undefined && row.mc_seqno_start < row.mc_seqno_end) {
        part.whole = fit(
          own.filter(({ account }) => isWatched(account)),
          left(),
        )
        need(part.whole.places)
      }
      if (types.has('trace') && sizeOfTrace(row) <= left()) need(own)
    },
    view.signal,
  )
  return { parts, transactions: [...needed.values()] }
}

export const traceEvents = async (view: View, changes: WatchedChanges, query: EventQuery): Promise<Placed[]> => {
  const { types } = query
  if (!['transactions', 'actions', 'trace'].some((type) => types.has(type as 'trace'))) return []
  const watched = changes.transactions.filter(({ account }) => changes.isWatched(account))
  const nodes = await nodesOf(view, changes.ended, watched, query)
  const requested = await mapWithPauses(changes.ended, (row) => isRequested(row, nodes(idOf(row)), changes, query), view.signal)
  const ended = changes.ended.filter((_, i) => requested[i])
  const isEnded = new Set(ended.map(idOf))
  const open = new Map(watched.filter((one) => !isEnded.has(idOf(one))).map((one) => [idOf(one), one.trace_id]))
  const ids = ended.map(({ trace_id }) => trace_id)
  const needed = await neededOf(view, ended, watched, nodes, changes, query)
  const [openRows, rows, actionRows] = await Promise.all([
    types.has('transactions') ? tracesById(view, [...open.values()]) : [],
    transactionsByKeys(view, needed.transactions),
    types.has('actions') || types.has('trace') ? everyActionOf(view, ids) : [],
  ])
  const [related, wireActions] = await Promise.all([
    relateTransactions(view, rows, [...ended, ...openRows], { mostCells: MAX_CELLS_OF_TRACE, mostDecoded: MAX_DECODED }),
    toWireActions(view, actionRows, true),
  ])
  const wires = await toTransactions(view, rows, related)
  const actions = await mapWithPauses(
    wireActions.entries(),
    ([i, wire]) => ({ trace: idOf(actionRows[i]!), action: eventAction(wire, actionRows[i]!) }),
    view.signal,
  )
  const byTrace = await groupedWithPauses(actions, ({ trace }) => trace, view.signal)
  const read: Read = {
    wire: new Map(wires.map((wire, i) => [keyText(rows[i]!), wire])),
    actions: (trace) => byTrace(trace).map(({ action }) => action),
    nodes,
  }
  const eventsOf = (row: TraceRow): Placed[] => {
    const found: Placed[] = []
    const part = needed.parts.get(idOf(row))
    if (part !== undefined) found.push(...transactionEvents(row, part, isEnded.has(idOf(row)), read))
    if (!isEnded.has(idOf(row))) return found
    const own = read.actions(idOf(row))
    if (types.has('actions') && own.length > 0) found.push({ seqno: row.mc_seqno_end, event: actionsEvent(row, own) })
    if (types.has('trace')) found.push({ seqno: row.mc_seqno_end, event: traceEvent(row, read) })
    return found
  }
  return (await mapWithPauses([...ended, ...openRows], eventsOf, view.signal)).flat()
}
