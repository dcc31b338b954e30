import { sql } from 'kysely'
import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import { splitHashes } from '../../row-keys.ts'
import { lookUp } from '../look-up.ts'
import { type MessageRow, rowsOfTransactions } from '../messages-of-transactions.ts'
import type { View } from '../view.ts'
import { compareLt, hasKey, keyText, type TransactionKey, type TransactionRow } from './transaction-key.ts'

const byLt = (a: TransactionRow, b: TransactionRow): number => compareLt(a.lt, b.lt) || Buffer.compare(a.account, b.account)

/** Finds transaction keys by hash. Hashes that are not indexed are missing from the result. */
export const keysOfHashes = lookUp({ from: 'tx_by_hash', by: 'hash', columns: ['account', 'lt'] })

const withMessages = lookUp({ from: 'tx_by_hash', by: 'hash', columns: ['account', 'lt', 'in_msg_hash', 'out_msg_hashes'] })

type Side = Pick<MessageRow, 'direction' | 'msg_hash'>

/** Reads the directions and hashes of a transaction's messages, by transaction hash. The result is empty if the transaction is not indexed. */
export const messagesOfHash = async (view: View, hash: Uint8Array): Promise<readonly Side[]> => {
  const [row] = await withMessages(view, [hash])
  if (row === undefined) return []
  const { in_msg_hash: received, out_msg_hashes: sent } = row
  // Earlier releases did not store the hashes in tx_by_hash.
  if (sent === null) return await rowsOfTransactions(view, [row])
  const sides: Side[] = splitHashes(sent).map((msg_hash) => ({ direction: DIRECTION_OUT, msg_hash }))
  return received === null ? sides : [{ direction: DIRECTION_IN, msg_hash: received }, ...sides]
}

const readByKeys = async <Row>(view: View, keys: readonly TransactionKey[], columns: string): Promise<Row[]> => {
  if (keys.length === 0) return []
  const found = sql.raw(`select ${columns} from transactions`)
  return await view.rows(sql<Row>`${found} where mc_seqno <= ${view.head} and ${hasKey(view, keys)}`, 'generic')
}

export const columnsByKeys = <const C extends keyof TransactionRow>(
  view: View,
  keys: readonly TransactionKey[],
  columns: readonly C[],
): Promise<Pick<TransactionRow, C>[]> => readByKeys(view, keys, columns.join(', '))

/** Reads transactions, ordered by lt and account, ascending. */
export const transactionsByKeys = async (view: View, keys: readonly TransactionKey[]): Promise<TransactionRow[]> =>
  (await readByKeys<TransactionRow>(view, keys, '*')).sort(byLt)

const ofTraces = lookUp({ from: 'transactions', by: 'trace_id', isBounded: true })

/** Reads all transactions of traces, ordered by lt and account, ascending. */
export const transactionsOfTraces = async (view: View, traces: readonly { readonly trace_id: Buffer }[]): Promise<TransactionRow[]> => {
  const ids = traces.map(({ trace_id }) => trace_id)
  return (await ofTraces(view, ids)).sort(byLt)
}

const STATE_AFTER = [
  'state_hash_after',
  'end_status',
  'after_balance',
  'after_extra',
  'after_code_hash',
  'after_data_hash',
  'after_frozen_hash',
] as const

export type StateAfter = Pick<TransactionRow, (typeof STATE_AFTER)[number]>

/**
 * Reads the account states before these transactions, by transaction key. A state is missing if the previous transaction is not indexed, or if the state
 * after it is not stored.
 */
export const statesBefore = async (view: View, rows: readonly TransactionRow[]): Promise<ReadonlyMap<string, StateAfter>> => {
  const keys = rows.filter((row) => row.prev_trans_lt !== '0').map((row) => ({ account: row.account, lt: row.prev_trans_lt }))
  const found = await columnsByKeys(view, keys, ['account', 'lt', ...STATE_AFTER])
  return new Map(found.filter((row) => row.after_balance !== null).map((row) => [keyText(row), row]))
}
