import type { Result } from '../../../shared/registry.ts'
import { groupedWithPauses } from '../../base/memory/grouped.ts'
import { awaitedLater } from '../../base/promises/awaited-later.ts'
import { mapWithPauses } from '../../base/yield.ts'
import { ACCOUNT_STATUSES, DIRECTION_IN } from '../../store/codes.ts'
import { beginningsOf, type TraceBeginning } from '../../store/queries/actions/of-traces.ts'
import { type FullMessage, withCells } from '../../store/queries/messages.ts'
import { type MessageRow, rowsOfTransactions } from '../../store/queries/messages-of-transactions.ts'
import { type StateAfter, statesBefore } from '../../store/queries/transactions/by-key.ts'
import { keyOfMessage, keyText, type TransactionRow } from '../../store/queries/transactions/transaction-key.ts'
import type { View } from '../../store/queries/view.ts'
import { nameOf } from '../../store/row-keys.ts'
import { description } from './description.ts'
import { createMessageFormat, type FormatMessage, type Room, roomOfTransaction } from './message.ts'
import type { Linked } from './trace.ts'
import { address, base64, blockRef, extra, maybeBase64, optional } from './values.ts'

export type WireTransaction = Result<'v3.transactions'>['transactions'][number]

/** Typical bytes of a transaction's JSON with its messages. */
export const BYTES_OF_TRANSACTION = 2_500

const NONEXIST = ACCOUNT_STATUSES.indexOf('nonexist')

type WireState = WireTransaction['account_state_after']

const UNKNOWN = {
  balance: null,
  extra_currencies: null,
  account_status: null,
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
} as const

/** An account's state: the hash alone, or all fields if the account exists and the transaction was its last one in the block. */
export const stateOf = (hash: Buffer, state: StateAfter | undefined): WireState => {
  if (state === undefined || state.after_balance === null || state.end_status === NONEXIST) return { hash: base64(hash), ...UNKNOWN }
  return {
    hash: base64(hash),
    balance: state.after_balance,
    extra_currencies: extra(state.after_extra),
    account_status: ACCOUNT_STATUSES[state.end_status]!,
    frozen_hash: maybeBase64(state.after_frozen_hash),
    data_hash: maybeBase64(state.after_data_hash),
    code_hash: maybeBase64(state.after_code_hash),
  }
}

export interface TransactionOf {
  readonly row: TransactionRow
  readonly received: FullMessage | undefined
  readonly sent: readonly FullMessage[]
  readonly before: StateAfter | undefined
  /**
   * Hash of the message that began the transaction's trace. TON Center returns it only for pending transactions, but walletkit cannot read a transaction
   * without it.
   */
  readonly external: Buffer | undefined
}

/** `room`: for the decoded bodies of its messages; that of one transaction by default. */
export const toTransaction = (
  { row, received, sent, before, external }: TransactionOf,
  toMessage: FormatMessage,
  room: Room = roomOfTransaction(),
): WireTransaction => ({
  account: address(row.account),
  hash: base64(row.hash),
  lt: row.lt,
  now: Number(row.now),
  mc_block_seqno: row.mc_seqno,
  trace_id: base64(row.trace_id),
  trace_external_hash: optional(maybeBase64(external)),
  prev_trans_hash: base64(row.prev_trans_hash),
  prev_trans_lt: row.prev_trans_lt,
  orig_status: ACCOUNT_STATUSES[row.orig_status]!,
  end_status: ACCOUNT_STATUSES[row.end_status]!,
  total_fees: row.total_fees,
  total_fees_extra_currencies: extra(row.total_fees_extra),
  description: description(row),
  block_ref: blockRef(row.workchain, row.block_shard, row.block_seqno),
  in_msg: received ? toMessage(received, room) : null,
  out_msgs: sent.map((message) => toMessage(message, room)),
  // The stored state of the previous transaction is used only if its hash equals the state hash with which this transaction began.
  account_state_before: stateOf(row.state_hash_before, before?.state_hash_after.equals(row.state_hash_before) ? before : undefined),
  account_state_after: stateOf(row.state_hash_after, row),
  emulated: false,
  finality: 'finalized',
})

