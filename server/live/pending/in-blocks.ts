import type { Cell } from '../../cell/cell.ts'
import type { Chain, TransactionInBlock } from '../../chain/chain-port.ts'
import { destinationOf } from '../../emulate/queue.ts'
import { LIMITS } from '../../emulate/run.ts'
import type { EmulatedNode } from '../../emulate/trace.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { normalizedHash } from '../../tlb/message/message.ts'
import type { PendingTrace } from './kept-traces.ts'

/* The part of a pending trace that is in blocks, and the messages that were sent there and are not delivered yet. */

/** A message that a transaction in a block has sent and that was not found in a block itself. */
export interface OnItsWay {
  readonly message: Cell
  readonly to: AccountId
  /** created_lt. */
  readonly lt: bigint
  /** The transaction that sent it. */
  readonly parent: EmulatedNode
}

export interface InBlocks {
  /** A transaction comes before those that it causes. */
  readonly nodes: readonly EmulatedNode[]
  readonly open: readonly OnItsWay[]
  /** Whether messages were left out because the trace is too long or too deep. */
  readonly isCut: boolean
}

/** Transactions of an account in which a message is looked for. */
const LOOKED_AT = 64
/** Transactions of one account in one block in which a message is looked for. */
const MOST_OF_MISSING = 16
/** Messages that are searched for with one head. The others are searched for with the next one. */
const MOST_LOOKED_FOR = 64

type Source = Pick<Chain, 'account' | 'transactions' | 'blockTransactions'>

/** The transaction of an external message, if it is among the newest of its account. */
export const findRoot = async (chain: Source, pending: PendingTrace, signal: AbortSignal): Promise<TransactionInBlock | undefined> => {
  const toLt = pending.trace.nodes[0]!.transaction.prevTransLt
  const { transactions: found } = await chain.transactions(pending.to, { from: undefined, limit: LOOKED_AT, toLt }, signal)
  return found.find(({ transaction: { inMsg } }) => {
    if (inMsg === undefined || inMsg.info.type !== 'external-in') return false
    return inMsg.root.hashKey() === pending.hash || Buffer.from(normalizedHash(inMsg)).toString('latin1') === pending.hashNorm
  })
}

/** Transactions of an account that does not exist (any more). No state leads to them, so they are searched for in the newest block of its shard. */
const ofMissing = async (chain: Source, { hash }: AccountId, shardBlock: BlockId, signal: AbortSignal) => {
  const page = { count: MOST_OF_MISSING, after: { account: hash, lt: 0n } }
  return (await chain.blockTransactions(shardBlock, page, signal)).transactions
}

const findReceiver = async (chain: Source, item: OnItsWay, at: BlockId, signal: AbortSignal): Promise<TransactionInBlock | undefined> => {
  const { message, to, lt } = item
  const { account, shardBlock } = await chain.account(to, at, signal)
  const found =
    account === undefined
      ? await ofMissing(chain, to, shardBlock, signal)
      : (await chain.transactions(to, { from: undefined, limit: LOOKED_AT, toLt: lt }, signal)).transactions
  return found.find(({ transaction: { inMsg } }) => inMsg?.root.hashKey() === message.hashKey())
}

/** `mcSeqno`: the masterchain block in which it was seen first. The one that commits it can be earlier. */
const nodeOf = (found: TransactionInBlock, account: AccountId, mcSeqno: number, parent: EmulatedNode | undefined): EmulatedNode => ({
  account,
  transaction: found.transaction,
  before: undefined,
  after: undefined,
  block: found.block,
  mcSeqno,
  parent,
  depth: parent === undefined ? 0 : parent.depth + 1,
  isCommitted: true,
})

const sentBy = (parent: EmulatedNode): OnItsWay[] =>
  parent.transaction.outMsgs.flatMap(({ root: message }) => {
    const place = destinationOf(message)
    return place === undefined ? [] : [{ message, ...place, parent }]
  })

/** The trace part that begins with a transaction that was found in a block. */
export const beginInBlocks = (root: TransactionInBlock, account: AccountId, mcSeqno: number): InBlocks => {
  const node = nodeOf(root, account, mcSeqno, undefined)
  return { nodes: [node], open: sentBy(node), isCut: false }
}

/** Searches the blocks up to a masterchain block for the messages that were not delivered yet, and for what followed from them. */
export const followInBlocks = async (chain: Source, from: InBlocks, at: BlockId, signal: AbortSignal): Promise<InBlocks> => {
  const nodes = [...from.nodes]
  const open: OnItsWay[] = []
  const queue = [...from.open]
  let { isCut } = from
  let looked = 0
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const isTooLong = nodes.length + open.length >= LIMITS.transactions || item.parent.depth + 1 >= LIMITS.depth
    isCut ||= isTooLong
    if (isTooLong) continue
    const found = looked++ < MOST_LOOKED_FOR ? await findReceiver(chain, item, at, signal) : undefined
    if (found === undefined) {
      open.push(item)
      continue
    }
    const node = nodeOf(found, item.to, at.seqno, item.parent)
    nodes.push(node)
    queue.push(...sentBy(node))
  }
  return { nodes, open, isCut }
}
