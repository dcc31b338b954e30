import { LRUCache } from 'lru-cache'
import { createPauses } from '../../base/yield.ts'
import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import type { TransactionInBlock } from '../../chain/chain-port.ts'
import { listTransactions, MAX_LISTED } from '../../chain/proofs/transactions.ts'
import { blockKey } from '../../chain/signed/read-ancestors.ts'
import type { SignedBlocks, SignedChange } from '../../chain/signed/signed-blocks.ts'
import { sameBytes } from '../../tlb/bytes.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { distinctNormalizedHash } from '../../tlb/message/message.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'
import { loadTransaction, type Transaction } from '../../tlb/transaction/transaction.ts'

/*
 * Transactions of signed blocks, found by their messages. A signed block is a shard block that no masterchain block has committed yet. Transactions of
 * recently committed blocks stay, because later blocks receive their messages.
 */

/** How long the transactions of a committed block are remembered (ms), and the maximum number of transactions of all blocks. */
const MEMORY = { ms: 60_000, transactions: 20_000 } as const
const MAX_LOST = 1_024

/** A transaction as it is remembered. A parsed transaction takes several times as much memory. Hashes are strings of one-byte characters. */
export interface SignedTransaction {
  readonly root: Cell
  readonly account: AccountId
  readonly block: BlockId
  /** Hashes of the received message, with the normalized hash last. Empty for a transaction without a message. */
  readonly received: readonly string[]
  readonly sent: readonly string[]
  readonly isExternal: boolean
}

/** A transaction, and the state of the account after it if that could be read. */
export interface FoundTransaction extends TransactionInBlock {
  /** Key of the transaction's block if the masterchain has not committed this block. */
  readonly signedIn?: string | undefined
  readonly after?: ShardAccount | undefined
}

const toSigned = (root: Cell, block: BlockId): SignedTransaction => {
  const { account, inMsg, outMsgs } = loadTransaction(root)
  const normalized = inMsg && distinctNormalizedHash(inMsg)
  return {
    root,
    account: { workchain: block.workchain, hash: account },
    block,
    received: inMsg === undefined ? [] : [inMsg.root.hashKey(), ...(normalized ? [Buffer.from(normalized).toString('latin1')] : [])],
    sent: outMsgs.filter(({ info }) => info.type === 'internal').map((message) => message.root.hashKey()),
    isExternal: inMsg?.info.type === 'external-in',
  }
}

const readAll = async ({ id, extra }: SourceBlock): Promise<readonly SignedTransaction[]> => {
  const pause = createPauses()
  const found: SignedTransaction[] = []
  let after: { readonly account: Uint8Array; readonly lt: bigint } | undefined
  for (let isMore = true; isMore; ) {
    const { rows, incomplete } = listTransactions(extra.accountBlocks, { count: MAX_LISTED, after, reverse: false })
    for (const { cell } of rows) {
      found.push(toSigned(cell, id))
      await pause()
    }
    after = rows.at(-1)
    isMore = incomplete && after !== undefined
  }
  return found
}

export type SignedTransactions = ReturnType<typeof createSignedTransactions>

export const createSignedTransactions = (accountAfter: SignedBlocks['account']) => {
  const byReceived = new Map<string, SignedTransaction>()
  const bySent = new Map<string, SignedTransaction>()
  const blocks = new Map<string, { readonly transactions: readonly SignedTransaction[]; namedAt: number | undefined }>()
  const lost = new LRUCache<string, true>({ max: MAX_LOST })
  let count = 0
  let last: Promise<unknown> = Promise.resolve()

  const forget = (key: string): void => {
    for (const transaction of blocks.get(key)?.transactions ?? []) {
      for (const hash of transaction.received) if (byReceived.get(hash) === transaction) byReceived.delete(hash)
      for (const hash of transaction.sent) if (bySent.get(hash) === transaction) bySent.delete(hash)
      count--
    }
    blocks.delete(key)
  }
  /** Forgets old committed blocks. The oldest blocks come first in the map. */
  const forgetOld = (): void => {
    const time = performance.now()
    for (const [key, { namedAt }] of blocks)
      if (namedAt !== undefined && (count > MEMORY.transactions || time - namedAt > MEMORY.ms)) forget(key)
  }
  const put = (key: string, transactions: readonly SignedTransaction[]): void => {
    // After a revert the same block can be signed again. Then its entries are replaced.
    forget(key)
    lost.delete(key)
    blocks.set(key, { transactions, namedAt: undefined })
    for (const transaction of transactions) {
      for (const hash of transaction.received) byReceived.set(hash, transaction)
      for (const hash of transaction.sent) bySent.set(hash, transaction)
      count++
    }
  }
  const takeOne = async ({ signed, named, lost: gone }: SignedChange): Promise<readonly SignedTransaction[]> => {
    const fresh: SignedTransaction[] = []
    for (const block of signed) {
      const transactions = await readAll(block)
      put(blockKey(block.id), transactions)
      fresh.push(...transactions)
    }
    for (const id of named) {
      const block = blocks.get(blockKey(id))
      if (block !== undefined) block.namedAt = performance.now()
    }
    for (const id of gone) {
      forget(blockKey(id))
      lost.set(blockKey(id), true)
    }
    forgetOld()
    return fresh
  }
  /** Returns whether the block with this key is signed and not committed yet. */
  const isSigned = (key: string): boolean => {
    const block = blocks.get(key)
    return block !== undefined && block.namedAt === undefined
  }
  /** Returns the account after a transaction; undefined unless this is the account's last transaction in the block. */
  const stateAfter = async ({ account, block, root }: SignedTransaction, signal: AbortSignal): Promise<ShardAccount | undefined> => {
    const found = await accountAfter(block, account, signal).catch(() => undefined)
    if (found?.account === undefined || !sameBytes(found.lastTransHash, root.hash())) return undefined
    return { accountCell: found.account, lastTransHash: found.lastTransHash, lastTransLt: found.lastTransLt }
  }
  return {
    /** Applies a change of the signed blocks, after all earlier changes. Resolves with the new transactions. */
    take(change: SignedChange): Promise<readonly SignedTransaction[]> {
      const taken = last.then(() => takeOne(change))
      last = taken.catch(() => {})
      return taken
    },
    /** The transaction that received the message with this hash. */
    receiver: (hash: string): SignedTransaction | undefined => byReceived.get(hash),
    /** The transaction that sent the message that this one received. */
    before: ({ received }: SignedTransaction): SignedTransaction | undefined => bySent.get(received[0] ?? ''),
    all: (): Iterable<SignedTransaction> => byReceived.values(),
    async read(signed: SignedTransaction, signal: AbortSignal): Promise<FoundTransaction> {
      const { root, block } = signed
      const key = blockKey(block)
      const transaction: Transaction = loadTransaction(root)
      const found = { transaction, hash: root.hash(), workchain: block.workchain, block }
      return isSigned(key) || lost.has(key) ? { ...found, signedIn: key, after: await stateAfter(signed, signal) } : found
    },
    isSigned,
    isLost: (key: string): boolean => lost.has(key),
  }
}
