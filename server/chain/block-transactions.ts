import { mapWithPauses, runSteps } from '../base/yield.ts'
import type { BlockId } from '../tlb/ids.ts'
import { loadTransaction } from '../tlb/transaction/transaction.ts'
import type { BlockPage, Chain, TransactionInBlock } from './chain-port.ts'
import type { CheckedQuery } from './checked-query.ts'
import type { LiteArgs, TransactionId, TransactionRef } from './liteserver.ts'
import { checkBlockTransactions, checkBlockTransactionsExt, MAX_LISTED } from './proofs/transactions.ts'

type Args = LiteArgs<'listBlockTransactions'>
interface Rows<T> {
  readonly rows: readonly T[]
  readonly incomplete: boolean
}

/**
 * Reads pages until there are enough rows or no more. Requests one row more than the caller did, so that `incomplete` is exact: a lite-server marks every
 * full page incomplete.
 */
const collect = async <T>(
  page: BlockPage,
  placeOf: (row: T) => TransactionRef,
  ask: (page: BlockPage) => Promise<Rows<T>>,
): Promise<Rows<T>> => {
  const rows: T[] = []
  let after = page.after
  for (;;) {
    const count = Math.min(MAX_LISTED, page.count + 1 - rows.length)
    const answer = await ask({ count, after })
    rows.push(...answer.rows)
    if (rows.length > page.count) return { rows: rows.slice(0, page.count), incomplete: true }
    const last = answer.rows.at(-1)
    if (!answer.incomplete || last === undefined) return { rows, incomplete: false }
    after = placeOf(last)
  }
}

const argsOf = (id: BlockId, { count, after }: BlockPage): Args => ({
  id,
  count,
  wantProof: true,
  ...(after === undefined ? {} : { after }),
})

/** Reads the transactions of a block. The proof of each page shows that no row is missing. */
export const createBlockTransactions = (ask: CheckedQuery): Pick<Chain, 'blockTransactionIds' | 'blockTransactions'> => ({
  async blockTransactionIds(id, page, signal) {
    const { rows, incomplete } = await collect<TransactionId>(
      page,
      (row) => row,
      (part) => {
        const args = argsOf(id, part)
        return ask('listBlockTransactions', args, signal, (answer) => ({
          rows: checkBlockTransactions(answer, args),
          incomplete: answer.incomplete,
        }))
      },
    )
    return { ids: rows, incomplete }
  },

  async blockTransactions(id, page, signal) {
    const { rows, incomplete } = await collect<TransactionInBlock>(
      page,
      ({ transaction }) => transaction,
      (part) => {
        const args = argsOf(id, part)
        return ask('listBlockTransactionsExt', args, signal, async (answer) => ({
          // Each can have thousands of messages, which share cells.
          rows: await mapWithPauses(
            await runSteps(checkBlockTransactionsExt(answer, args), signal),
            (root) => ({ transaction: loadTransaction(root), hash: root.hash(), workchain: id.workchain, block: id }),
            signal,
          ),
          incomplete: answer.incomplete,
        }))
      },
    )
    return { transactions: rows, incomplete }
  },
})
