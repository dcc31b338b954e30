import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '../kit/project.ts'
import { INVARIANTS } from './simulation/invariants.ts'

describe('the invariants of the simulation', () => {
  const rows = readFileSync(join(projectFolder, 'test/torture/invariants.md'), 'utf8').match(/^- .*$/gm) ?? []

  it('functions and document name the same invariants in the same order', () => {
    expect(rows.map((row) => /^- `(\w+)`/.exec(row)?.[1])).toEqual(INVARIANTS)
  })

  it('the document has at most 30 of one sentence each', () => {
    expect(rows.length).toBeLessThanOrEqual(30)
    for (const row of rows) expect(row).toMatch(/^- `\w+`: [^.]+\.$/)
  })
})
