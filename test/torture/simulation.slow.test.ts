import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { projectFolder } from '../kit/project.ts'
import { seed } from '../kit/random.ts'
import { SIMULATION } from './lines/simulation.ts'

/* A few seeds of the simulation, as a program of its own: it replaces the clocks of its process. */

const run = (...words: readonly string[]): string =>
  execFileSync(process.execPath, words, { cwd: projectFolder, encoding: 'utf8', timeout: 500_000 })

it('simulations of a few seeds hold all invariants, and equal seeds have equal logs', { timeout: 600_000 }, () => {
  run('server/build/build.mjs', 'torture')
  const said = run('dist/test/torture.js', 'simulation', '--rounds', String(SIMULATION.quick), '--seed', String(seed))
  expect(said).toContain(`${SIMULATION.quick} passed, 0 failed, seed ${seed}`)
})
