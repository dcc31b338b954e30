import { TonError } from '../../shared/errors.ts'
import type { Params } from '../../shared/registry.ts'
import type { transactions } from '../../shared/v3/transactions.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../store/codes.ts'
import { masterchainBlocks } from '../store/queries/blocks.ts'
import { sidesOfMessages } from '../store/queries/messages.ts'
import type { Page } from '../store/queries/order.ts'
import { messagesOfHash, transactionsByKeys } from '../store/queries/transactions/by-key.ts'
import { findTransactions, type TransactionParams } from '../store/queries/transactions/list.ts'
import { sizeOfTransactions } from '../store/queries/transactions/size.ts'
import { keyOfMessage, type TransactionRow } from '../store/queries/transactions/transaction-key.ts'
import type { View } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { lookup } from './answer/lookup.ts'
import { transactionSubject } from './proofs/subject.ts'
import { checkPage } from './shapes/trace.ts'
import { relateTransactions, toTransactions } from './shapes/transaction.ts'

/** Throws NOT_FOUND for a masterchain block that is not indexed. */
const find = async (view: View, params: TransactionParams): Promise<Page<TransactionRow>> => {
  const { mc_seqno } = params
  const [found, blocks] = await Promise.all([
    findTransactions(view, params),
    mc_seqno === undefined ? undefined : masterchainBlocks(view, [mc_seqno]),
  ])
  if (blocks?.length === 0) throw new TonError('NOT_FOUND', `masterchain block ${mc_seqno} not found`)
  return found
}

/** The common part of all lists of transactions, which differ only in their filters. */
const transactionList = {
  async relate(view: View, rows: readonly TransactionRow[]) {
    checkPage(sizeOfTransactions(rows), 'transactions')
    return await relateTransactions(view, rows)
  },
  proven: transactionSubject,
}

export const transactionHandlers = (index: V3Index): AnswerHandlers<keyof typeof transactions> => ({
  'v3.transactions': list(index, 'v3.transactions', { ...transactionList, find }),

  'v3.transactionsByMasterchainBlock': list(index, 'v3.transactionsByMasterchainBlock', {
    ...transactionList,
    find: (view, { seqno, ...page }) => find(view, { ...page, mc_seqno: seqno }),
  }),

  // The parameter `opcode` is about the received message.
  'v3.transactionsByMessage': list(index, 'v3.transactionsByMessage', {
    ...transactionList,
    find: (view, params) => find(view, params.opcode === undefined ? params : { ...params, direction: 'in' }),
  }),

  'v3.adjacentTransactions': lookup(index, 'v3.adjacentTransactions', async (view, params) => {
    const rows = await adjacent(view, params)
    if (rows.length === 0) throw new TonError('NOT_FOUND', 'adjacent transactions not found')
    const related = await relateTransactions(view, rows)
    return {
      accounts: related.accounts,
      body: toTransactions(view, rows, related).then((found) => ({ transactions: found })),
      subject: (whole) => transactionSubject(whole, rows, {}),
    }
  }),
})

/** Adjacent transactions: the sender of the received message, and the receivers of the sent messages. */
const adjacent = async (view: View, { hash, direction }: Params<'v3.adjacentTransactions'>): Promise<TransactionRow[]> => {
  const own = await messagesOfHash(view, hash)
  const followed = own.filter((row) => direction === undefined || (row.direction === DIRECTION_IN) === (direction === 'in'))
  if (followed.length === 0) return []
  const sides = [DIRECTION_IN, DIRECTION_OUT].map((side) => {
    const hashes = followed.flatMap((row) => (row.direction === side ? [] : [row.msg_hash]))
    return sidesOfMessages(view, hashes, side)
  })
  const others = (await Promise.all(sides)).flat()
  return await transactionsByKeys(view, others.map(keyOfMessage))
}
