import { type Row, recordRows } from '../../kit/results-file.ts'
import { type BlockLag, type Followed, follow } from './follow.ts'
import { forkNetwork } from './network-process.ts'

/* `npm run torture -- follow`: a service follows a network of mainnet's shape in real time. */

/** Of mainnet in 2026: 2.5 masterchain blocks a second, 64 transfers a second in the mean, of which a part comes in bursts. */
const STEP_MS = 400
const BURST = 1_000
const BURST_EVERY = 300
const PER_SECOND = 64
/** Milliseconds in which blocks count as those after a burst. */
const AFTER_BURST = 10_000

export interface FollowSettings {
  readonly minutes: number
  readonly seed: number
  readonly record: boolean
  say(text: string): void
}

const SECTION = "Following a network of mainnet's shape"
const HEAD: Row = ['what', 'value', 'target', 'met']

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Whether a block is one of those that came soon after a burst. */
const burstsOf = (blocks: readonly BlockLag[]): ((block: BlockLag) => boolean) => {
  const bursts = blocks.filter(({ isBurst }) => isBurst).map(({ at }) => at)
  return ({ at }) => bursts.some((burst) => at >= burst && at < burst + AFTER_BURST)
}

const number = (value: number, digits = 0): string => value.toFixed(digits)

const lagRow = (what: string, values: readonly number[], limit: number): Row => [
  `${what}: lag p50, p99, most`,
  `${number(percentile(values, 0.5))}, ${number(percentile(values, 0.99))}, ${number(Math.max(...values))} ms`,
  `p99 < ${limit} ms`,
  percentile(values, 0.99) < limit ? 'yes' : 'NO',
]

const rowsOf = ({ blocks, costs, disk, minutes, faults }: Followed): Row[] => {
  const isAfterBurst = burstsOf(blocks)
  const calm = blocks.filter((block) => !isAfterBurst(block))
  const busy = blocks.filter(isAfterBurst)
  const [first, last] = [costs[0]!, costs.at(-1)!]
  const cores = (of: 'service' | 'postgres'): number => (last[of] - first[of]) / (last.at - first.at)
  const sum = (of: (block: BlockLag) => number): number => blocks.reduce((total, block) => total + of(block), 0)
  const most = (of: 'serviceMemory' | 'postgresMemory'): number => Math.max(...costs.map((each) => each[of]))
  const hours = minutes / 60
  const grown = disk[1].all - disk[1].wal - (disk[0].all - disk[0].wal)
  const shards = blocks.map(({ shardCount }) => shardCount)
  const all = cores('service') + cores('postgres')
  const shape = [
    `${blocks.length} masterchain blocks, ${number(sum(({ blocks: own }) => own))} with those of ${Math.min(...shards)} to ${Math.max(...shards)} shards`,
    `${number(sum(({ splits }) => splits))} splits, ${number(sum(({ merges }) => merges))} merges`,
    `${number(sum(({ transactions }) => transactions) / (minutes * 60), 1)} transactions a second, ${blocks.filter(({ isBurst }) => isBurst).length} bursts`,
  ]
  const named: Row[] = [
    ['the network', shape.join('; '), '', ''],
    lagRow(
      'index (v3), at the mean',
      calm.map(({ index }) => index),
      1_000,
    ),
    lagRow(
      'stream, at the mean',
      calm.map(({ live }) => live),
      1_000,
    ),
    lagRow(
      'index (v3), 10 s after a burst',
      busy.map(({ index }) => index),
      5_000,
    ),
    lagRow(
      'stream, 10 s after a burst',
      busy.map(({ live }) => live),
      5_000,
    ),
    ['processor: service', `${number(cores('service'), 3)} cores`, '< 0.5 cores', cores('service') < 0.5 ? 'yes' : 'NO'],
    ['processor: service and its PostgreSQL', `${number(all, 3)} cores`, '< 0.5 cores', all < 0.5 ? 'yes' : 'NO'],
    [
      'memory: service, PostgreSQL; at the end, most',
      `${number(last.serviceMemory)}, ${number(last.postgresMemory)}; ${number(most('serviceMemory'))}, ${number(most('postgresMemory'))} MiB`,
      '',
      '',
    ],
    ['disk without WAL', `${number(grown)} MiB, ${number(grown / hours)} MiB an hour; WAL ${number(disk[1].wal)} MiB`, '', ''],
    ['lost, or different for `verify`', `${faults.length}`, '0', faults.length === 0 ? 'yes' : 'NO'],
  ]
  return named.map(([what, ...cells]) => [`${number(minutes)} minutes, ${what}`, ...cells])
}

/** Returns whether nothing was lost. Times are printed, and judged by the reader: they depend on what else the machine does. */
export const runFollow = async ({ minutes, seed, record, say }: FollowSettings): Promise<boolean> => {
  const followed = await follow({
    network: forkNetwork,
    options: {
      seed,
      stepMs: STEP_MS,
      pace: 10,
      mostShards: 16,
      keyEvery: 500,
      wallets: 4_000,
      perStep: (PER_SECOND * STEP_MS) / 1_000 - BURST / BURST_EVERY,
      burst: BURST,
      burstEvery: BURST_EVERY,
    },
    milliseconds: minutes * 60_000,
    say,
  })
  for (const fault of followed.faults.slice(0, 20)) say(fault)
  const rows = rowsOf(followed)
  for (const row of rows) say(`| ${row.join(' | ')} |`)
  if (record) recordRows(SECTION, HEAD, rows)
  return followed.faults.length === 0
}
