import { availableParallelism, totalmem } from 'node:os'
import { type Row, recordRows } from '../kit/results-file.ts'
import type { Bench, Line } from './bench.ts'
import { runBench } from './bench.ts'

/* One table, ours and the yardstick in the same run. */

const USAGE = `npm run bench [-- <word>] [-- --json] [-- --record] [-- --soak=<seconds>]
  <word>    only the lines of this module; where there is no such module, the lines with this word in their name
  --json    the lines as JSON
  --record  writes the lines into test/RESULTS.md, in place of earlier ones of these names
  --soak    length of the long line of ops, 30 seconds by default`

/** `skipped`: why a module has no lines here. */
const modules: Record<string, () => Promise<{ readonly benches: readonly Bench[]; readonly skipped?: string | undefined }>> = {
  cell: () => import('./cell.bench.ts'),
  tlb: () => import('./tlb.bench.ts'),
  http: () => import('./http.bench.ts'),
  chain: () => import('./chain/chain.bench.ts'),
  client: () => import('./client.bench.ts'),
  service: () => import('./service.bench.ts'),
  start: () => import('./start.bench.ts'),
  fork: () => import('./chain/fork.bench.ts'),
  index: () => import('./index.bench.ts'),
  backfill: () => import('./backfill/backfill.bench.ts'),
  citus: () => import('./citus/citus.bench.ts'),
  capacity: () => import('./capacity.bench.ts'),
  v3: () => import('./v3.bench.ts'),
  proofs: () => import('./chain/proofs.bench.ts'),
  lite: () => import('./lite.bench.ts'),
  cluster: () => import('./cluster.bench.ts'),
  ops: () => import('./ops.bench.ts'),
  access: () => import('./access.bench.ts'),
  assets: () => import('./assets.bench.ts'),
  large: () => import('./large-pages.bench.ts'),
  decode: () => import('./decode.bench.ts'),
  actions: () => import('./actions.bench.ts'),
  tvm: () => import('./tvm/tvm.bench.ts'),
  methods: () => import('./tvm/get-methods.bench.ts'),
  live: () => import('./live/live.bench.ts'),
  pending: () => import('./live/pending.bench.ts'),
  confirmed: () => import('./live/confirmed.bench.ts'),
  hooks: () => import('./live/hooks.bench.ts'),
  page: () => import('./page/page.bench.ts'),
  params: () => import('./shared/params.bench.ts'),
}

const args = process.argv.slice(2)
const least = args.find((arg) => arg.startsWith('--least='))?.slice('--least='.length)
const json = args.includes('--json')
const isRecorded = args.includes('--record')
const word = args.find((arg) => !arg.startsWith('--'))
const unknown = args.find((arg) => arg.startsWith('--') && !['--json', '--record'].includes(arg) && !/^--(least|soak)=/.test(arg))

const round = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2))
const HEAD: Row = ['what', 'ours', 'yardstick', 'ratio', 'target', 'met']
const rowOf = ({ name, ours, yardstick, unit, ratio, target, met }: Line): Row => [
  ...[name, `${round(ours)} ${unit}`, `${round(yardstick)} ${unit}`, round(ratio), target],
  met ? 'yes' : 'NO',
]

/** The name of a module is that module alone: `page` does not mean the lines about pages of the index. */
const isModule = word !== undefined && Object.hasOwn(modules, word)

const runAll = async (): Promise<void> => {
  const lines: Line[] = []
  let isSkipped = false
  if (!json) {
    const date = new Date().toISOString().slice(0, 10)
    console.log(`${date}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}\n`)
    console.log(`| ${HEAD.join(' | ')} |\n|${'---|'.repeat(HEAD.length)}`)
  }
  for (const [module, load] of Object.entries(modules)) {
    if (isModule && module !== word) continue
    const { benches, skipped } = await load()
    if (skipped !== undefined) {
      console.error(`${module}: skipped, ${skipped}`)
      isSkipped = true
    }
    for (const bench of benches) {
      if (word && !isModule && !bench.name.toLowerCase().includes(word.toLowerCase())) continue
      const line = await runBench(bench)
      lines.push(line)
      if (!json) console.log(`| ${rowOf(line).join(' | ')} |`)
      // At once: a run of everything takes an hour, and may be ended before.
      if (isRecorded) recordRows('Bench', HEAD, [rowOf(line)])
    }
  }
  if (json) console.log(JSON.stringify(lines, null, 2))
  const isNothing = lines.length === 0 && !isSkipped
  if (isNothing) console.error(`no line has the word ${word}; modules: ${Object.keys(modules).join(', ')}`)
  process.exit(isNothing ? 1 : 0)
}

// A server to measure against is this program too (least.ts).
if (unknown !== undefined) {
  console.error(unknown === '--help' ? USAGE : `unknown flag ${unknown}\n${USAGE}`)
  process.exitCode = unknown === '--help' ? 0 : 1
} else if (least !== undefined) await (await import('./least.ts')).runLeast(least)
else await runAll()
