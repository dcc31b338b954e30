import { fuzzBocs } from './boc-main.ts'
import { fuzzCells } from './cells-main.ts'
import { fuzzInputs } from './inputs.ts'
import { fuzzLites } from './lites-main.ts'
import { fuzzProofs } from './proofs-main.ts'

/*
 * `npm run fuzz [-- NAME] [count] [seed]`, or `node dist/test/fuzz.js ...`. `count` is what each target tries; its default is in brackets:
 *   bocs    mutants of bags of cells (1,000,000)
 *   cells   bombs for each reader of cells (300)
 *   inputs  changed inputs for each other reader of foreign bytes (10,000)
 *   proofs  proofs with one changed bit (100,000)
 *   lites   pools of lying lite-servers, from one server up to this size (5)
 * Prints `N passed, N failed` and the seed of each target. The exit code is 1 if anything failed.
 */
const words = process.argv.slice(2)
const name = words.find((word) => !/^\d+$/.test(word))
const [count, seed] = words.filter((word) => /^\d+$/.test(word)).map(Number)

/** Pools of one server to so many. */
const fuzzPools = async (servers: number): Promise<number> => {
  let failed = 0
  for (let size = 1; size <= servers; size++) failed += await fuzzLites(size)
  return failed
}

const targets: Readonly<Record<string, { readonly count: number; run(count: number, seed: number): number | Promise<number> }>> = {
  bocs: { count: 1_000_000, run: fuzzBocs },
  cells: { count: 300, run: fuzzCells },
  inputs: { count: 10_000, run: fuzzInputs },
  proofs: { count: 100_000, run: fuzzProofs },
  lites: { count: 5, run: fuzzPools },
}
if (name !== undefined && !Object.hasOwn(targets, name)) throw new Error(`unknown: ${name}; known: ${Object.keys(targets).join(', ')}`)

let failed = 0
for (const [target, { count: usual, run }] of Object.entries(targets)) {
  if (name !== undefined && name !== target) continue
  failed += await run(count ?? usual, seed ?? Number(process.env['TONWAY_SEED'] ?? 20261120))
}
process.exitCode = failed === 0 ? 0 : 1
