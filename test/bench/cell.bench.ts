import { existsSync, readFileSync } from 'node:fs'
import { Cell as CoreCell } from '@ton/core'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { Bench } from './bench.ts'

const folder = new URL(`${process.env['TONWAY_TEST_DATA'] ?? '../shared/data'}/blocks/`, `file://${process.cwd()}/`)

/** The real 490 KB blocks. */
const BLOCKS = ['tongo-block-1.boc', 'tongo-raw-13516764.boc', 'tonutils-block_0_8000000000000000_71398501.boc']

/** Bag of cells to cells with all hashes, both from the same bytes; roots are compared once before anything is timed. */
export const benches: Bench[] = BLOCKS.filter((name) => existsSync(new URL(name, folder))).map((name) => ({
  name: `BoC to cells with all hashes, ${name}`,
  target: { atLeast: 20 },
  basis: 'cpu',
  setup: async () => {
    const bytes = readFileSync(new URL(name, folder))
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
