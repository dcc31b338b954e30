import type { transactions } from '../../../shared/v4/transactions.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import type { Handlers } from '../../base/call.ts'
import { mapWithPauses, yieldToEventLoop } from '../../base/yield.ts'
import { serializeBoc } from '../../cell/boc.ts'
import type { Chain, TransactionInBlock } from '../../chain/chain-port.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { base64 } from '../wire.ts'
import { blockId, type FinalAnswer } from './at-block.ts'
import { parsedTransaction } from './parsed.ts'

interface Asked {
  readonly address: AccountId
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly count: number
}

/** Transactions of accounts, and sending. */
export const v4TransactionHandlers = ({
  chain,
  final,
  sendBoc,
}: {
  readonly chain: Chain
  readonly final: FinalAnswer
  readonly sendBoc: Handlers['sendBoc']
}): AnswerHandlers<keyof typeof transactions> => {
  // A list that is shorter than asked for ends with the account's first transaction: missing history is an error.
  const read = async ({ address, lt, hash, count }: Asked, signal: AbortSignal): Promise<readonly TransactionInBlock[]> =>
    (await chain.transactions(address, { from: { lt, hash }, limit: count, toLt: 0n }, signal)).transactions
  const blocksOf = (found: readonly TransactionInBlock[]) => found.map(({ block }) => blockId(block))
  return {
    async 'v4.getAccountTransactions'(params, { signal }) {
      const found = await read(params, signal)
      await yieldToEventLoop()
      return final({ blocks: blocksOf(found), boc: base64(serializeBoc(found.map(({ transaction }) => transaction.root))) })
    },

    async 'v4.getAccountTransactionsParsed'(params, { signal }) {
      const found = await read(params, signal)
      return final({ blocks: blocksOf(found), transactions: await mapWithPauses(found, parsedTransaction, signal) })
    },

    async 'v4.sendMessage'({ boc }, call) {
      await sendBoc({ boc }, call)
      return { body: { status: 1 } }
    },
  }
}
