import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type Row, recordRows } from '../../kit/results-file.ts'

/* What a comparison has found, and how far it is: kept in a file, so that several parts add up to a long run. */

export interface Tally {
  same: number
  different: number
  /** Cases that the oracle could not run. */
  unanswered: number
  readonly byName: Map<string, number>
  /** Differences of the listed kinds, which are not counted as `different`. */
  readonly known: Map<string, number>
}
export const newTally = (): Tally => ({ same: 0, different: 0, unanswered: 0, byName: new Map(), known: new Map() })

export const countOne = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1)

/** How many cases have run. */
export const runOf = ({ same, different, unanswered, known }: Tally): number =>
  same + different + unanswered + [...known.values()].reduce((sum, count) => sum + count, 0)

const HEAD: Row = ['run', 'the same', 'listed differences', 'others', 'the oracle cannot run']

/** Prints a tally, and writes it into test/RESULTS.md with --record; returns how many cases differ. */
export const report = (what: string, { same, different, unanswered, byName, known }: Tally): number => {
  if (known.size > 0) console.log(`differences of the kinds that are listed: ${[...known].map((entry) => entry.join(' ')).join(', ')}`)
  const names = [...byName].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`)
  if (names.length > 0) console.log(`differences by first instruction: ${names.slice(0, 60).join(', ')}`)
  console.log(`${what}: ${same} passed, ${different} failed, ${unanswered} that the oracle cannot run`)
  const listed = [...known.values()].reduce((sum, count) => sum + count, 0)
  if (process.argv.includes('--record'))
    recordRows('Oracles of the TVM', HEAD, [[what, ...[same, listed, different, unanswered].map(String)]])
  return different
}

/** Cases between two lines about how far a long run is. */
const PROGRESS = 10_000
/** Cases that are under way together: the oracle works while the next ones are run here. */
const TOGETHER = 64

export interface Run {
  readonly what: string
  /** The first seed; the case with number i has seed + i. */
  readonly seed: number
  readonly count: number
  /** Whether the time is over. */
  readonly isOver: () => boolean
  /** Where progress is kept; a run with the same name and seed goes on from there. Undefined keeps none. */
  readonly file: string | undefined
}

const load = ({ what, seed, file }: Run): Tally => {
  if (file === undefined || !existsSync(file)) return newTally()
  const { same, different, unanswered, byName, known, ...run } = JSON.parse(readFileSync(file, 'utf8'))
  if (run.what !== what || run.seed !== seed) throw new Error(`${file} is the progress of ${run.what} from seed ${run.seed}`)
  return { same, different, unanswered, byName: new Map(byName), known: new Map(known) }
}

const save = ({ what, seed, file }: Run, tally: Tally): void => {
  if (file === undefined) return
  writeFileSync(`${file}.new`, JSON.stringify({ what, seed, ...tally, byName: [...tally.byName], known: [...tally.known] }))
  renameSync(`${file}.new`, file)
}

/** Runs the cases one group after the other until there were `count` or the time is over. */
export const overSeeds = async (run: Run, one: (seed: number, tally: Tally) => Promise<void>): Promise<Tally> => {
  const tally = load(run)
  for (let next = runOf(tally); next < run.count && !run.isOver(); next = runOf(tally)) {
    const group = Math.min(TOGETHER, run.count - next)
    await Promise.all(Array.from({ length: group }, (_, i) => one(run.seed + next + i, tally)))
    save(run, tally)
    const { same, different, unanswered } = tally
    if (Math.floor((next + group) / PROGRESS) > Math.floor(next / PROGRESS)) {
      console.log(`${new Date().toISOString()}: ${same} passed, ${different} failed, ${unanswered} that the oracle cannot run`)
    }
  }
  return tally
}
