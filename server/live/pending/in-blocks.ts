import { destinationOf, type Waiting } from '../../emulate/queue.ts'
import { LIMITS } from '../../emulate/run.ts'
import type { EmulatedNode } from '../../emulate/trace.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { accountOf, type PendingTrace } from './followed-traces.ts'
import type { FoundTransaction } from './signed-transactions.ts'
import type { Received } from './transactions-by-message.ts'

/* The part of a pending trace that is in blocks, and the messages that it has sent and that are not delivered yet. */

/** A message that a transaction in a block has sent. Its receiving transaction was not found in a block yet. */
export interface OnItsWay extends Pick<Waiting, 'message' | 'to' | 'lt'> {
  readonly parent: EmulatedNode
}

export interface InBlocks {
  /** Each transaction comes before the transactions that it causes. */
  readonly nodes: readonly EmulatedNode[]
  readonly open: readonly OnItsWay[]
  /** True if messages were left out because the trace is too long or too deep. */
  readonly isCut: boolean
  /** Keys of those blocks that the masterchain had not committed at the last check. */
  signed: readonly string[]
}

/** Maximum number of messages of a trace that are searched for with one head. Further messages are searched for with the next head. */
const MAX_LOOKED_FOR = 64

/** Finds the transaction of an external message; undefined if it is in no block. */
export const findRoot = async (
  received: Received,
  { emulation: { afterLt }, to, hash, hashNorm }: PendingTrace,
): Promise<FoundTransaction | undefined> => {
  const account = accountOf(to)
  return (await received.find(account, afterLt, hash)) ?? (hash === hashNorm ? undefined : await received.find(account, afterLt, hashNorm))
}

/**
 * `mcSeqno`: the masterchain block in which the transaction was seen first. The block that commits the transaction can be an earlier one, or for a
 * transaction in a signed block a later one.
 */
const nodeOf = (found: FoundTransaction, account: AccountId, mcSeqno: number, parent: EmulatedNode | undefined): EmulatedNode => ({
  account,
  transaction: found.transaction,
  before: undefined,
  after: found.after,
  block: found.block,
  mcSeqno: found.signedIn === undefined ? mcSeqno : mcSeqno + 1,
  parent,
  depth: parent === undefined ? 0 : parent.depth + 1,
  isCommitted: true,
})

const sentBy = (parent: EmulatedNode): OnItsWay[] =>
  parent.transaction.outMsgs.flatMap(({ root: message }) => {
    const place = destinationOf(message)
    return place === undefined ? [] : [{ message, ...place, parent }]
  })

const signedIn = ({ signedIn: key }: FoundTransaction): readonly string[] => (key === undefined ? [] : [key])

export const beginInBlocks = (root: FoundTransaction, account: AccountId, mcSeqno: number): InBlocks => {
  const node = nodeOf(root, account, mcSeqno, undefined)
  return { nodes: [node], open: sentBy(node), isCut: false, signed: signedIn(root) }
}

/** Searches the blocks for the transactions of undelivered messages, and for the transactions that follow from those. */
export const followInBlocks = async (received: Received, from: InBlocks): Promise<InBlocks> => {
  const nodes = [...from.nodes]
  const open: OnItsWay[] = []
  const queue = [...from.open]
  const signed = new Set(from.signed)
  let { isCut } = from
  let looked = 0
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const isTooLong = nodes.length + open.length >= LIMITS.transactions || item.parent.depth + 1 >= LIMITS.depth
    isCut ||= isTooLong
    if (isTooLong) continue
    const { to, lt, message, parent } = item
    const found = looked++ < MAX_LOOKED_FOR ? await received.find(to, lt, message.hashKey()) : undefined
    if (found === undefined) {
      open.push(item)
      continue
    }
    const node = nodeOf(found, to, received.at.seqno, parent)
    nodes.push(node)
    for (const key of signedIn(found)) signed.add(key)
    queue.push(...sentBy(node))
  }
  return { nodes, open, isCut, signed: [...signed] }
}
