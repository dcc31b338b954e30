import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machine } from '../kit/machine.ts'
import { projectFolder } from '../kit/project.ts'
import { type Row, recordRows } from '../kit/results-file.ts'
import type { Line, Outcome } from './line.ts'

/* A line is run in parts, on one machine after the other or on several at once. Each part leaves a record; the report makes one table of all of them. */

const FOLDER = join(projectFolder, 'test/torture/parts')
const SECTION = 'Torture'
const HEAD: Row = ['line', 'tried', 'of', 'violations', 'seeds', 'parts took', 'measured on', 'notes']

/** Which part of a line is run: `index` of `count`, from 1. */
export interface PartOf {
  readonly index: number
  readonly count: number
}

export interface PartRecord extends Outcome {
  readonly line: string
  readonly part: PartOf
  /** The commit, and what of it is tested: the trees of server, shared and client. */
  readonly commit: string
  readonly trees: string
  /** Seeds of the first and of the last round. */
  readonly seeds: readonly [number, number]
  readonly seconds: number
  readonly date: string
  readonly machine: string
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8' }).trim()
const TESTED = ['server', 'shared', 'client']

/** `2/4`: the second of four parts. */
export const parsePart = (text: string | undefined): PartOf => {
  const [, index, count] = /^(\d{1,3})\/(\d{1,3})$/.exec(text ?? '') ?? []
  const part = { index: Number(index), count: Number(count) }
  if (!(part.index >= 1 && part.index <= part.count)) throw new Error(`--part takes i/n, such as 2/4, not ${text}`)
  return part
}

/** The rounds of a part: the number of the first one, and how many there are. */
export const roundsOf = (total: number, { index, count }: PartOf): { readonly first: number; readonly rounds: number } => {
  const first = Math.floor((total * (index - 1)) / count)
  return { first, rounds: Math.floor((total * index) / count) - first }
}

export interface PartRun {
  readonly line: string
  readonly part: PartOf
  readonly tested: ReturnType<typeof readTested>
  readonly outcome: Outcome
  readonly seeds: readonly [number, number]
  readonly seconds: number
}

/** What is tested: to be read before the part runs. The trees end in a plus if files of them have changes that are not committed. */
export const readTested = (): Pick<PartRecord, 'commit' | 'trees'> => {
  const isChanged = git('status', '--porcelain', ...TESTED) !== ''
  return {
    commit: git('rev-parse', '--short=8', 'HEAD'),
    trees: TESTED.map((name) => git('rev-parse', `HEAD:${name}`).slice(0, 12)).join(' ') + (isChanged ? '+' : ''),
  }
}

/** Writes the record of a part. */
export const writePart = ({ line, part, tested, outcome, seeds, seconds }: PartRun): void => {
  const record: PartRecord = {
    line,
    part,
    ...outcome,
    ...tested,
    seeds,
    seconds: Math.round(seconds),
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    machine,
  }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${line}-${part.index}-of-${part.count}.json`), `${JSON.stringify(record, undefined, 1)}\n`)
}

const readParts = (folder: string): PartRecord[] => {
  const names = existsSync(folder) ? readdirSync(folder) : []
  if (names.length === 0) throw new Error('no part was run: npm run torture -- LINE --part 1/1')
  return names.filter((name) => name.endsWith('.json')).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as PartRecord)
}

/** Why these parts cannot stand in one table; undefined if they can. */
const faultOf = (parts: readonly PartRecord[]): string | undefined => {
  const changed = parts.find(({ trees }) => trees.endsWith('+'))
  if (changed !== undefined) return `${changed.line} was run with changes that were not committed`
  const trees = [...new Set(parts.map((part) => part.trees))]
  if (trees.length > 1) {
    const shown = trees.map((tree) => parts.find((part) => part.trees === tree)!).map(({ line, commit }) => `${line} of ${commit}`)
    return `the parts are of different trees of server, shared and client: ${shown.join(', ')}`
  }
  const line = parts.find((part) => parts.some((other) => other.line === part.line && other.part.count !== part.part.count))
  return line && `${line.line} was run in different numbers of parts`
}

/** Parts of a line that have no record, as `2, 4 of 4`; undefined if all have one. */
const missingOf = (parts: readonly PartRecord[]): string | undefined => {
  const count = parts[0]!.part.count
  const found = new Set(parts.map(({ part }) => part.index))
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !found.has(index))
  return missing.length === 0 ? undefined : `${missing.join(', ')} of ${count}`
}

/** A row of the table, for the parts of one line. */
const rowOf = (name: string, { total, each = { count: 1, unit: 'rounds' } }: Line, parts: readonly PartRecord[]): Row => {
  const sum = (of: (part: PartRecord) => number): number => parts.reduce((all, part) => all + of(part), 0)
  const tried = sum(({ passed, failed }) => passed + failed)
  const seeds = [Math.min(...parts.map((part) => part.seeds[0])), Math.max(...parts.map((part) => part.seeds[1]))]
  const missing = missingOf(parts)
  return [
    name,
    `${(tried * each.count).toLocaleString('en')} ${each.unit}`,
    `${(total * each.count).toLocaleString('en')}${missing === undefined ? '' : ` (parts ${missing} were not run)`}`,
    String(sum(({ failed }) => failed)),
    seeds.join(' to '),
    `${parts.map(({ seconds }) => Math.ceil(seconds / 60)).join(' + ')} min`,
    [...new Set(parts.map(({ machine: of }) => of))].join('; '),
    parts.flatMap(({ notes }) => notes).join('; '),
  ]
}

/** The table of all parts; lines that were not run stand in it too. Throws if the parts do not belong together. */
export const rowsOfParts = (lines: Readonly<Record<string, Line>>, parts: readonly PartRecord[]): Row[] => {
  const fault = faultOf(parts)
  if (fault !== undefined) throw new Error(fault)
  return Object.entries(lines).map(([name, line]) => {
    const own = parts.filter((part) => part.line === name)
    return own.length === 0
      ? [name, 'not run', (line.total * (line.each?.count ?? 1)).toLocaleString('en'), '', '', '', '', '']
      : rowOf(name, line, own)
  })
}

/** Writes the table into test/RESULTS.md. Returns whether all parts of all lines were run without a violation. */
export const writeReport = (lines: Readonly<Record<string, Line>>): boolean => {
  const parts = readParts(FOLDER)
  const rows = rowsOfParts(lines, parts)
  const dates = parts.map(({ date }) => date).sort()
  recordRows(SECTION, HEAD, rows, { date: dates.at(-1)!, commit: parts[0]!.commit, machine })
  const isWhole = Object.entries(lines).every(([name, { missing }]) => {
    const own = parts.filter(({ line }) => line === name)
    return missing !== undefined || (own.length > 0 && missingOf(own) === undefined)
  })
  return isWhole && parts.every(({ failed, left }) => failed + left === 0)
}
