import { TonError } from '../../shared/errors.ts'
import type { AccountState, Chain, TransactionInBlock } from '../chain/chain-port.ts'
import { accountOf } from '../tlb/address.ts'
import { type AccountId, MASTERCHAIN, sameAccount, WHOLE_SHARD } from '../tlb/ids.ts'

/*
 * Finds the transaction of a message by source, destination and creation time. TON Center reads three blocks and the first 40 transactions of each. tonway
 * reads the account's state at masterchain blocks at growing distances after the creation time, and from each state the history back to that time. So
 * tonway also finds late deliveries, transactions in crowded blocks and transactions of masterchain accounts.
 */

const MAX_READ = 2000
const PAGE = 50
/** Number of masterchain blocks that are searched, from the message's time on, if the account does not exist. Such an account has no history to read. */
const BLOCKS_OF_GONE = 16

const isFrom = (
  message: TransactionInBlock['transaction']['inMsg'],
  source: AccountId,
  destination: AccountId,
  createdLt: bigint,
): boolean => {
  if (message?.info.type !== 'internal' || message.info.createdLt !== createdLt) return false
  const src = accountOf(message.info.src)
  const dest = accountOf(message.info.dest)
  return src !== undefined && dest !== undefined && sameAccount(src, source) && sameAccount(dest, destination)
}

const notFound = (): TonError => new TonError('NOT_FOUND', 'transaction was not found')

export const locator = (chain: Chain) => {
  /** States of an account at masterchain blocks: the first block that reaches `lt`, then 1, 3, 7, 15, ... blocks later, and the head. */
  async function* statesFrom(id: AccountId, lt: bigint, signal: AbortSignal): AsyncGenerator<{ state: AccountState; last: boolean }> {
    const first = await firstBlock(lt, signal)
    const head = chain.head().id.seqno
    for (let distance = 0; ; distance = distance * 2 + 1) {
      const seqno = Math.min(first + distance, Math.max(first, head))
      const last = seqno >= head
      yield { state: await chain.account(id, seqno, signal), last }
      if (last) return
    }
  }

  const firstBlock = async (lt: bigint, signal: AbortSignal): Promise<number> => {
    try {
      return (await chain.lookupBlock({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 }, { lt }, signal)).seqno
    } catch (error) {
      if (error instanceof TonError && error.kind === 'CHAIN') {
        throw new TonError('CHAIN', `failed to lookup block by given lt: ${error.message}`, { cause: error })
      }
      throw error
    }
  }

  /** An account's transactions, newest first: from the last transaction of `state` down to `toLt`, which is excluded. */
  async function* history(id: AccountId, state: AccountState, toLt: bigint, signal: AbortSignal): AsyncGenerator<TransactionInBlock> {
    let from = { lt: state.lastTransLt, hash: state.lastTransHash }
    while (from.lt > toLt) {
      const { transactions, next } = await chain.transactions(id, { from, limit: PAGE, toLt }, signal)
      yield* transactions
      if (transactions.length === 0) return
      from = next
    }
  }

  /** An account's transactions, oldest first, read from the blocks of its shard. For deleted accounts, which have no state that names a last transaction. */
  async function* listed(id: AccountId, lt: bigint, signal: AbortSignal): AsyncGenerator<TransactionInBlock> {
    const first = await firstBlock(lt, signal)
    const last = Math.min(first + BLOCKS_OF_GONE, Math.max(first, chain.head().id.seqno))
    let left = MAX_READ
    for (let seqno = first; seqno <= last; seqno++) {
      const { shardBlock } = await chain.account(id, seqno, signal)
      for (let after = 0n; left > 0; ) {
        // `after` makes the list begin with this account. Accounts with greater addresses follow.
        const { transactions } = await chain.blockTransactions(shardBlock, { count: PAGE, after: { account: id.hash, lt: after } }, signal)
        const own = transactions.filter(({ transaction: { account: hash } }) => sameAccount({ workchain: id.workchain, hash }, id))
        yield* own
        if (own.length < PAGE) break
        left -= PAGE
        after = own.at(-1)!.transaction.lt
      }
    }
  }

  return {
    /** Finds the transaction that received the message. Throws NOT_FOUND, or CHAIN if `createdLt` is after the head. */
    async result(source: AccountId, destination: AccountId, createdLt: bigint, signal: AbortSignal): Promise<TransactionInBlock> {
      let read = 0
      let seen = createdLt
      let gone = false
      for await (const { state } of statesFrom(destination, createdLt, signal)) {
        for await (const found of history(destination, state, seen, signal)) {
          if (isFrom(found.transaction.inMsg, source, destination, createdLt)) return found
          if (++read >= MAX_READ) throw notFound()
        }
        if (state.lastTransLt > seen) seen = state.lastTransLt
        if (state.lastTransLt === 0n) gone = true
      }
      if (gone)
        for await (const found of listed(destination, createdLt, signal))
          if (isFrom(found.transaction.inMsg, source, destination, createdLt)) return found
      throw notFound()
    },

    /** Finds the transaction that sent the message: the source account's last transaction before `createdLt`. Throws like `result`. */
    async source(source: AccountId, destination: AccountId, createdLt: bigint, signal: AbortSignal): Promise<TransactionInBlock> {
      let read = 0
      let gone = false
      for await (const { state, last } of statesFrom(source, createdLt, signal)) {
        if (state.lastTransLt === 0n) gone = true
        // A block that ends before `createdLt` cannot contain the transaction that sent the message.
        if (state.genLt < createdLt && !last) continue
        for await (const found of history(source, state, 0n, signal)) {
          const { transaction } = found
          if (transaction.lt < createdLt) {
            if (transaction.outMsgs.some((message) => isFrom(message, source, destination, createdLt))) return found
            break
          }
          if (++read >= MAX_READ) throw notFound()
        }
        if (state.genLt >= createdLt) break
      }
      if (gone)
        for await (const found of listed(source, createdLt, signal))
          if (found.transaction.outMsgs.some((message) => isFrom(message, source, destination, createdLt))) return found
      throw notFound()
    },
  }
}
