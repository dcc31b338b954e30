import { TonError } from '../../shared/errors.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { DIRECTION_IN } from '../store/codes.ts'
import type { Reader } from '../store/postgres/pool.ts'
import { masterchainBlocks } from '../store/queries/blocks.ts'
import { messagesOfTransactions, sidesOfMessages } from '../store/queries/messages.ts'
import type { PageParams } from '../store/queries/order.ts'
import { findTransactions, keysOfHashes, type TransactionFilter, transactionsByKeys } from '../store/queries/transactions.ts'
import { answer, nextCursor, type Overrides } from './answer.ts'
import { tellTransactions } from './transaction.ts'

type Names = 'v3.transactions' | 'v3.transactionsByMasterchainBlock' | 'v3.transactionsByMessage' | 'v3.adjacentTransactions'

/** Transactions as they are indexed. */
export const transactionHandlers = ({ reader }: { readonly reader: Reader }): AnswerHandlers<Names> => {
  const list = (filter: TransactionFilter, page: PageParams & Overrides, signal: AbortSignal) =>
    answer(reader, page, signal, async (view, next) => {
      if (filter.mc_seqno !== undefined && (await masterchainBlocks(view, [filter.mc_seqno])).length === 0)
        throw new TonError('NOT_FOUND', `masterchain block ${filter.mc_seqno} not found`)
      const found = await findTransactions(view, filter, page)
      next(found.next)
      return { ...(await tellTransactions(view, found.rows)), ...nextCursor(page, found.next) }
    })

  return {
    'v3.transactions': (params, { signal }) => list(params, params, signal),

    'v3.transactionsByMasterchainBlock': ({ seqno, ...page }, { signal }) => list({ mc_seqno: seqno }, page, signal),

    // An opcode is of what was received (v3.md 2.1).
    'v3.transactionsByMessage': (params, { signal }) =>
      list(params.opcode === undefined ? params : { ...params, direction: 'in' }, params, signal),

    'v3.adjacentTransactions': (params, { signal }) =>
      answer(reader, params, signal, async (view) => {
        const { direction } = params
        const keys = await keysOfHashes(view, [params.hash])
        const own = await messagesOfTransactions(view, keys)
        const followed = own.filter((row) => direction === undefined || (row.direction === DIRECTION_IN) === (direction === 'in'))
        const sides = await sidesOfMessages(
          view,
          followed.map((row) => row.msg_hash),
        )
        const known = new Set(followed.map((row) => `${row.direction}:${row.msg_hash.toString('base64')}`))
        // The other side of each: of a message it received the sender, of one it sent the receiver.
        const others = sides.filter((row) => known.has(`${1 - row.direction}:${row.msg_hash.toString('base64')}`))
        const rows = await transactionsByKeys(
          view,
          others.map((row) => ({ account: row.tx_account, lt: row.tx_lt })),
        )
        if (rows.length === 0) throw new TonError('NOT_FOUND', 'adjacent transactions not found')
        return await tellTransactions(view, rows)
      }),
  }
}
