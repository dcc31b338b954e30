import { serveParent } from './follow/network-process.ts'
import { runFollow } from './follow/program.ts'
import { type Outcome, runLine } from './line.ts'
import { LINES } from './lines.ts'
import { type PartOf, parsePart, readTested, roundsOf, writePart, writeReport } from './parts.ts'
import { runPlanted } from './planted.ts'

/*
 * `npm run torture -- LINE --rounds N --seed S`: hurts a running service from outside, and looks afterwards for everything that clients were told. Ends with the line `N passed, N failed, seed S`.
 * With `--bail` the first failed round is the last one.
 * `npm run torture -- LINE --part i/n`: that part of all rounds of a line, with a record in parts/. `npm run torture -- report`: the table of all parts, in test/RESULTS.md.
 * `npm run torture -- quick`: every line, a few rounds each.
 * `npm run torture -- follow [--minutes N] [--record]`: a service follows a network of mainnet's shape (follow/).
 * `npm run torture -- planted [NAME] [--limit SECONDS] [--record]`: plants faults into a copy of the project, and demands that each is found.
 */

/** Milliseconds of a call. */
const MAX_TIME = 40 * 60_000
/** The rounds after which `quick` has taken its time are left out. */
const QUICK_TIME = 4 * 60_000
/** What the end of a scene may take: `verify` and the like. */
const LAST_CHECKS = 2 * 60_000

const usage = (): string =>
  `npm run torture -- LINE --rounds N --seed S | LINE --part i/n, or one of these: npm run torture -- report | quick | planted [NAME] | follow [--minutes N]\n${Object.entries(
    LINES,
  )
    .map(([name, { what }]) => `  ${name.padEnd(16)} ${what}`)
    .join('\n')}`

const say = (text: string): void => console.info(text)

const numberOf = (words: readonly string[], flag: string, usual: number): number => {
  const at = words.indexOf(flag)
  const value = at < 0 ? usual : Number(words[at + 1])
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${flag} takes a whole number, not ${words[at + 1]}`)
  return value
}

const words = process.argv.slice(2)
const [name = ''] = words
const seed = numberOf(words, '--seed', Number(process.env['TONWAY_SEED'] ?? 20261120))
const sum = { passed: 0, failed: 0, left: 0 }
const run = async (line: string, rounds: number, end: number, first = 0): Promise<Outcome | undefined> => {
  const { missing } = LINES[line]!
  if (missing !== undefined) return void say(`${line}: skipped (${missing})`)
  const outcome = await runLine(line, LINES[line]!, {
    rounds,
    first,
    seed,
    end,
    bail: words.includes('--bail'),
    isQuick: name === 'quick',
    say,
  })
  const { passed, failed, left } = outcome
  sum.passed += passed
  sum.failed += failed
  sum.left += left
  return outcome
}
const endOfLine = (): number => performance.now() + MAX_TIME - LAST_CHECKS
const runPart = async (line: string, part: PartOf): Promise<void> => {
  const { first, rounds } = roundsOf(LINES[line]!.total, part)
  const tested = readTested()
  const begun = performance.now()
  const outcome = await run(line, rounds, endOfLine(), first)
  if (outcome === undefined) return
  const seeds = [seed + first, seed + first + rounds - 1] as const
  writePart({ line, part, tested, outcome, seeds, seconds: (performance.now() - begun) / 1000 })
}

if (name === 'quick') {
  const end = performance.now() + QUICK_TIME
  for (const [line, { quick }] of Object.entries(LINES)) if (quick > 0) await run(line, quick, end)
} else if (name === 'planted') {
  const [, part] = words
  const { passed, failed } = await runPlanted({
    name: part?.startsWith('--') ? undefined : part,
    limit: numberOf(words, '--limit', 60),
    record: words.includes('--record'),
    say,
  })
  sum.passed += passed
  sum.failed += failed
} else if (name === 'follow') {
  const isWhole = await runFollow({ minutes: numberOf(words, '--minutes', 90), seed, record: words.includes('--record'), say })
  sum[isWhole ? 'passed' : 'failed']++
} else if (name === 'network') {
  // What `follow` starts as a process of its own.
  await serveParent(JSON.parse(words[1]!))
  await new Promise(() => {})
} else if (name === 'report') {
  sum[writeReport(LINES) ? 'passed' : 'failed']++
} else if (Object.hasOwn(LINES, name)) {
  const at = words.indexOf('--part')
  if (at >= 0) await runPart(name, parsePart(words[at + 1]))
  else await run(name, numberOf(words, '--rounds', 20), endOfLine())
} else {
  console.error(usage())
  process.exit(2)
}
if (sum.left > 0) say(`${sum.left} rounds were not run: there was no time left`)
say(`${sum.passed} passed, ${sum.failed} failed, seed ${seed}`)
process.exitCode = sum.failed === 0 && sum.left === 0 ? 0 : 1
