import type { transactions } from '../../../shared/v4/transactions.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import type { Handlers } from '../../base/call.ts'
import { jsonParts, piecesOf } from '../../base/json/parts.ts'
import { serializeBocInTurns } from '../../cell/boc.ts'
import { countAtMost } from '../../cell/budget.ts'
import type { TransactionInBlock } from '../../chain/chain-port.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { showAll } from '../transaction.ts'
import { base64 } from '../wire.ts'
import { blockId, type V4Reads } from './at-block.ts'
import { parsedTransaction } from './parsed.ts'

interface TransactionsQuery {
  readonly address: AccountId
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly count: number
}

/** Maximum number of cells of a BoC of more than two transactions. Clients parse it at once. */
const MAX_CELLS = 1 << 14
/** `transactions`, its members, `outMessages`, its members: levels of JSON that are written in parts, because each message may have megabytes. */
const LEVELS = 4

/**
 * The first transactions that fit into MAX_CELLS, but at least two: the client's next call starts with the last of them, and TonClient4 takes a single
 * transaction for the end of the history.
 */
const forOneBag = (found: readonly TransactionInBlock[]): readonly TransactionInBlock[] => {
  let cells = 0
  const end = found.findIndex(({ transaction }, i) => {
    if (cells <= MAX_CELLS) cells += countAtMost([transaction.root], MAX_CELLS)
    return i > 1 && cells > MAX_CELLS
  })
  return end < 0 ? found : found.slice(0, end)
}

export const v4TransactionHandlers = ({
  chain,
  final,
  sendBoc,
}: V4Reads & { readonly sendBoc: Handlers['sendBoc'] }): AnswerHandlers<keyof typeof transactions> => {
  // Reads up to `count` transactions. `chain.transactions` rejects if older ones exist but cannot be read, and ends no list of one for its size: if two or more
  // were requested, a single transaction is the account's first.
  const read = async ({ address, lt, hash, count }: TransactionsQuery, signal: AbortSignal): Promise<readonly TransactionInBlock[]> =>
    (await chain.transactions(address, { from: { lt, hash }, limit: count, toLt: 0n }, signal)).transactions
  const blocksOf = (found: readonly TransactionInBlock[]) => found.map(({ block }) => blockId(block))
  return {
    async 'v4.getAccountTransactions'(params, { signal }) {
      const found = forOneBag(await read(params, signal))
      const boc = await serializeBocInTurns(
        found.map(({ transaction }) => transaction.root),
        signal,
      )
      return final({ blocks: blocksOf(found), boc: base64(boc) })
    },

    async 'v4.getAccountTransactionsParsed'(params, call) {
      const found = await read(params, call.signal)
      const { body, headers } = final({ blocks: blocksOf(found), transactions: await showAll(found, parsedTransaction, call) })
      return { pieces: piecesOf(jsonParts(body, LEVELS)), ...(headers && { headers }) }
    },

    async 'v4.sendMessage'({ boc }, call) {
      await sendBoc({ boc }, call)
      return { body: { status: 1 } }
    },
  }
}
