import type { Result } from '../../../shared/registry.ts'
import { inTurns } from '../../base/in-turns.ts'
import { ACCOUNT_STATUSES, DIRECTION_IN } from '../../store/codes.ts'
import { type AccountKinds, kindsAround } from '../../store/queries/account-kinds.ts'
import { beginningsOf, type TraceBeginning } from '../../store/queries/actions.ts'
import type { View } from '../../store/queries/head.ts'
import { type FullMessage, messagesOfTransactions } from '../../store/queries/messages.ts'
import { FEW, keyText } from '../../store/queries/transaction-keys.ts'
import type { TransactionRow } from '../../store/queries/transactions.ts'
import { type StateAfter, statesBefore } from '../../store/queries/transactions-by-key.ts'
import { toDescription } from './description.ts'
import { createContents, toMessage, type WireMessage } from './message.ts'
import { address, base64, blockRef, extra, maybeBase64 } from './values.ts'

export type WireTransaction = Result<'v3.transactions'>['transactions'][number]

/** The messages of a transaction in v3's form. */
export interface TransactionMessages {
  received: WireMessage | null
  readonly sent: WireMessage[]
}

const NONEXIST = ACCOUNT_STATUSES.indexOf('nonexist')

const UNKNOWN = {
  balance: null,
  extra_currencies: null,
  account_status: null,
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
} as const

/** An account after a transaction. Only the hash is known, unless the account exists and this was its last transaction in the block. */
export const stateOf = (hash: Buffer, state: StateAfter | undefined): WireTransaction['account_state_after'] =>
  state === undefined || state.after_balance === null || state.end_status === NONEXIST
    ? { hash: base64(hash), ...UNKNOWN }
    : {
        hash: base64(hash),
        balance: state.after_balance,
        extra_currencies: extra(state.after_extra),
        account_status: ACCOUNT_STATUSES[state.end_status]!,
        frozen_hash: maybeBase64(state.after_frozen_hash),
        data_hash: maybeBase64(state.after_data_hash),
        code_hash: maybeBase64(state.after_code_hash),
      }

/** The account before a transaction, if the known state has the hash that the transaction began with. */
const stateBefore = (row: TransactionRow, before: StateAfter | undefined) =>
  stateOf(row.state_hash_before, before?.state_hash_after.equals(row.state_hash_before) ? before : undefined)

/**
 * A row of transactions in v3's form. `before`: the account before it, if known. `external`: hash of the message that began its trace, in base64. TON Center
 * has it only for pending transactions, but walletkit cannot read a transaction without it.
 */
export const toTransaction = (
  row: TransactionRow,
  messages: TransactionMessages | undefined,
  before: StateAfter | undefined,
  external: string | undefined,
): WireTransaction => ({
  account: address(row.account),
  hash: base64(row.hash),
  lt: row.lt,
  now: Number(row.now),
  mc_block_seqno: row.mc_seqno,
  trace_id: base64(row.trace_id),
  ...(external === undefined ? {} : { trace_external_hash: external }),
  prev_trans_hash: base64(row.prev_trans_hash),
  prev_trans_lt: row.prev_trans_lt,
  orig_status: ACCOUNT_STATUSES[row.orig_status]!,
  end_status: ACCOUNT_STATUSES[row.end_status]!,
  total_fees: row.total_fees,
  total_fees_extra_currencies: extra(row.total_fees_extra),
  description: toDescription(row),
  block_ref: blockRef(row.workchain, row.block_shard, row.block_seqno),
  in_msg: messages?.received ?? null,
  out_msgs: messages?.sent ?? [],
  account_state_before: stateBefore(row, before),
  account_state_after: stateOf(row.state_hash_after, row),
  emulated: false,
  finality: 'finalized',
})

/** The data that transactions need besides their rows: their messages, the states before them, and the messages that began their traces. */
export interface Around {
  readonly messages: readonly FullMessage[]
  readonly before: Awaited<ReturnType<typeof statesBefore>>
  /** Hashes of the messages that began the traces, in base64, by `trace_id` as a byte string. */
  readonly external: ReadonlyMap<string, string>
  /** Kinds of the accounts that they name, if they were read together with all this. */
  readonly kinds: AccountKinds | undefined
}

type Beginning = Pick<TraceBeginning, 'trace_id' | 'external_hash'>

const hashesByTrace = (traces: readonly Beginning[]): ReadonlyMap<string, string> =>
  new Map(
    traces.flatMap(({ trace_id, external_hash }) => (external_hash === null ? [] : [[trace_id.toString('latin1'), base64(external_hash)]])),
  )

/** `traces`: the traces of these transactions, if the caller has them. `withBook`: the answer has an address book, so that kinds of accounts are read too. */
export interface AroundOptions {
  readonly traces?: readonly Beginning[]
  readonly withBook?: boolean
}

/** Reads all of it in parallel. */
export const readAround = async (
  view: View,
  rows: readonly TransactionRow[],
  { traces, withBook = false }: AroundOptions = {},
): Promise<Around> => {
  const [messages, before, beginnings, kinds] = await Promise.all([
    messagesOfTransactions(view, rows),
    statesBefore(view, rows),
    traces ?? beginningsOf(view, rows),
    withBook && rows.length > 0 && rows.length <= FEW ? kindsAround(view, rows) : undefined,
  ])
  return { messages, before, external: hashesByTrace(beginnings), kinds }
}

/** Accounts in transactions: their own, the senders of the messages that they received, and the receivers of those that they sent (v3.md 1.9). */
export function* accountsAround(rows: readonly TransactionRow[], { messages }: Around): Generator<Buffer | null> {
  for (const row of rows) yield row.account
  for (const row of messages) yield row.direction === DIRECTION_IN ? row.source : row.destination
}

/** Rows with their messages, and those with their bodies. */
export const toTransactions = async (
  view: View,
  rows: readonly TransactionRow[],
  { messages: messageRows, before, external }: Around,
): Promise<WireTransaction[]> => {
  const contents = createContents()
  const byTransaction = new Map<string, TransactionMessages>()
  /** Messages of one transaction mostly follow each other, so the last row is tried first. */
  let last: { readonly row: FullMessage; readonly messages: TransactionMessages } | undefined
  const ofRow = (row: FullMessage): TransactionMessages => {
    if (last !== undefined && last.row.tx_lt === row.tx_lt && last.row.tx_account.equals(row.tx_account)) return last.messages
    const key = keyText({ account: row.tx_account, lt: row.tx_lt })
    const messages: TransactionMessages = byTransaction.get(key) ?? { received: null, sent: [] }
    byTransaction.set(key, messages)
    last = { row, messages }
    return messages
  }
  await inTurns(
    messageRows,
    (row) => {
      const messages = ofRow(row)
      if (row.direction === DIRECTION_IN) messages.received = toMessage(row, contents)
      else messages.sent.push(toMessage(row, contents))
    },
    view.signal,
  )
  return await inTurns(
    rows,
    (row) =>
      toTransaction(
        row,
        byTransaction.get(keyText(row)),
        before.get(keyText({ account: row.account, lt: row.prev_trans_lt })),
        external.get(row.trace_id.toString('latin1')),
      ),
    view.signal,
  )
}
