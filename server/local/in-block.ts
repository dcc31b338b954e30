import { TonError } from '../../shared/errors.ts'
import type { Chain, TransactionInBlock } from '../chain/chain-port.ts'
import type { LocalControl } from '../chain/local/local-chain.ts'
import type { InternalInput } from '../chain/local/model.ts'
import { sameBytes } from '../tlb/bytes.ts'
import { type BlockId, MASTERCHAIN, sameAccount } from '../tlb/ids.ts'
import { base64, blockIdExt, transactionId } from '../v2/wire.ts'

/** What the handlers of local.* control and read. */
export interface LocalDeps {
  readonly control: LocalControl
  readonly chain: Chain
}

/* Fields that answers of local.* share: the block in which the call took effect, and the transaction that received the message. */

export const inBlock = (id: BlockId) => ({ block: blockIdExt(id) })

/** Formats the block in which a call took effect and the first transaction of the trace that the call started. */
export const withTransaction = (block: BlockId, lt: bigint, hash: Uint8Array) => ({
  ...inBlock(block),
  transaction_id: transactionId(lt, hash),
  trace_id: base64(hash),
})

type Injected = Pick<InternalInput, 'from' | 'to' | 'value'>

const PAGE = 16

const hasReceived = ({ transaction: { inMsg } }: TransactionInBlock, { from, value }: Injected): boolean => {
  if (inMsg?.info.type !== 'internal') return false
  const { src, value: carried } = inMsg.info
  return src?.type === 'std' && sameAccount(src, from) && carried.grams === value
}

/**
 * Finds the newest transaction of a block that received the message. Searches the block and not the account, because the state of a deleted account names
 * no last transaction.
 */
const findReceiver = async (chain: Chain, message: Injected, block: BlockId, signal: AbortSignal) => {
  const { hash } = message.to
  let found: TransactionInBlock | undefined
  for (let after = { account: hash, lt: 0n }; ; ) {
    const { transactions, incomplete } = await chain.blockTransactions(block, { count: PAGE, after }, signal)
    const own = transactions.filter(({ transaction }) => sameBytes(transaction.account, hash))
    found = own.findLast((each) => hasReceived(each, message)) ?? found
    if (!incomplete || own.length < transactions.length) return found
    after = own.at(-1)!.transaction
  }
}

/**
 * Formats the block of an injected message, the transaction that received the message, and the trace's id. The trace begins with this transaction, because
 * no transaction sent the message.
 */
export const delivered = async (chain: Chain, message: Injected, block: BlockId, signal: AbortSignal) => {
  const { to } = message
  const own = to.workchain === MASTERCHAIN ? block : (await chain.account(to, block, signal)).shardBlock
  const found = await findReceiver(chain, message, own, signal)
  if (found === undefined) throw new TonError('CHAIN', 'the message is in the block, but its transaction was not found')
  return withTransaction(block, found.transaction.lt, found.hash)
}
