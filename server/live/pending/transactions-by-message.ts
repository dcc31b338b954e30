import { Lru } from '../../base/memory/lru.ts'
import type { Chain, TransactionInBlock } from '../../chain/chain-port.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { sameAccount } from '../../tlb/ids.ts'
import { normalizedHash } from '../../tlb/message/message.ts'
import { accountText } from './followed-traces.ts'
import type { FoundTransaction, SignedTransactions } from './signed-transactions.ts'

/*
 * Finds transactions by the messages that they received, for all traces that are checked with one head. The transactions of an account are read once for
 * all these traces, because hundreds of them may be transfers to the same account.
 */

/** Maximum number of accounts whose transactions are in memory at a time, and of transactions that are searched for one account. */
const LIMITS = { accounts: 64, transactions: 1_024 } as const
/**
 * Number of transactions in the first read, and in each further read. The first is small, because most often the newest transaction has received the
 * message.
 */
const PAGE = { first: 4, next: 16 } as const
/** Maximum number of transactions that are searched in one block, for an account that does not exist any more. */
const MAX_OF_MISSING = 16

export type ReceivedSource = Pick<Chain, 'account' | 'transactions' | 'blockTransactions'>

/** Transactions of accounts up to the masterchain block `at`, and transactions of signed blocks that no masterchain block has committed yet. */
export type Received = ReturnType<typeof createReceived>

interface History {
  readonly byMessage: Map<string, TransactionInBlock>
  /** The next transaction to read; its lt is 0 if there are no more. */
  next: { readonly lt: bigint; readonly hash: Uint8Array }
  count: number
  last: Promise<unknown>
}

export const createReceived = (
  chain: ReceivedSource,
  at: BlockId,
  signal: AbortSignal,
  signed: Pick<SignedTransactions, 'receiver' | 'read'>,
) => {
  const histories = new Lru<string, Promise<History | undefined>>({ max: LIMITS.accounts })

  const put = ({ byMessage }: History, found: TransactionInBlock): void => {
    const { inMsg } = found.transaction
    if (inMsg === undefined) return
    const hashes = [inMsg.root.hashKey()]
    if (inMsg.info.type === 'external-in') hashes.push(Buffer.from(normalizedHash(inMsg)).toString('latin1'))
    for (const hash of hashes) if (!byMessage.has(hash)) byMessage.set(hash, found)
  }
  /**
   * Starts the history of an account at the last transaction that its state names. Undefined if the account does not exist, because then no state names
   * one.
   */
  const begin = async (id: AccountId): Promise<History | undefined> => {
    const { account, lastTransLt: lt, lastTransHash: hash } = await chain.account(id, at, signal)
    return account === undefined ? undefined : { byMessage: new Map(), next: { lt, hash }, count: 0, last: Promise.resolve() }
  }
  const historyOf = (id: AccountId): Promise<History | undefined> => {
    const key = accountText(id)
    const history = histories.get(key)
    if (history !== undefined) return history
    const begun = begin(id)
    histories.set(key, begun)
    return begun
  }
  const search = async (id: AccountId, history: History, after: bigint, hash: string): Promise<TransactionInBlock | undefined> => {
    for (;;) {
      const found = history.byMessage.get(hash)
      if (found !== undefined) return found.transaction.lt > after ? found : undefined
      if (history.next.lt <= after || history.next.lt === 0n || history.count >= LIMITS.transactions) return undefined
      const limit = history.count === 0 ? PAGE.first : PAGE.next
      const { transactions, next } = await chain.transactions(id, { from: history.next, limit, toLt: 0n }, signal)
      for (const each of transactions) put(history, each)
      history.next = next
      history.count += transactions.length
    }
  }
  const ofMissing = async (id: AccountId, hash: string): Promise<TransactionInBlock | undefined> => {
    const { shardBlock } = await chain.account(id, at, signal)
    const page = { count: MAX_OF_MISSING, after: { account: id.hash, lt: 0n } }
    const { transactions } = await chain.blockTransactions(shardBlock, page, signal)
    return transactions.find(({ transaction: { inMsg } }) => inMsg?.root.hashKey() === hash)
  }

  return {
    at,
    /**
     * Finds the transaction of an account that received a message. Its lt must be above `after`, and it must be among the account's newest transactions.
     * `hash`: hash of the message, or for an external message its normalized hash; 32 one-byte characters.
     */
    async find(id: AccountId, after: bigint, hash: string): Promise<FoundTransaction | undefined> {
      const received = signed.receiver(hash)
      if (received !== undefined && sameAccount(received.account, id)) return await signed.read(received, signal)
      const history = await historyOf(id)
      if (history === undefined) return await ofMissing(id, hash)
      const found = history.last.then(() => search(id, history, after, hash))
      history.last = found.catch(() => {})
      return await found
    },
  }
}
