import { fuzzBoc } from './boc.ts'
import { madeSeeds, realSeeds } from './seeds.ts'

/** Milliseconds that a megabyte (or less) of input may take. */
const MS_PER_MEGABYTE = 250
const ROUND = 20_000

/** Mutants of real files and of bags made here; most of them small, for numbers, the rest up to whole 500 KB blocks. Resolves with how many failed. */
export const fuzzBocs = (count: number, seed: number): number => {
  const small = [...madeSeeds(), ...realSeeds(2048)]
  const medium = realSeeds(48 * 1024)
  const large = realSeeds(1 << 20)
  console.log(`bag-of-cells reader: ${count} mutants of ${large.length + madeSeeds().length} bags, seed ${seed}`)

  let passed = 0
  let failed = 0
  let accepted = 0
  let slowest = 0
  const start = performance.now()
  for (let done = 0; done < count; done += ROUND) {
    const n = Math.min(ROUND, count - done)
    // Of every hundred mutants 97 are of small bags, nearly 3 of medium ones, a few of the largest.
    for (const [seeds, share] of [
      [small, n - Math.floor(n / 40) - Math.floor(n / 1000)],
      [medium.length > 0 ? medium : small, Math.floor(n / 40)],
      [large.length > 0 ? large : small, Math.floor(n / 1000)],
    ] as const) {
      const result = fuzzBoc(seeds, share, (seed + done * 3 + share) >>> 0, { msLimit: MS_PER_MEGABYTE })
      passed += result.passed
      accepted += result.accepted
      failed += result.findings.length
      slowest = Math.max(slowest, result.slowest)
      for (const finding of result.findings.slice(0, 3)) console.log(`FAILED ${finding.seed}: ${finding.reason}\n  ${finding.hex}`)
    }
    if (process.stdout.isTTY) process.stdout.write(`\r${done + n} of ${count}`)
  }
  const seconds = (performance.now() - start) / 1000
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
  console.log(
    `${accepted} of them still good bags; ${Math.round(count / seconds)} a second, slowest beyond suspicion ${slowest.toFixed(0)} ms, ${memory} MB at the end`,
  )
  console.log(`${passed} passed, ${failed} failed, seed ${seed}`)
  return failed
}
