import { expect, it } from 'vitest'
import type { BlockTransaction } from '../../server/actions/from-transactions.ts'
import { endSteps } from '../../server/base/yield.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { classify, requiredFacts } from '../../server/protocols/index.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { hasData, listData, readJson } from '../kit/data.ts'
import { base64, CHAINS, chainRows, inline, singleBlocks } from '../tlb/data.ts'
import { NO_FACTS } from './compose.ts'
import { tracesOf, transactionsOf } from './from-blocks.ts'

/*
 * All recorded blocks and transactions of mainnet and testnet: every trace is told in full, without facts about the accounts. The pack in test/data
 * has most of them; TONWAY_TEST_DATA adds the others.
 */

/** Blocks that a collator read: of mainnet and of testnet. */
const bundleBlocks = (): Cell[] =>
  ['mainnet-bundle-56703839', 'testnet-bundle-36649624']
    .filter((name) => hasData(`chain/${name}.json`))
    .flatMap((name) => readJson<{ blocks: { boc: string }[] }>(`chain/${name}.json`).blocks.map(({ boc }) => base64(boc)))

/** Whole blocks found in source files. Network 42 has a block format of its own. */
const inlineBlocks = (): Cell[] =>
  hasData('inline/block.json')
    ? inline('block.json')
        .filter(({ complete, global_id }) => complete && global_id !== 42)
        .map(({ root }) => root)
    : []

/** Transactions without their blocks: of source files, of accounts recorded before and after, and of runs of other executors. */
const looseTransactions = (): Cell[] => [
  ...inline('transaction.json').map(({ root }) => root),
  ...readJson<{ transaction: { boc: string } }[]>('transactions/rust-executor-triplets.json').map(({ transaction }) =>
    base64(transaction.boc),
  ),
  ...listData('transactions/rust-emulator', /\.json$/).map((path) => base64(readJson<{ tx_boc: string }>(path).tx_boc)),
]

const looseOf = (root: Cell): BlockTransaction => {
  const tx = loadTransaction(root)
  const { info } = tx.inMsg ?? {}
  const to = info?.type === 'external-out' ? undefined : info?.dest
  return { tx, hash: root.hashKey(), workchain: to?.workchain ?? -1, mcSeqno: 1 }
}

const blocksOf = (roots: () => Cell[]) => (): BlockTransaction[] => roots().flatMap(transactionsOf)

const sets: readonly [string, () => BlockTransaction[]][] = [
  ['single blocks', blocksOf(() => singleBlocks().map(({ root }) => root))],
  ['bundles of blocks', blocksOf(bundleBlocks)],
  ['blocks in source files', blocksOf(inlineBlocks)],
  ['transactions without their block', () => looseTransactions().map(looseOf)],
  ...CHAINS.filter((name) => hasData(`chain/${name}.blocks.jsonl`)).map((name): [string, () => BlockTransaction[]] => [
    name,
    blocksOf(() => chainRows(name).map(({ boc }) => base64(boc))),
  ]),
]

for (const [name, read] of sets) {
  it(`every trace of the recorded data is classified: ${name}`, () => {
    const transactions = new Map(read().map((one) => [one.hash, one]))
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
      expect(endSteps(requiredFacts(trace)).accounts.size).toBeGreaterThan(0)
    }
    expect(told > 0).toBe(transactions.size > 0)
  })
}
