import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lastLines } from '../../../server/store/postgres/embedded/launch.ts'

const FATAL = '2026-11-30 05:25:22 UTC [2] FATAL:  could not write to file "base/5/3603_fsm": No space left on device'
const LOG = `creating configuration files ... ok
${FATAL}
2026-11-30 05:25:22 UTC [2] STATEMENT:  CREATE DATABASE postgres
\tOID = 5
\tSTRATEGY = file_copy;
\t
child process exited with exit code 1
initdb: removing data directory "/data/postgres/new"
`

it('a failure of initdb is given with its reason, which stands above a statement of many lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
  try {
    writeFileSync(join(folder, 'log'), LOG)
    expect(lastLines(join(folder, 'log'))).toContain(`${FATAL} | child process exited`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
