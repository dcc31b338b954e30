import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { projectFolder } from './project.ts'
import { type Row, recordRows } from './results-file.ts'

/*
 * `npm run suites`: runs both tiers of tests and writes their times into test/RESULTS.md. `npm run coverage`: the same with the lines and branches that they cover, by room. What threads and
 * processes of their own run is not counted there.
 */

const withCoverage = process.argv.includes('--coverage')
const folder = mkdtempSync(join(tmpdir(), 'tonway-suites-'))

interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
}
interface Counts {
  readonly total: number
  readonly covered: number
}
type Coverage = Readonly<Record<string, { readonly lines: Counts; readonly branches: Counts }>>

/** Runs the projects of a pattern; returns their row. */
const runSuite = (name: string, projects: readonly string[]): { readonly row: Row; readonly failed: boolean } => {
  const report = join(folder, 'report.json')
  const coverage = withCoverage
    ? ['--coverage.enabled', '--coverage.reporter=json-summary', `--coverage.reportsDirectory=${folder}/coverage`]
    : []
  const words = [
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const vitest = join(projectFolder, 'node_modules/vitest/vitest.mjs')
  const start = performance.now()
  spawnSync(process.execPath, [vitest, 'run', ...words, ...coverage], { cwd: projectFolder, stdio: 'inherit' })
  const seconds = Math.round((performance.now() - start) / 1000)
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const row = [name, ...[numPassedTests, numFailedTests, numPendingTests].map(String), `${Math.floor(seconds / 60)} min ${seconds % 60} s`]
  return { row, failed: numFailedTests > 0 }
}

const percent = ({ covered, total }: Counts): string => `${((100 * covered) / Math.max(1, total)).toFixed(1)} %`

/** `server/chain/...` belongs to `server/chain`, `client/...` to `client`. */
const roomOf = (file: string): string => {
  const [top, room] = file.split('/')
  return top === 'server' ? `server/${room}` : top!
}

const coverageRows = (): Row[] => {
  const files = JSON.parse(readFileSync(join(folder, 'coverage/coverage-summary.json'), 'utf8')) as Coverage
  const rooms = new Map<string, { lines: Counts; branches: Counts }>()
  const add = (a: Counts, b: Counts): Counts => ({ total: a.total + b.total, covered: a.covered + b.covered })
  for (const [path, { lines, branches }] of Object.entries(files)) {
    const room = path === 'total' ? 'all' : roomOf(relative(projectFolder, path))
    const none = { total: 0, covered: 0 }
    const sum = rooms.get(room) ?? { lines: none, branches: none }
    rooms.set(room, { lines: add(sum.lines, lines), branches: add(sum.branches, branches) })
  }
  return [...rooms]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([room, { lines, branches }]) => [room, String(lines.total), percent(lines), percent(branches)])
}

const SUITES = ['suite', 'passed', 'failed', 'skipped', 'time'] as const
try {
  if (withCoverage) {
    const { failed } = runSuite('both', ['quick-*', 'slow-*'])
    recordRows('Covered lines', ['room', 'lines', 'lines covered', 'branches covered'], coverageRows())
    process.exitCode = failed ? 1 : 0
  } else {
    for (const [name, project] of [
      ['npm test', 'quick-*'],
      ['npm run test:slow', 'slow-*'],
    ] as const) {
      const { row, failed } = runSuite(name, [project])
      recordRows('Suites', SUITES, [row])
      if (failed) process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
