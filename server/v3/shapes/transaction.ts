import type { Result } from '../../../shared/registry.ts'
import {
  base64,
  either,
  flag,
  list,
  maybeBase64,
  nothing,
  number,
  object,
  optional,
  part,
  type Shape,
  word,
} from '../../base/json/shape.ts'
import { mapWithPauses } from '../../base/yield.ts'
import { ACCOUNT_STATUSES, DIRECTION_IN } from '../../store/codes.ts'
import { type AccountKinds, kindsBeside } from '../../store/queries/account-kinds.ts'
import { beginningsOf, type TraceBeginning } from '../../store/queries/actions/trace-beginnings.ts'
import { type FullMessage, withCells } from '../../store/queries/messages.ts'
import { type MessageRow, rowsOfTransactions } from '../../store/queries/messages-of-transactions.ts'
import { type StateAfter, statesBefore } from '../../store/queries/transactions/by-key.ts'
import type { TransactionRow } from '../../store/queries/transactions/filter.ts'
import { keyText } from '../../store/queries/transactions/transaction-key.ts'
import type { View } from '../../store/queries/view.ts'
import { nameOf } from '../../store/row-keys.ts'
import { description } from './description.ts'
import { createContents, type MessageOf, message } from './message.ts'
import { addressAt, extraAt, shardHex } from './values.ts'

export type WireTransaction = Result<'v3.transactions'>['transactions'][number]

/** Typical bytes of a transaction's JSON with its messages. */
export const BYTES_OF_TRANSACTION = 2_500

const NONEXIST = ACCOUNT_STATUSES.indexOf('nonexist')

type WireState = WireTransaction['account_state_after']

/** A state of an account: its hash, and its other fields if they are stored. */
interface StateOf {
  readonly hash: Buffer
  readonly state: StateAfter | undefined
}

const fullState: Shape<StateOf, WireState> = object({
  hash: base64(({ hash }) => hash),
  balance: word(({ state }) => state!.after_balance),
  extra_currencies: extraAt(({ state }) => state!.after_extra),
  account_status: word(({ state }) => ACCOUNT_STATUSES[state!.end_status]!),
  frozen_hash: maybeBase64(({ state }) => state!.after_frozen_hash),
  data_hash: maybeBase64(({ state }) => state!.after_data_hash),
  code_hash: maybeBase64(({ state }) => state!.after_code_hash),
})

const hashOnlyState: Shape<StateOf, WireState> = object({
  hash: base64(({ hash }) => hash),
  balance: nothing(),
  extra_currencies: nothing(),
  account_status: nothing(),
  frozen_hash: nothing(),
  data_hash: nothing(),
  code_hash: nothing(),
})

/** An account's state: the hash alone, or all fields if the account exists and the transaction was its last one in the block. */
const accountState: Shape<StateOf, WireState> = either(
  ({ state }) => state !== undefined && state.after_balance !== null && state.end_status !== NONEXIST,
  fullState,
  hashOnlyState,
)

export const stateOf = (hash: Buffer, state: StateAfter | undefined): WireState => accountState.of({ hash, state })

export interface TransactionOf {
  readonly row: TransactionRow
  readonly received: MessageOf | null
  readonly sent: readonly MessageOf[]
  /** The account's state before the transaction, if it is stored. */
  readonly before: StateAfter | undefined
  /**
   * Hash of the message that began the transaction's trace. TON Center returns it only for pending transactions, but walletkit cannot read a transaction
   * without it.
   */
  readonly external: Buffer | undefined
}

const blockRefOf: Shape<TransactionRow, WireTransaction['block_ref']> = object({
  workchain: number((row) => row.workchain),
  shard: word((row) => shardHex(row.block_shard)),
  seqno: number((row) => row.block_seqno),
})

export const transaction: Shape<TransactionOf, WireTransaction> = object({
  account: addressAt(({ row }) => row.account),
  hash: base64(({ row }) => row.hash),
  lt: word(({ row }) => row.lt),
  now: number(({ row }) => Number(row.now)),
  mc_block_seqno: number(({ row }) => row.mc_seqno),
  trace_id: base64(({ row }) => row.trace_id),
  trace_external_hash: optional(maybeBase64(({ external }) => external ?? null)),
  prev_trans_hash: base64(({ row }) => row.prev_trans_hash),
  prev_trans_lt: word(({ row }) => row.prev_trans_lt),
  orig_status: word(({ row }) => ACCOUNT_STATUSES[row.orig_status]!),
  end_status: word(({ row }) => ACCOUNT_STATUSES[row.end_status]!),
  total_fees: word(({ row }) => row.total_fees),
  total_fees_extra_currencies: extraAt(({ row }) => row.total_fees_extra),
  description: part(({ row }) => row, description),
  block_ref: part(({ row }) => row, blockRefOf),
  in_msg: part(({ received }) => received, message),
  out_msgs: list(({ sent }) => sent, message),
  account_state_before: part(
    // The stored state of the previous transaction is used only if its hash equals the state hash with which this transaction began.
    ({ row, before }) => ({
      hash: row.state_hash_before,
      state: before?.state_hash_after.equals(row.state_hash_before) ? before : undefined,
    }),
    accountState,
  ),
  account_state_after: part(({ row }) => ({ hash: row.state_hash_after, state: row }), accountState),
  emulated: flag(() => false),
  finality: word(() => 'finalized' as const),
})

