import { TonError } from '../../shared/errors.ts'
import type { Chain, TransactionInBlock } from '../chain/chain-port.ts'
import { type AccountId, type BlockId, sameAccount, shardToWire } from '../tlb/ids.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/* Members that answers of local.* share: the block in which the call took effect, and the transaction that a message led to. */

/** The block in which the call took effect, as the wire has it. */
export const inBlock = (id: BlockId) => ({
  block: {
    '@type': 'ton.blockIdExt' as const,
    workchain: id.workchain,
    shard: shardToWire(id.shard),
    seqno: id.seqno,
    root_hash: base64(id.rootHash),
    file_hash: base64(id.fileHash),
  },
})

/** A transaction of an account, as the wire has it. */
export const transactionId = (lt: bigint, hash: Uint8Array) => ({
  '@type': 'internal.transactionId' as const,
  lt: lt.toString(),
  hash: base64(hash),
})

/** A block, and the transaction in it that begins a trace. */
export const withTransaction = (block: BlockId, lt: bigint, hash: Uint8Array) => ({
  ...inBlock(block),
  transaction_id: transactionId(lt, hash),
  trace_id: base64(hash),
})

/** A message that was added to the chain. `value`: nanotons. */
export interface Injected {
  readonly from: AccountId
  readonly to: AccountId
  readonly value: bigint
}

/** Transactions of one account in one block that are searched for a message. */
const MOST = 100

/**
 * The block of a message that was added, the transaction that received it, and the id of its trace. No transaction sent the message, so the trace begins
 * with this one.
 */
export const delivered = async (chain: Chain, { from, to, value }: Injected, block: BlockId, signal: AbortSignal) => {
  const last = await chain.account(to, block, signal)
  const newest = { lt: last.lastTransLt, hash: last.lastTransHash }
  const find = async (limit: number, toLt: bigint): Promise<TransactionInBlock | undefined> => {
    const { transactions } = await chain.transactions(to, { from: newest, limit, toLt }, signal)
    return transactions.find(({ transaction: { inMsg } }) => {
      if (inMsg?.info.type !== 'internal') return false
      const { src, value: carried } = inMsg.info
      return src?.type === 'std' && sameAccount(src, from) && carried.grams === value
    })
  }
  // Nearly always it is the newest one. What is older than the block is not read: a fork would have to ask the other network for it.
  const found = (await find(1, 0n)) ?? (await find(MOST, (await chain.blockHeader(block, signal)).info.prev[0]!.endLt))
  if (found === undefined) throw new TonError('CHAIN', 'the message is in the block, but its transaction was not found')
  return withTransaction(block, found.transaction.lt, found.hash)
}
