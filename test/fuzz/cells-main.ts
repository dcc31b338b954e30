import { attack, type Target } from './attack.ts'
import { actionTargets, bodyTargets, cellTargets, readerTargets } from './targets.ts'

/** Milliseconds of processor time that a reader may take for any cells. */
const LIMIT_MS = 50
const SHOWN = 10

/** Bombs for every reader of foreign cells: `count` for each. Resolves with how many failed. */
export const fuzzCells = async (count: number, seed: number): Promise<number> => {
  const kinds: readonly (readonly [string, readonly Target[]])[] = [
    ['readers of one cell or slice', await readerTargets(4)],
    ['lines of the catalogue', bodyTargets()],
    ['traces', actionTargets()],
    ['walks of all cells', cellTargets()],
  ]
  let [passed, failed] = [0, 0]
  for (const [kind, targets] of kinds) {
    const { calls, values, findings, slowest } = attack(targets, count, seed, LIMIT_MS)
    console.log(`${targets.length} ${kind}: ${calls} bombs, ${values} of them read`)
    for (const { target, seed: of, reason } of findings) console.log(`FAILED ${target}, seed ${of}: ${reason}`)
    const last = [...slowest].sort(([, a], [, b]) => b.ms - a.ms).slice(0, SHOWN)
    for (const [target, { ms, seed: of }] of last) console.log(`  ${ms.toFixed(1).padStart(7)} ms  ${target}, seed ${of}`)
    passed += calls - findings.length
    failed += findings.length
  }
  console.log(`${passed} passed, ${failed} failed (limit ${LIMIT_MS} ms), seed ${seed}`)
  return failed
}
