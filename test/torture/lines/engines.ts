import { fuzzBocs } from '../../fuzz/boc-main.ts'
import { fuzzCells } from '../../fuzz/cells-main.ts'
import { fuzzInputs } from '../../fuzz/inputs.ts'
import { fuzzLites } from '../../fuzz/lites-main.ts'
import { fuzzProofs } from '../../fuzz/proofs-main.ts'
import type { Random } from '../../kit/random.ts'
import type { Line } from '../line.ts'

/* Lines without a service: readers and checks of proofs get what is made for them in this process. */

type Run = (seed: number, number: number) => number | Promise<number>

/** A line whose round resolves with the number of faults that it found. Each was printed. */
const engine = (what: string, total: number, each: NonNullable<Line['each']>, run: Run): Line => ({
  what,
  perScene: 1,
  quick: 0,
  total,
  each,
  open: async (random: Random) => ({
    async round(number) {
      const faults = await run(random.below(2 ** 32), number)
      if (faults > 0) throw new Error(`${faults} of ${each.count} ${each.unit}`)
    },
    finish: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }),
})

/** Each round has a pool of another size, from one server to this number. */
const SERVERS = 5

export const ENGINES: Readonly<Record<string, Line>> = {
  bags: engine('bags of cells with changed bytes are read', 200, { count: 100_000, unit: 'mutants' }, (seed) => fuzzBocs(100_000, seed)),
  cells: engine(
    'every reader of cells reads bags with more paths than anybody can walk',
    20,
    { count: 50, unit: 'bombs for each reader' },
    (seed) => fuzzCells(50, seed),
  ),
  inputs: engine(
    'every other reader of foreign bytes reads changed inputs',
    100,
    { count: 10_000, unit: 'inputs for each reader' },
    (seed) => fuzzInputs(10_000, seed),
  ),
  proofs: engine('answers with proofs in which one bit is changed are checked', 20, { count: 10_000, unit: 'mutants' }, (seed) =>
    fuzzProofs(10_000, seed),
  ),
  liars: engine('lite-servers lie in every way to every kind of query', SERVERS, { count: 1, unit: 'sizes of a pool' }, (_, number) =>
    fuzzLites((number % SERVERS) + 1),
  ),
}
