import { TonError } from '../../shared/errors.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import type { Params } from '../../shared/registry.ts'
import type { transactions } from '../../shared/v2/transactions.ts'
import type { Handlers } from '../base/call.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { BlockId } from '../tlb/ids.ts'
import { createAnswerTexts } from './answer-texts.ts'
import { findBlock } from './block-id.ts'
import { locator } from './locate.ts'
import { extTransaction, rawTransaction, rawTransactionExt, showAll } from './transaction.ts'
import { base64, blockIdExt, noHash, transactionId } from './wire.ts'

const tooManyCells = (): TonError => new TonError('TOO_LARGE', 'the transactions have more than a million cells: ask for fewer')

const pageOf = ({ count, after_lt, after_hash }: Params<'getBlockTransactions'>) => ({
  count,
  after: after_lt === undefined || !after_hash ? undefined : { account: after_hash, lt: after_lt },
})

export const transactionHandlers = ({ chain }: { readonly chain: Chain }): Pick<Handlers, keyof typeof transactions> => {
  const locate = locator(chain)
  const inBlock = (id: BlockId, count: number, incomplete: boolean) => ({ id: blockIdExt(id), req_count: count, incomplete })
  return {
    async getBlockTransactions(params, { signal }) {
      const id = await findBlock(chain, params, signal)
      const { ids, incomplete } = await chain.blockTransactionIds(id, pageOf(params), signal)
      return {
        '@type': 'blocks.transactions',
        ...inBlock(id, params.count, incomplete),
        transactions: ids.map(({ account, lt, hash }) => ({
          '@type': 'blocks.shortTxId',
          mode: 7,
          account: formatRaw({ workchain: id.workchain, hash: account }, 'lower'),
          lt: lt.toString(),
          hash: base64(hash),
        })),
      }
    },

    async getBlockTransactionsExt(params, call) {
      const id = await findBlock(chain, params, call.signal)
      const { transactions, incomplete } = await chain.blockTransactions(id, pageOf(params), call.signal)
      return {
        '@type': 'blocks.transactionsExt',
        ...inBlock(id, params.count, incomplete),
        transactions: await showAll(transactions, rawTransactionExt, call),
      }
    },

    async getTransactions({ address, lt, hash, to_lt, limit, archival }, call) {
      const from = lt === undefined || !hash ? undefined : { lt, hash }
      const { transactions, next } = await chain.transactions(address, { from, limit, toLt: to_lt, archival }, call.signal)
      if (transactions.length < limit && next.lt > 0n && next.lt > to_lt) throw tooManyCells()
      return await showAll(transactions, extTransaction, call)
    },

    async getTransactionsStd({ address, lt, hash, to_lt, limit, archival }, call) {
      const from = lt === undefined || !hash ? undefined : { lt, hash }
      // A `from` with lt 0 is the end of the account's history.
      const { transactions, next } =
        from?.lt === 0n
          ? { transactions: [], next: { lt: 0n, hash: noHash() } }
          : await chain.transactions(address, { from, limit, toLt: to_lt, archival }, call.signal)
      return {
        '@type': 'raw.transactions',
        transactions: await showAll(transactions, rawTransaction, call),
        previous_transaction_id: transactionId(next.lt, next.hash),
      }
    },

    async tryLocateTx({ source, destination, created_lt }, call) {
      return await extTransaction(await locate.result(source, destination, created_lt, call.signal), createAnswerTexts(call))
    },
    async tryLocateResultTx({ source, destination, created_lt }, call) {
      return await extTransaction(await locate.result(source, destination, created_lt, call.signal), createAnswerTexts(call))
    },
    async tryLocateSourceTx({ source, destination, created_lt }, call) {
      return await extTransaction(await locate.source(source, destination, created_lt, call.signal), createAnswerTexts(call))
    },
  }
}
