import { beginCell } from '../../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../../server/cell/cell.ts'
import { runVm } from '../../../server/tvm/run-vm.ts'
import type { Bench } from '../bench.ts'
import '../../kit/tvm/curves.ts'

/* How much memory one run can hold: endless loops that keep what they make on the stack. */

const GAS = 4_000_000
/** The run asks its caller about every 5,000 gas. The memory is read each time after so many of them. */
const LOOKS = 70

/** The bodies of the loops. */
const LOOPS: Readonly<Record<string, string>> = {
  // BLKPUSH 15,0
  'copies of a value': '5ff0'.repeat(7),
  RANDU256: 'f810'.repeat(7),
  NEWC: 'c8'.repeat(15),
  // NEWC, RANDU256, PUSH s1, STU 256
  'builders of 256 bits': 'f810c8cbff'.repeat(3),
  // NEWC, ENDC
  'empty cells': 'c8c9'.repeat(7),
  // RANDU256, NEWC, STU 256, ENDC
  'cells of 256 bits': 'f810c8cbffc9'.repeat(2),
  // PUSHCONT {}
  'empty continuations': '90'.repeat(15),
  // BLKPUSH 15,0; TUPLE 15
  tuples: '5ff06f0f'.repeat(3),
  // DUP, SINGLE
  'nested tuples': '206f01'.repeat(5),
}

/** The most megabytes that a run holds. */
const heldBy = (body: string): number => {
  const gc = globalThis.gc
  if (gc === undefined) throw new Error('run node with --expose-gc')
  const code = beginCell()
    .storeBytes(Buffer.from(`6d9${(body.length / 2).toString(16)}${body}ea`, 'hex'))
    .end()
  const now = (): number => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 2 ** 20
  }
  const before = now()
  let looks = 0
  let held = 0
  const interrupt = (): boolean => {
    if (++looks % LOOKS === 0) held = Math.max(held, now() - before)
    return false
  }
  const { exitCode } = runVm({
    code,
    data: EMPTY_CELL,
    stack: [],
    c7: [[0x076ef1ea, 0, 0, 0, 0, 0, 1, [0, null], null, null]],
    gas: { limit: GAS },
    version: 15,
    interrupt,
  })
  if (exitCode !== -14 || looks < LOOKS) throw new Error(`a run ends with ${exitCode} after ${looks} looks`)
  return held
}

/** The largest of them; all are written beside the table. A thread of the pool may have 128 MB. */
export const heldMemory: Bench = {
  name: `memory that a run of ${GAS / 1e6} million gas holds, the most of ${Object.keys(LOOPS).length} endless loops`,
  target: { atMost: 64, unit: 'MB' },
  async measure() {
    const all = Object.entries(LOOPS).map(([name, body]) => ({ name, mb: heldBy(body) }))
    const [most] = all.sort((a, b) => b.mb - a.mb)
    console.error(all.map(({ name, mb }) => `${name} ${mb.toFixed(1)}`).join(', '))
    return { ours: most!.mb, yardstick: 128, ratio: most!.mb, unit: 'MB' }
  },
}
