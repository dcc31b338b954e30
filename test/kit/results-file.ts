import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { machine } from './machine.ts'
import { projectFolder } from './project.ts'

/* test/RESULTS.md: tables of results alone. Each is written by the command that measures, and has the newest row of each line. */

const FILE = `${projectFolder}/test/RESULTS.md`

/** A row; its first cell names what was measured. */
export type Row = readonly string[]

export interface Provenance {
  readonly date: string
  readonly commit: string
  readonly machine: string
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8' }).trim()

/** Where and when this is measured. A commit with a plus has changes that are not committed. */
const currentProvenance = (): Provenance => ({
  date: new Date().toISOString().slice(0, 16).replace('T', ' '),
  commit:
    git('rev-parse', '--short=8', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no', ':!test/RESULTS.md') === '' ? '' : '+'),
  machine,
})

const lineOf = (cells: Row): string => `| ${cells.join(' | ')} |`
const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ')

/** The text of a page with rows put into the table of a section. A row replaces the one with the same first cell; other rows stay. */
export const withRows = (page: string, section: string, head: Row, rows: readonly Row[], { date, commit, machine }: Provenance): string => {
  const heading = `## ${section}\n`
  const start = page.indexOf(heading)
  const before = start < 0 ? `${page.trimEnd()}\n\n` : page.slice(0, start)
  const after = start < 0 ? '' : page.slice(start + heading.length)
  const end = after.search(/^## /m)
  const [body, rest] = end < 0 ? [after, ''] : [after.slice(0, end), after.slice(end)]
  const table = body.split('\n').filter((line) => line.startsWith('| '))
  const all = new Map(table.slice(1).map((line) => [cellsOf(line)[0]!, line]))
  for (const row of rows) all.set(row[0]!, lineOf([...row, date, commit, machine]))
  const columns = [...head, 'date', 'commit', 'machine']
  const text = body
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join('\n')
    .trim()
  const lines = [lineOf(columns), `|${'---|'.repeat(columns.length)}`, ...all.values()].join('\n')
  return `${before}${heading}\n${text === '' ? '' : `${text}\n\n`}${lines}\n${rest === '' ? '' : `\n${rest}`}`
}

/** Writes rows into test/RESULTS.md. */
export const recordRows = (section: string, head: Row, rows: readonly Row[], provenance: Provenance = currentProvenance()): void =>
  writeFileSync(FILE, withRows(readFileSync(FILE, 'utf8'), section, head, rows, provenance))
