import { type ParamSource, parseParams } from '../../../shared/params.ts'
import { type MethodName, registry } from '../../../shared/registry.ts'
import { FRIENDLY } from '../../../shared/samples.ts'
import type { Bench } from '../bench.ts'

/* What it costs to read the parameters of a call by their zod schemas, beside JSON.parse of the same text. */

const TIMES = 20_000
const ROUNDS = 15

/** Microseconds of processor time of one run. */
const microsecondsOf = (run: () => void): number => {
  const before = process.cpuUsage()
  for (let i = 0; i < TIMES; i++) run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / TIMES
}
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

const parse = (what: string, method: MethodName, params: object, source: ParamSource, atMost: number): Bench => ({
  name: `parameters of ${what} by zod, beside JSON.parse of them`,
  target: { atMost, unit: 'us cpu' },
  async measure() {
    const text = JSON.stringify(params)
    const sides = [() => void parseParams(registry[method], params, source), () => void JSON.parse(text)]
    for (const side of sides) microsecondsOf(side)
    const rounds = Array.from({ length: ROUNDS }, () => sides.map(microsecondsOf))
    const [ours, yardstick] = sides.map((_, side) => median(rounds.map((round) => round[side]!))) as [number, number]
    return { ours, yardstick, ratio: ours, unit: 'us' }
  },
})

export const benches: readonly Bench[] = [
  parse('getAddressInformation', 'getAddressInformation', { address: FRIENDLY }, 'query', 5),
  parse('runGetMethod', 'runGetMethod', { address: FRIENDLY, method: 'seqno', stack: [['num', '5']] }, 'body', 10),
  parse('v3.transactions', 'v3.transactions', { account: FRIENDLY, limit: '20', offset: '40', sort: 'desc' }, 'query', 15),
]
