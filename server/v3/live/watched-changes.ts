import type { EventQuery, EventType } from '../../live/events.ts'
import { placesIn, setsIn, type TransactionPosition, tracesEndingIn } from '../../store/queries/events.ts'
import type { TraceRow } from '../../store/queries/traces.ts'
import type { View } from '../../store/queries/view.ts'
import { keyOfRaw, rawOfKey } from '../../store/row-keys.ts'

export interface WatchedChanges {
  readonly seqnos: readonly number[]
  /** All transactions if the query subscribes to jetton wallets; otherwise at least those of watched accounts. */
  readonly transactions: readonly TransactionPosition[]
  /** Traces whose last transaction is in one of the blocks `seqnos`. */
  readonly ended: readonly TraceRow[]
  /** Accounts that changed without a transaction, for example by local.setAccount. */
  readonly sets: readonly { readonly account: Buffer; readonly mc_seqno: number }[]
  readonly isWatched: (account: Buffer) => boolean
}

/** Maximum number of accounts by which the database filters transactions. With more accounts, all transactions of a block are read and filtered here. */
const PICKED = 256

const OF_TRACES: readonly EventType[] = ['transactions', 'actions', 'trace']
const OF_ACCOUNTS: readonly EventType[] = [...OF_TRACES, 'account_state_change', 'jettons_change']

const hasOne = ({ types }: EventQuery, of: readonly EventType[]): boolean => of.some((type) => types.has(type))

export const readWatched = async (view: View, seqnos: readonly number[], query: EventQuery): Promise<WatchedChanges> => {
  const { accounts, types } = query
  const keys = accounts.size <= PICKED && !types.has('jettons_change') ? [...accounts].map(keyOfRaw) : undefined
  const [transactions, ended, sets] = await Promise.all([
    hasOne(query, OF_ACCOUNTS) && accounts.size > 0 ? placesIn(view, seqnos, keys) : [],
    hasOne(query, OF_TRACES) && accounts.size + query.hashes.size > 0 ? tracesEndingIn(view, seqnos) : [],
    types.has('account_state_change') ? setsIn(view, seqnos) : [],
  ])
  return { seqnos, transactions, ended, sets, isWatched: (account) => accounts.has(rawOfKey(account)) }
}
