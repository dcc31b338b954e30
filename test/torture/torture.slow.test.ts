import { describe, expect, it, vi } from 'vitest'
import { seed } from '../kit/random.ts'
import { runLine } from './line.ts'
import { LINES } from './lines.ts'

/* A few rounds of each line of `npm run torture`, but for those that another line or another test repeats. */

const QUICK = Object.entries(LINES).filter(([, { quick, isAlone }]) => quick > 0 && !isAlone)

// Two lines side by side: one often waits, for a service that starts, or for what was hurt to be well again.
vi.setConfig({ maxConcurrency: 2 })

describe.concurrent.each(QUICK)('torture', (name, line) => {
  const { what, quick: rounds, missing } = line
  it.skipIf(missing !== undefined)(
    `${name}: ${what}, and nothing that was acknowledged is lost${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    { timeout: 600_000 },
    async () => {
      const said: string[] = []
      const say = (text: string): void => void said.push(text)
      const { notes: _, ...outcome } = await runLine(name, line, { rounds, seed, end: performance.now() + 500_000, isQuick: true, say })
      expect({ ...outcome, said: outcome.failed > 0 ? said : [] }).toEqual({ passed: rounds, failed: 0, left: 0, said: [] })
    },
  )
})
