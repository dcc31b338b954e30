import type { Facts } from '../../server/actions/facts.ts'
import type { Trace } from '../../server/actions/trace.ts'
import { classify } from '../../server/protocols/index.ts'
import { factsOf, recordedTraces, traceOf } from '../actions/recorded.ts'
import type { Bench } from './bench.ts'

/* How many traces a second one core classifies: the recorded ones, from parsed cells, bodies read on the way. Issue 19 asks for 5,000. */

const WANTED = 5_000
const SECONDS = 3

const classifyAll = (traces: readonly (readonly [Trace, Facts])[]): number => {
  let actions = 0
  for (const [trace, facts] of traces) actions += classify(trace, facts).actions.length
  return actions
}

export const benches: readonly Bench[] = [
  {
    name: 'traces classified a second, recorded ones, against 5,000',
    target: { atLeast: 1 },
    measure: async () => {
      const traces = Object.entries(recordedTraces()).map(([id, recorded]) => [traceOf(id, recorded), factsOf(recorded)] as const)
      for (let i = 0; i < 20; i++) classifyAll(traces)
      const before = process.cpuUsage()
      let count = 0
      while (process.cpuUsage(before).user < SECONDS * 1e6) {
        classifyAll(traces)
        count += traces.length
      }
      const { user, system } = process.cpuUsage(before)
      const ours = count / ((user + system) / 1e6)
      return { ours, yardstick: WANTED, ratio: ours / WANTED, unit: '/s' }
    },
  },
]
