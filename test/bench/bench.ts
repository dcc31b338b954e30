import { sleep } from '../kit/wait.ts'

/** What a bench must reach: `atLeast` how many times the yardstick's speed, or `atMost` of a figure in `unit`. `named`: the figure is told, and nothing is asked of it. */
export type Target = { readonly atLeast: number } | { readonly atMost: number; readonly unit?: string } | { readonly named: true }

/** Two sides that do the same work; both run alternately in one process run. */
export interface Rig {
  /** What has to be there before a run of a side; it is not timed. */
  ready?(side: 'ours' | 'yardstick'): Promise<void>
  ours(): void | Promise<void>
  yardstick(): void | Promise<void>
  /** Processor time so far of the process that a side measures, ms; for the basis `server`. */
  processorMs?(side: 'ours' | 'yardstick'): number
  close?(): void | Promise<void>
}

/** One line of the table. */
export interface Bench {
  readonly name: string
  readonly target: Target
  /** Pairs of runs; five at least. */
  readonly pairs?: number
  /** Set-ups that the pairs are taken in; one unless told. Processes of one program differ by a quarter for as long as they live (where their pages lie). */
  readonly setups?: number
  /** Runs of each side before the pairs; one unless told. More of what goes on for hours in life: V8 compiles for many runs. */
  readonly warmUps?: number
  /**
   * False: no forced collection before each run. A forced collection drops compiled code that refers to objects of the run before, so each run would
   * compile it again (60 functions of the index, by `--trace-deopt`). A process that does such work for hours keeps these objects, and the code.
   */
  readonly collects?: boolean
  /** What the ratio is made of: `cpu` of this process for single-threaded work, `server` of the rig's own processes, `wall` where workers or children take part. */
  readonly basis?: 'cpu' | 'server' | 'wall'
  /** A speed: ratio = yardstick's time / ours. */
  setup?(): Promise<Rig>
  /** A figure of its own (a difference, a growth, memory): `ratio` is held against the target. */
  measure?(): Promise<{ readonly ours: number; readonly yardstick: number; readonly ratio: number; readonly unit: string }>
}

export interface Line {
  readonly name: string
  readonly ours: number
  readonly yardstick: number
  readonly ratio: number
  readonly unit: string
  readonly target: string
  readonly met: boolean
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** How long other threads sweep after a collection, ms. Their time belongs to neither side, and it is more than a short run takes. */
const SWEEP_MS = 50

/** Milliseconds of one run, by the clock and of processors. */
const time = async (
  run: () => void | Promise<void>,
  serverMs: () => number,
  collects: boolean,
): Promise<Record<'wall' | 'cpu' | 'server', number>> => {
  if (collects) globalThis.gc?.()
  await sleep(SWEEP_MS)
  const cpu = process.cpuUsage()
  const before = serverMs()
  const start = performance.now()
  await run()
  const wall = performance.now() - start
  const used = process.cpuUsage(cpu)
  return { wall, cpu: (used.user + used.system) / 1000, server: serverMs() - before }
}

interface Pair {
  readonly ours: number
  readonly yardstick: number
}

/** Runs both sides of a set-up alternately, after warm-ups of each. */
const pairsOf = async (bench: Bench, setup: NonNullable<Bench['setup']>): Promise<readonly Pair[]> => {
  const basis = bench.basis ?? 'cpu'
  const rig = await setup()
  try {
    const run = async (side: 'ours' | 'yardstick') => {
      await rig.ready?.(side)
      return await time(
        () => rig[side](),
        () => rig.processorMs?.(side) ?? 0,
        bench.collects ?? true,
      )
    }
    for (let i = 0; i < (bench.warmUps ?? 1); i++) {
      await run('ours')
      await run('yardstick')
    }
    const pairs: Pair[] = []
    for (let pair = 0; pair < Math.max(5, bench.pairs ?? 5); pair++) {
      // The side that goes first changes, so that a machine that slows down favours neither.
      const a = await run(pair % 2 ? 'ours' : 'yardstick')
      const b = await run(pair % 2 ? 'yardstick' : 'ours')
      pairs.push(pair % 2 ? { ours: a[basis], yardstick: b[basis] } : { ours: b[basis], yardstick: a[basis] })
    }
    return pairs
  } finally {
    await rig.close?.()
  }
}

/** The median of the pairwise ratios. */
const compare = async (bench: Bench, setup: NonNullable<Bench['setup']>): Promise<Omit<Line, 'name' | 'target' | 'met'>> => {
  const pairs: Pair[] = []
  for (let i = 0; i < (bench.setups ?? 1); i++) pairs.push(...(await pairsOf(bench, setup)))
  return {
    ours: median(pairs.map(({ ours }) => ours)),
    yardstick: median(pairs.map(({ yardstick }) => yardstick)),
    ratio: median(pairs.map(({ ours, yardstick }) => yardstick / ours)),
    unit: bench.basis === 'wall' ? 'ms' : 'ms cpu',
  }
}

const textOf = (target: Target): string => {
  if ('named' in target) return 'none'
  return 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}${target.unit ? ` ${target.unit}` : ''}`
}

const isMet = (target: Target, ratio: number): boolean => {
  if ('named' in target) return true
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost
}

/** Runs one bench to its line of the table. */
export const runBench = async (bench: Bench): Promise<Line> => {
  const target = textOf(bench.target)
  const met = (ratio: number): boolean => isMet(bench.target, ratio)
  if (bench.measure) {
    const figure = await bench.measure()
    return { name: bench.name, ...figure, target, met: met(figure.ratio) }
  }
  if (!bench.setup) throw new Error(`bench ${bench.name} has neither setup nor measure`)
  const figure = await compare(bench, bench.setup)
  return { name: bench.name, ...figure, target, met: met(figure.ratio) }
}
