import {
  Cell as CoreCell,
  type Slice as CoreSlice,
  type Transaction as CoreTransaction,
  loadTransaction as coreLoadTransaction,
  Dictionary,
  loadCurrencyCollection,
} from '@ton/core'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { loadBlockTransactions } from '../../server/tlb/block/block-transactions.ts'
import { readData } from '../kit/data.ts'
import type { Bench } from './bench.ts'

/* From the bytes of a block to all its transactions and messages: issue 2 asks for 12 times @ton/core's speed, fields compared in test/tlb. */

const transactionValue = {
  serialize: () => {
    throw new Error('read only')
  },
  parse: (s: CoreSlice): CoreTransaction => {
    loadCurrencyCollection(s)
    return coreLoadTransaction(s.loadRef().beginParse())
  },
}
const accountBlockValue = {
  serialize: transactionValue.serialize,
  parse: (s: CoreSlice): CoreTransaction[] => {
    loadCurrencyCollection(s)
    s.skip(4 + 256)
    return Dictionary.loadDirect(Dictionary.Keys.BigUint(64), transactionValue, s.asCell()).values()
  },
}

/** All transactions of a block the way a user of @ton/core reads them: fromBoc, its dictionaries, its loadTransaction. */
export const coreBlockTransactions = (boc: Buffer): CoreTransaction[] => {
  const extra = CoreCell.fromBoc(boc)[0]!.refs[3]!
  return Dictionary.load(Dictionary.Keys.BigUint(256), accountBlockValue, extra.refs[2]!.beginParse()).values().flat()
}

const blockBench = (name: string, path: string): Bench => ({
  name: `block to transactions and messages: ${name}`,
  target: { atLeast: 12 },
  pairs: 9,
  setup: async () => {
    const boc = readData(path)
    // Both sides keep their last answer, as a service does: with nothing of a kind alive, the collection between runs takes hidden
    // classes and the code compiled for them along, and what is timed is the compiler.
    const kept: unknown[] = []
    const keep = (side: number, answer: unknown): void => {
      kept[side] = answer
    }
    const rig = {
      ours: () => keep(0, [...loadBlockTransactions(parseBocRoot(boc))]),
      yardstick: () => keep(1, coreBlockTransactions(boc)),
    }
    for (let i = 0; i < 3; i++) {
      rig.ours()
      rig.yardstick()
    }
    return rig
  },
})

export const benches: readonly Bench[] = [
  blockBench('tongo-block-1 (511 KB, 329 tx)', 'blocks/tongo-block-1.boc'),
  blockBench('tongo-raw-13516764 (498 KB, 449 tx)', 'blocks/tongo-raw-13516764.boc'),
  blockBench('tonutils 71398501 (506 KB, 269 tx)', 'blocks/tonutils-block_0_8000000000000000_71398501.boc'),
]
