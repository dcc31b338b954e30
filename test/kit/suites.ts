import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { coverageRows, HEAD } from './coverage.ts'
import { projectFolder } from './project.ts'
import { type Row, recordRows } from './results-file.ts'

const USAGE = `npm run suites [-- FILES] [-- --tier quick|slow] [-- --times N] [-- --busy N] [-- --beside WHAT] [-- --run I/N] [-- --record]
npm run coverage [-- FILES] [-- --before SUMMARY] [-- --from SUMMARY] [-- --record]

Runs both tiers of tests, and says how many tests passed, how long it took, and which were red.
  FILES     those whose paths have this in them, in place of all
  --tier    one of the two
  --times   as many times, one after the other
  --busy    beside as many processes that compute without end
  --beside  what else runs meanwhile, for the name of the row
  --run     which one it is of N runs in a row, when each is started by itself: each has a row
  --record  writes it into test/RESULTS.md
npm run coverage runs both tiers once, and shows the lines and branches that they cover, by room. Its summary stays in coverage/coverage-summary.json.
  --before  the coverage-summary.json of another commit, to stand beside it. In a worktree of that commit run its tests with --coverage.enabled
            --coverage.provider=v8 --coverage.reporter=json-summary --coverage.reportOnFailure --coverage.include='{server,shared,client}/**/*.ts'
            --coverage.exclude='client/page/**'
  --from    an earlier summary, in place of a run`

const TIERS = { quick: 'npm test', slow: 'npm run test:slow' } as const
const SUMMARY = join(projectFolder, 'coverage/coverage-summary.json')

const readOptions = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      ...{ record: { type: 'boolean' }, coverage: { type: 'boolean' }, help: { type: 'boolean' } },
      ...{
        tier: { type: 'string' },
        times: { type: 'string', default: '1' },
        busy: { type: 'string', default: '0' },
        beside: { type: 'string' },
        run: { type: 'string' },
      },
      ...{ before: { type: 'string' }, from: { type: 'string' } },
    },
  })

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly seconds: number
  /** Names of what failed; a file that could not be loaded has its own. */
  readonly red: readonly string[]
}

const redOf = ({ testResults }: Report): string[] =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(projectFolder, name)
    const red = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => `${file} > ${fullName}`)
    return red.length === 0 && status === 'failed' ? [file] : red
  })

/** Runs the files of projects by vitest. */
const runVitest = (projects: string, files: readonly string[], more: readonly string[] = []): Outcome => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-suites-'))
  try {
    const report = join(folder, 'report.json')
    const words = ['run', ...files, '--project', projects, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...more]
    const start = performance.now()
    const { status } = spawnSync(process.execPath, [join(projectFolder, 'node_modules/vitest/vitest.mjs'), ...words, '--passWithNoTests'], {
      cwd: projectFolder,
      stdio: 'inherit',
    })
    const seconds = Math.round((performance.now() - start) / 1000)
    if (!existsSync(report))
      return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0, seconds, red: status === 0 ? [] : ['vitest itself'] }
    const read = JSON.parse(readFileSync(report, 'utf8')) as Report
    const red = redOf(read)
    // An error outside of any test makes the run a red one, too.
    if (status !== 0 && red.length === 0) red.push('an error outside of the tests')
    return { passed: read.numPassedTests, failed: red.length, skipped: read.numPendingTests, seconds, red }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Computes until its parent is gone. */
const COMPUTE = 'const parent = process.ppid; while (process.ppid === parent) for (const end = Date.now() + 500; Date.now() < end; );'

/** Runs something beside processes that compute without end. */
const beside = <T>(count: number, run: () => T): T => {
  const busy = Array.from({ length: count }, () => spawn(process.execPath, ['-e', COMPUTE], { stdio: 'ignore' }))
  try {
    return run()
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
}

const rowOf = (name: string, outcomes: readonly Outcome[]): Row => {
  const sum = (of: 'passed' | 'failed' | 'skipped' | 'seconds'): number => outcomes.reduce((all, outcome) => all + outcome[of], 0)
  const seconds = sum('seconds')
  return [
    name,
    ...(['passed', 'failed', 'skipped'] as const).map((of) => String(sum(of))),
    `${Math.floor(seconds / 60)} min ${seconds % 60} s`,
  ]
}

const { values, positionals: files } = readOptions()
const [times, busy] = [Number(values.times), Number(values.busy)]
const tiers = Object.entries(TIERS).filter(([tier]) => values.tier === undefined || tier === values.tier)

const measureCoverage = (): void => {
  if (values.from === undefined) {
    const reporter = [
      '--coverage.enabled',
      '--coverage.reportOnFailure',
      '--coverage.reporter=json-summary',
      '--coverage.reportsDirectory=coverage',
    ]
    process.exitCode = runVitest('*', files, reporter).failed > 0 ? 1 : 0
  }
  const rows = coverageRows(values.from ?? SUMMARY, values.before)
  console.log([HEAD, ...rows].map((row) => row.join('\t')).join('\n'))
  if (values.record) recordRows('Covered lines', HEAD, rows)
}

const measureSuites = (): void => {
  for (const [tier, command] of tiers) {
    const outcomes = beside(busy, () => Array.from({ length: times }, () => runVitest(`${tier}-*`, files)))
    const only = files.length > 0 ? `of ${files.join(', ')} on Node ${process.versions.node.split('.', 1)[0]}` : ''
    const others = [...(busy > 0 ? [`${busy} busy processes`] : []), ...(values.beside === undefined ? [] : [values.beside])].join(' and ')
    const name = [
      command,
      only,
      times > 1 ? `${times} times in a row` : '',
      others && `beside ${others}`,
      values.run && `run ${values.run}`,
    ]
      .filter(Boolean)
      .join(' ')
    const row = rowOf(name, outcomes)
    console.log(row.join('\t'))
    for (const [i, { red }] of outcomes.entries()) for (const test of red) console.log(`RED in run ${i + 1}: ${test}`)
    if (outcomes.some(({ failed }) => failed > 0)) process.exitCode = 1
    if (values.record) recordRows('Suites', ['suite', 'passed', 'failed', 'skipped', 'time'], [row])
  }
}

if (values.help || tiers.length === 0 || !(times >= 1) || !(busy >= 0)) console.log(USAGE)
else if (values.coverage) measureCoverage()
else measureSuites()