/** Related rows of transactions: their messages, the states before them, and the messages that began their traces. */
export interface TransactionRelations {
  readonly messages: readonly FullMessage[]
  readonly before: Awaited<ReturnType<typeof statesBefore>>
  /** Hashes of the messages that began the traces, by trace id (`nameOf`). */
  readonly external: ReadonlyMap<string, Buffer>
  /** What the address book needs about the accounts (code hash, get-methods, domain), if it is read in parallel. It may arrive after the other rows. */
  readonly kinds: Promise<AccountKinds> | undefined
}

type Beginning = Pick<TraceBeginning, 'trace_id' | 'external_hash'>

const hashesByTrace = (traces: readonly Beginning[]): ReadonlyMap<string, Buffer> =>
  new Map(traces.flatMap(({ trace_id, external_hash }) => (external_hash === null ? [] : [[nameOf(trace_id), external_hash]])))

/**
 * `traces`: the traces of these transactions, if the caller already has them. `withBook`: true if the answer has an address book, whose data is then read
 * in parallel.
 */
export interface AroundOptions {
  readonly traces?: readonly Beginning[]
  readonly withBook?: boolean
}

const withMessages = async (
  view: View,
  rows: readonly TransactionRow[],
  withBook: boolean,
): Promise<Pick<TransactionRelations, 'messages' | 'kinds'>> => {
  const found = await rowsOfTransactions(view, rows)
  const kinds = withBook ? kindsBeside(view, accountsAround(rows, { messages: found })) : undefined
  // Prevents an unhandled rejection while no caller awaits the promise yet.
  kinds?.catch(() => {})
  return { messages: await withCells(view, found), kinds }
}

export const readAround = async (
  view: View,
  rows: readonly TransactionRow[],
  { traces, withBook = false }: AroundOptions = {},
): Promise<TransactionRelations> => {
  const [{ messages, kinds }, before, beginnings] = await Promise.all([
    withMessages(view, rows, withBook),
    statesBefore(view, rows),
    traces ?? beginningsOf(view, rows),
  ])
  return { messages, before, external: hashesByTrace(beginnings), kinds }
}

/** Accounts of the transactions, senders of the messages that they received, and receivers of the messages that they sent. */
export function* accountsAround(
  rows: readonly TransactionRow[],
  { messages }: { readonly messages: readonly MessageRow[] },
): Generator<Buffer | null> {
  for (const row of rows) yield row.account
  for (const row of messages) yield row.direction === DIRECTION_IN ? row.source : row.destination
}

/** Groups messages by the key of their transaction. Messages of one transaction are mostly adjacent, so the previous group is tried first. */
const byTransaction = (messages: readonly FullMessage[]): ReadonlyMap<string, readonly FullMessage[]> => {
  const found = new Map<string, FullMessage[]>()
  let last: FullMessage[] | undefined
  for (const row of messages) {
    const before = last?.[0]
    if (before === undefined || before.tx_lt !== row.tx_lt || !before.tx_account.equals(row.tx_account)) {
      const key = keyText({ account: row.tx_account, lt: row.tx_lt })
      last = found.get(key) ?? []
      found.set(key, last)
    }
    last!.push(row)
  }
  return found
}

const NO_MESSAGES: readonly FullMessage[] = []

export const transactionsAround = ({ messages, before, external }: TransactionRelations): ((row: TransactionRow) => TransactionOf) => {
  const contents = createContents()
  const messagesOf = byTransaction(messages)
  return (row) => {
    let received: MessageOf | null = null
    const sent: MessageOf[] = []
    for (const one of messagesOf.get(keyText(row)) ?? NO_MESSAGES) {
      if (one.direction === DIRECTION_IN) received = { row: one, contents }
      else sent.push({ row: one, contents })
    }
    return {
      row,
      received,
      sent,
      before: before.get(keyText({ account: row.account, lt: row.prev_trans_lt })),
      external: external.get(nameOf(row.trace_id)),
    }
  }
}

export const toTransactions = (view: View, rows: readonly TransactionRow[], around: TransactionRelations): Promise<WireTransaction[]> => {
  const aroundOf = transactionsAround(around)
  return mapWithPauses(rows, (row) => transaction.of(aroundOf(row)), view.signal)
}
