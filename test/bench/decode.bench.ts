import { parseBocRoot } from '../../server/cell/boc.ts'
import { showBody } from '../../server/protocols/index.ts'
import { recordedTraces } from '../actions/recorded.ts'
import type { Bench } from './bench.ts'

/* How many message bodies a second one core decodes: all of the recorded traces, as often as they stand there. 50,000 from cells are asked for. */

const SECONDS = 2

/** Every body of every message, in base64. */
const recordedBodies = (): string[] =>
  Object.values(recordedTraces()).flatMap(({ transactions }) =>
    transactions.flatMap((transaction) =>
      [...(transaction.in ? [transaction.in] : []), ...transaction.out].flatMap(({ body }) => (body === '' ? [] : [body])),
    ),
  )

/** Items a second of CPU time over lists of work. */
const speed = (items: number, run: () => void): number => {
  for (let i = 0; i < 50; i++) run()
  const before = process.cpuUsage()
  let count = 0
  while (process.cpuUsage(before).user < SECONDS * 1e6) {
    run()
    count += items
  }
  const { user, system } = process.cpuUsage(before)
  return count / ((user + system) / 1e6)
}

const bench = (name: string, wanted: number, prepare: (bodies: readonly string[]) => () => void): Bench => ({
  name,
  target: { atLeast: 1 },
  measure: async () => {
    const bodies = recordedBodies()
    const ours = speed(bodies.length, prepare(bodies))
    return { ours, yardstick: wanted, ratio: ours / wanted, unit: '/s' }
  },
})

export const benches: readonly Bench[] = [
  bench('bodies shown as JSON objects a second, recorded ones, from cells, against 50,000', 50_000, (bodies) => {
    const cells = bodies.map((body) => parseBocRoot(Buffer.from(body, 'base64')))
    return () => {
      for (const cell of cells) showBody(cell)
    }
  }),
]