/** Accounts of the transactions, senders of the messages that they received, and receivers of the messages that they sent. */
function* accountsOf(rows: readonly TransactionRow[], messages: readonly MessageRow[]): Generator<Buffer | null> {
  for (const row of rows) yield row.account
  for (const row of messages) yield row.direction === DIRECTION_IN ? row.source : row.destination
}

export interface RelatedTransactions {
  readonly accounts: readonly (Buffer | null)[]
  /** Formats one of the transactions. Resolves later than the accounts, because it needs more queries. */
  readonly format: Promise<(row: TransactionRow, room?: Room) => WireTransaction>
  readonly linksOf: Promise<(row: TransactionRow) => Linked>
}

export const sidesOf = <M extends Pick<MessageRow, 'direction'>>(own: readonly M[]) => {
  const received = own.find(({ direction }) => direction === DIRECTION_IN)
  return { received, sent: own.filter((message) => message !== received) }
}

const hashOf = ({ msg_hash }: MessageRow) => ({ hash: base64(msg_hash) })

/** @internal Leaves out bodies and initial states of each trace after `most` bytes, of which each occurrence counts. `messages`: the oldest first. */
export const limitCells = async (
  messages: readonly FullMessage[],
  rows: readonly TransactionRow[],
  most: number,
  signal?: AbortSignal,
): Promise<readonly FullMessage[]> => {
  const traceOf = new Map(rows.map((row) => [keyText(row), nameOf(row.trace_id)]))
  const room = new Map<string, number>()
  const limited = (message: FullMessage): FullMessage => {
    const trace = traceOf.get(keyText(keyOfMessage(message))) ?? ''
    const left = (room.get(trace) ?? most) - (message.body_boc?.length ?? 0) - (message.init_boc?.length ?? 0)
    if (left < 0) return { ...message, body_boc: null, init_boc: null }
    room.set(trace, left)
    return message
  }
  return await mapWithPauses(messages, limited, signal)
}

/**
 * Reads what is around transactions: their messages, the states before them, and the messages that began their traces (`traces`, if already read).
 * `mostCells`: bytes of message bodies and initial states that are shown of each trace. `mostDecoded`: characters of all decoded bodies.
 */
export const relateTransactions = async (
  view: View,
  rows: readonly TransactionRow[],
  traces?: readonly Pick<TraceBeginning, 'trace_id' | 'external_hash'>[],
  { mostCells, mostDecoded }: { readonly mostCells?: number; readonly mostDecoded?: number } = {},
): Promise<RelatedTransactions> => {
  const beside = awaitedLater(Promise.all([statesBefore(view, rows), traces ?? beginningsOf(view, rows)]))
  const messages = await rowsOfTransactions(view, rows)
  const group = async () => {
    const full = await withCells(view, messages)
    const shown = mostCells === undefined ? full : await limitCells(full, rows, mostCells, view.signal)
    return await groupedWithPauses(shown, (message) => keyText(keyOfMessage(message)), view.signal)
  }
  const grouping = awaitedLater(group())
  const format = async () => {
    const [messagesOf, [before, beginnings]] = await Promise.all([grouping, beside])
    const externals = new Map(beginnings.map(({ trace_id, external_hash }) => [nameOf(trace_id), external_hash ?? undefined]))
    const toMessage = createMessageFormat(mostDecoded)
    return (row: TransactionRow, room?: Room): WireTransaction => {
      const { received, sent } = sidesOf(messagesOf(keyText(row)))
      const previous = before.get(keyText({ account: row.account, lt: row.prev_trans_lt }))
      return toTransaction({ row, received, sent, before: previous, external: externals.get(nameOf(row.trace_id)) }, toMessage, room)
    }
  }
  const links = async () => {
    const messagesOf = await grouping
    return (row: TransactionRow): Linked => {
      const { received, sent } = sidesOf(messagesOf(keyText(row)))
      return { hash: base64(row.hash), in_msg: received ? hashOf(received) : null, out_msgs: sent.map(hashOf) }
    }
  }
  return { accounts: [...accountsOf(rows, messages)], format: awaitedLater(format()), linksOf: awaitedLater(links()) }
}

export const toTransactions = async (
  view: View,
  rows: readonly TransactionRow[],
  { format }: RelatedTransactions,
): Promise<WireTransaction[]> => mapWithPauses(rows, await format, view.signal)
