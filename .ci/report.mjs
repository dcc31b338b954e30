// Reads vitest's JSON reports for .ci/run: which files failed, how many tests passed and failed after the second run, which passed only then.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [what, first, second] = process.argv.slice(2)

const read = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Failures by file and test name; a file that could not be loaded counts as one. */
const failures = (report) =>
  (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name)
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => `${file} > ${test.fullName}`)
    return failed.length > 0 || status !== 'failed' ? failed : [`${file} > (the file itself)`]
  })

const a = read(first)
const b = second === undefined ? undefined : read(second)
const atFirst = failures(a)
const stillFailed = b === undefined ? atFirst : failures(b)

if (what === 'failed-files') for (const file of new Set(atFirst.map((name) => name.split(' > ')[0]))) console.log(file)
else if (what === 'shaky') {
  for (const name of atFirst) if (!stillFailed.includes(name)) console.log(`SHAKY, passed at the second try: ${name}`)
} else if (a === undefined) console.log('0 1')
else console.log(a.numPassedTests + atFirst.length - stillFailed.length, stillFailed.length)
