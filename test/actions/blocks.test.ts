import { expect, it } from 'vitest'
import { classify } from '../../server/actions/classify.ts'
import { type BlockTransaction, traceOf } from '../../server/actions/from-transactions.ts'
import type { Trace } from '../../server/actions/trace.ts'
import { wantedFacts } from '../../server/actions/wanted.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { loadBlock } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { visitTransactionCells } from '../../server/tlb/block/block-transactions.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { hasData } from '../kit/data.ts'
import { base64, CHAINS, chainRows, singleBlocks } from '../tlb/data.ts'
import { NO_FACTS } from './compose.ts'

/* All recorded blocks of mainnet: whatever stands in them is told, without facts of the accounts. */

const transactionsOf = (root: Cell): BlockTransaction[] => {
  const { workchain } = loadBlockInfo(loadBlock(root).info)
  const found: BlockTransaction[] = []
  visitTransactionCells(root, (cell) => {
    found.push({ tx: loadTransaction(cell), hash: cell.hashKey(), workchain, mcSeqno: 1 })
  })
  return found
}

/** Transactions put together by the messages between them. */
const tracesOf = (transactions: readonly BlockTransaction[]): Trace[] => {
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

const sets: [string, () => Cell[]][] = [
  ['single blocks', () => singleBlocks().map(({ root }) => root)],
  ...CHAINS.filter((name) => hasData(`chain/${name}.blocks.jsonl`)).map((name): [string, () => Cell[]] => [
    name,
    () => chainRows(name).map(({ boc }) => base64(boc)),
  ]),
]

for (const [name, roots] of sets) {
  it(`tells all traces of recorded blocks: ${name}`, () => {
    const transactions = new Map(
      roots()
        .flatMap(transactionsOf)
        .map((one) => [one.hash, one]),
    )
    let told = 0
    for (const trace of tracesOf([...transactions.values()])) {
      const { state, actions, error } = classify(trace, NO_FACTS)
      expect(error).toBeUndefined()
      expect(state).toBe('ok')
      told += actions.length
      const ours = new Set(trace.transactions.map(({ hash }) => hash))
      for (const { transactions: covered, startLt, endLt } of actions) {
        expect(covered.every((hash) => ours.has(hash))).toBe(true)
        expect(startLt <= endLt).toBe(true)
      }
      expect(wantedFacts(trace).accounts.size).toBeGreaterThan(0)
    }
    expect(told > 0).toBe(transactions.size > 0)
  })
}
