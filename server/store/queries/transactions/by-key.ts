import { sql } from 'kysely'
import { bytesList } from '../../postgres/lists.ts'
import { fixed } from '../fixed.ts'
import { byPieces, isIn } from '../order.ts'
import type { View } from '../view.ts'
import type { TransactionRow } from './filter.ts'
import { compareLt, fixedByKeys, keyLists, keyText, type TransactionKey } from './transaction-key.ts'

const byLt = (a: TransactionRow, b: TransactionRow): number => compareLt(a.lt, b.lt) || Buffer.compare(a.account, b.account)

const BY_KEYS = fixedByKeys((keyed) =>
  fixed((builder, head, accounts, lts) =>
    builder
      .selectFrom('transactions')
      .selectAll()
      .where('mc_seqno', '<=', head)
      .where(keyed.transactions([accounts, lts])),
  ),
)

/** Reads transactions, ordered by lt and account, ascending. */
export const transactionsByKeys = async (view: View, keys: readonly TransactionKey[]): Promise<TransactionRow[]> => {
  const rows = await byPieces(keys, (piece) => view.rows(BY_KEYS(view)(view.head, ...keyLists(piece))))
  return rows.sort(byLt)
}

const OF_TRACES = fixed((builder, head, ids) =>
  builder
    .selectFrom('transactions')
    .selectAll()
    .where('mc_seqno', '<=', head)
    .where(isIn(sql.ref('trace_id'), ids)),
)

/** Maximum number of transactions per statement if it reads several traces. */
const SEVERAL = 250

/** Reads all transactions of traces, ordered by lt and account, ascending. `nodes`: number of transactions in each trace. */
export const transactionsOfTraces = async (
  view: View,
  traces: readonly { readonly trace_id: Buffer; readonly nodes: number }[],
): Promise<TransactionRow[]> => {
  if (traces.length === 0) return []
  const pieces: Promise<TransactionRow[]>[] = []
  let ids: Buffer[] = []
  let nodes = 0
  for (const [i, trace] of traces.entries()) {
    ids.push(trace.trace_id)
    nodes += trace.nodes
    if (nodes + (traces[i + 1]?.nodes ?? SEVERAL) < SEVERAL) continue
    pieces.push(view.rows(OF_TRACES(view.head, bytesList(ids))))
    ids = []
    nodes = 0
  }
  return (await Promise.all(pieces)).flat().sort(byLt)
}

export type StateAfter = Pick<
  TransactionRow,
  'state_hash_after' | 'end_status' | 'after_balance' | 'after_extra' | 'after_code_hash' | 'after_data_hash' | 'after_frozen_hash'
>

const STATES = fixedByKeys((keyed) =>
  fixed((builder, accounts, lts) =>
    builder
      .selectFrom('transactions')
      .select(['account', 'lt', 'state_hash_after', 'end_status', 'after_balance', 'after_extra'])
      .select(['after_code_hash', 'after_data_hash', 'after_frozen_hash'])
      .where(keyed.transactions([accounts, lts]))
      .where('after_balance', 'is not', null),
  ),
)

/**
 * Reads the account states before these transactions, by transaction key. A state is missing if the previous transaction is not indexed, or if the state
 * after it is not stored.
 */
export const statesBefore = async (view: View, rows: readonly TransactionRow[]): Promise<ReadonlyMap<string, StateAfter>> => {
  const keys = rows.filter((row) => row.prev_trans_lt !== '0').map((row) => ({ account: row.account, lt: row.prev_trans_lt }))
  const found = await byPieces(keys, (piece) => view.rows(STATES(view)(...keyLists(piece))))
  return new Map(found.map((row) => [keyText(row), row]))
}
