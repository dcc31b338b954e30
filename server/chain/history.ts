import type { AccountId } from '../tlb/ids.ts'
import type { Ask } from './ask.ts'
import { checkTransactionChain } from './proofs/transactions.ts'
import type { Chain, TransactionInBlock } from './types.ts'

/** The most transactions that a lite-server sends at once. */
const PAGE = 16

type Place = { readonly lt: bigint; readonly hash: Uint8Array }
const END: Place = { lt: 0n, hash: new Uint8Array(32) }

/** An account's transactions by the chain of prev_trans_hash, page by page. */
export const createHistory = (ask: Ask, lastOf: (id: AccountId, signal: AbortSignal) => Promise<Place>): Chain['transactions'] => {
  const page = (account: AccountId, from: Place, count: number, history: boolean, signal: AbortSignal) => {
    const args = { account, lt: from.lt, hash: from.hash, count }
    return ask(
      'getTransactions',
      args,
      signal,
      (answer): readonly TransactionInBlock[] =>
        checkTransactionChain(answer, args).map(({ block, transaction }) => ({
          transaction,
          hash: transaction.root.hash(),
          workchain: account.workchain,
          block,
        })),
      { history },
    )
  }

  return async (id, { from, limit, toLt, archival = false }, signal) => {
    const transactions: TransactionInBlock[] = []
    let next = from ?? (await lastOf(id, signal))
    // Logical time 0 is the end whatever `toLt` says: it may be negative.
    while (transactions.length < limit && next.lt > toLt && next.lt > 0n) {
      // Where no server has what came before, the whole read fails: a list that just ends would be taken for all there is.
      const rows = await page(id, next, Math.min(PAGE, limit - transactions.length), archival, signal)
      for (const row of rows) {
        if (row.transaction.lt <= toLt) break
        transactions.push(row)
      }
      const { prevTransLt, prevTransHash } = rows.at(-1)!.transaction
      next = prevTransLt === 0n ? END : { lt: prevTransLt, hash: prevTransHash }
    }
    return { transactions, next }
  }
}
