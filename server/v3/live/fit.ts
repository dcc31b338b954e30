import type { CountedPosition, TransactionPosition } from '../../store/queries/events.ts'
import { createSize, sizeOfTransactions } from '../../store/queries/transactions/size.ts'
import { compareLt } from '../../store/queries/transactions/transaction-key.ts'
import { nameOf, rawOfKey } from '../../store/row-keys.ts'

/** The transactions that an event shows. `cut`: raw addresses of the accounts of which it leaves out older ones. */
export interface Fitting {
  readonly places: readonly TransactionPosition[]
  readonly cut: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Chooses the transactions of an event, whose size is at most `most`: the newest of each account, then the second of each, and so on. So an account with
 * thousands takes nothing from accounts with few. A contract can make any number of transactions in one trace by messages to itself.
 */
export const fit = (places: readonly (TransactionPosition | CountedPosition)[], most: number): Fitting => {
  if (sizeOfTransactions(places) <= most && !places.some((one) => 'total' in one)) return { places, cut: NONE }
  const counts = new Map<string, number>()
  const ranked = [...places]
    .sort((a, b) => compareLt(b.lt, a.lt))
    .map((one) => {
      const name = nameOf(one.account)
      const rank = counts.get(name) ?? 0
      counts.set(name, rank + 1)
      return { one, name, rank }
    })
  const size = createSize()
  const end = ranked.sort((a, b) => a.rank - b.rank).findIndex(({ one }) => size.add(one) > most)
  const shown = end === -1 ? ranked : ranked.slice(0, end)
  const shownOf = new Map<string, number>()
  for (const { name, rank } of shown) shownOf.set(name, rank + 1)
  const cut = new Set<string>()
  for (const { one, name } of ranked) {
    const total = 'total' in one ? one.total : counts.get(name)!
    if (total > (shownOf.get(name) ?? 0)) cut.add(rawOfKey(one.account))
  }
  return { places: shown.map(({ one }) => one), cut }
}
