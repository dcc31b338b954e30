import type { transactions } from '../v2/transactions.ts'
import type { Examples } from './example.ts'
import { ELECTOR, FIRST_BLOCK, FRIENDLY } from './values.ts'

const lost = { source: FRIENDLY, destination: ELECTOR, created_lt: '1' } as const

export const transactionsExamples = {
  getBlockTransactions: [
    { title: 'of block 1', params: FIRST_BLOCK },
    { title: 'at most two, after an account', params: { ...FIRST_BLOCK, count: 2, after_lt: '1', after_hash: FRIENDLY } },
  ],
  getBlockTransactionsExt: [{ title: 'of block 1', params: FIRST_BLOCK }],
  getTransactions: [
    { title: 'the newest ten', params: { address: FRIENDLY } },
    { title: 'down to a logical time', params: { address: FRIENDLY, limit: 5, to_lt: '1', archival: true } },
  ],
  getTransactionsStd: [{ title: 'the newest five', params: { address: FRIENDLY, limit: 5 } }],
  tryLocateTx: [{ title: 'a message that never was', params: lost, fails: 'NOT_FOUND' }],
  tryLocateResultTx: [{ title: 'a message that never was', params: lost, fails: 'NOT_FOUND' }],
  tryLocateSourceTx: [{ title: 'a message that never was', params: lost, fails: 'NOT_FOUND' }],
} satisfies Examples<keyof typeof transactions>
