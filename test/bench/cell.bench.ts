import { Cell as CoreCell } from '@ton/core'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { readData } from '../kit/data.ts'
import type { Bench } from './bench.ts'

/** The real 490 KB blocks. */
const BLOCKS = ['tongo-block-1.boc', 'tongo-raw-13516764.boc', 'tonutils-block_0_8000000000000000_71398501.boc']

/** Bag of cells to cells with all hashes, both from the same bytes; roots are compared once before anything is timed. */
export const benches: Bench[] = BLOCKS.map((name) => ({
  name: `BoC to cells with all hashes, ${name}`,
  target: { atLeast: 20 },
  basis: 'cpu',
  setup: async () => {
    const bytes = readData(`blocks/${name}`)
    if (parseBocRoot(bytes).hashHex() !== CoreCell.fromBoc(bytes)[0]!.hash().toString('hex'))
      throw new Error(`${name}: other root than @ton/core`)
    // Compiled code on both sides: what a server runs.
    for (let i = 0; i < 20; i++) parseBocRoot(bytes)
    CoreCell.fromBoc(bytes)
    return {
      ours: () => {
        parseBocRoot(bytes)
      },
      yardstick: () => {
        CoreCell.fromBoc(bytes)
      },
    }
  },
}))
