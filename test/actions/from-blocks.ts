import { type BlockTransaction, traceOf } from '../../server/actions/from-transactions.ts'
import type { Trace } from '../../server/actions/trace.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { loadBlock } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { visitTransactionCells } from '../../server/tlb/block/block-transactions.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'

/* Traces of recorded blocks. */

/** All transactions of a block. */
export const transactionsOf = (root: Cell): BlockTransaction[] => {
  const { workchain } = loadBlockInfo(loadBlock(root).info)
  const found: BlockTransaction[] = []
  visitTransactionCells(root, (cell) => {
    found.push({ tx: loadTransaction(cell), hash: cell.hashKey(), workchain, mcSeqno: 1 })
  })
  return found
}

/** Transactions put together by the messages between them. */
export const tracesOf = (transactions: readonly BlockTransaction[]): Trace[] => {
  const senders = new Map<string, BlockTransaction>()
  for (const one of transactions) for (const { root } of one.tx.outMsgs) senders.set(root.hashKey(), one)
  const traces = new Map<BlockTransaction, BlockTransaction[]>()
  for (const one of transactions) {
    let first = one
    for (let sender: BlockTransaction | undefined = one; sender !== undefined; ) {
      first = sender
      sender = first.tx.inMsg && senders.get(first.tx.inMsg.root.hashKey())
    }
    const trace = traces.get(first)
    if (trace === undefined) traces.set(first, [one])
    else trace.push(one)
  }
  return [...traces].map(([{ hash }, members]) => traceOf(hash, members))
}
