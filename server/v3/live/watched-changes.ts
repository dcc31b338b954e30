import type { EventQuery, EventType } from '../../live/events.ts'
import { placesIn, setsIn, tracesEndingIn } from '../../store/queries/events.ts'
import type { View } from '../../store/queries/view.ts'
import { keyOfRaw, rawOfKey } from '../../store/row-keys.ts'

export type WatchedChanges = Awaited<ReturnType<typeof readWatched>>

/** Maximum number of accounts by which the database filters transactions. With more accounts, all transactions of a block are read and filtered here. */
const PICKED = 256

const OF_TRACES: readonly EventType[] = ['transactions', 'actions', 'trace']
const OF_ACCOUNTS: readonly EventType[] = [...OF_TRACES, 'account_state_change', 'jettons_change']

const hasOne = ({ types }: EventQuery, of: readonly EventType[]): boolean => of.some((type) => types.has(type))

export const readWatched = async (view: View, seqnos: readonly number[], query: EventQuery) => {
  const { accounts, types } = query
  const keys = accounts.size <= PICKED && !types.has('jettons_change') ? [...accounts].map(keyOfRaw) : undefined
  const [transactions, ended, sets] = await Promise.all([
    hasOne(query, OF_ACCOUNTS) && accounts.size > 0 ? placesIn(view, seqnos, keys) : [],
    hasOne(query, OF_TRACES) && accounts.size + query.hashes.size > 0 ? tracesEndingIn(view, seqnos) : [],
    types.has('account_state_change') ? setsIn(view, seqnos) : [],
  ])
  return {
    seqnos,
    /** All transactions if the query subscribes to jetton wallets; otherwise at least those of watched accounts. */
    transactions,
    /** Traces whose last transaction is in one of the blocks `seqnos`. */
    ended,
    /** Accounts that changed without a transaction, for example by local.setAccount. */
    sets,
    isWatched: (account: Buffer) => accounts.has(rawOfKey(account)),
  }
}
