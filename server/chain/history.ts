import { runSteps } from '../base/yield.ts'
import { cellsInBoc } from '../cell/boc.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { Chain, HistoryPosition, TransactionInBlock } from './chain-port.ts'
import type { CheckedQuery } from './checked-query.ts'
import { checkTransactionChain } from './proofs/transactions.ts'

/** Maximum number of transactions in one answer of a lite-server. */
const PAGE = 16

/** Number of cells after which a read ends before its limit. They take 50 MB, and an answer with their texts would be too long. */
const MANY_CELLS = 1 << 20

const END: HistoryPosition = { lt: 0n, hash: new Uint8Array(32) }

export const createHistory = (
  ask: CheckedQuery,
  lastOf: (id: AccountId, signal: AbortSignal) => Promise<HistoryPosition>,
): Chain['transactions'] => {
  const page = (account: AccountId, from: HistoryPosition, count: number, history: boolean, signal: AbortSignal) => {
    const args = { account, lt: from.lt, hash: from.hash, count }
    return ask(
      'getTransactions',
      args,
      signal,
      async (answer): Promise<{ readonly rows: readonly TransactionInBlock[]; readonly cells: number }> => ({
        rows: (await runSteps(checkTransactionChain(answer, args), signal)).map(({ block, transaction }) => ({
          transaction,
          hash: transaction.root.hash(),
          workchain: account.workchain,
          block,
        })),
        cells: cellsInBoc(answer.transactions),
      }),
      { history },
    )
  }

  return async (id, { from, limit, toLt, archival = false }, signal) => {
    const transactions: TransactionInBlock[] = []
    let cells = 0
    let next = from ?? (await lastOf(id, signal))
    // An account's history ends at lt 0, and `toLt` may be negative.
    while (transactions.length < limit && (cells < MANY_CELLS || transactions.length < 2) && next.lt > toLt && next.lt > 0n) {
      // If no server has the older transactions, the whole read fails, because a shorter list would look complete.
      const { rows, cells: more } = await page(id, next, Math.min(PAGE, limit - transactions.length), archival, signal)
      cells += more
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
