import { describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { classify } from '../../server/protocols/index.ts'
import { readJson } from '../kit/data.ts'
import { factsOf, recordedTraces, traceOf } from './recorded.ts'
import { type Row, rowOf } from './rows.ts'

/*
 * Every field of every action of all recorded traces, against what TON Center's public classifier says of them. Its columns that are of the
 * trace are left out, and what it has in one column of its own per type is compared with `data`. Where we differ on purpose:
 * - It tells a deployment once more for each log of the transaction that deployed; we tell it once.
 * - Of a withdrawal from swap.coffee it tells amounts in the order of the pool and assets in that of its database: in one trace they do not
 *   belong together.
 * - It lists actions of tgBTC's keys under the text of the key as well, which is no account.
 * - It takes payouts and excesses as they come from its database; ours are in the order they were sent, so lists are compared as sets.
 */

interface Golden {
  readonly source: string
  readonly actions: readonly { readonly [name: string]: unknown }[]
}

const OF_THE_TRACE = /^(trace_|finality|value_extra_currencies)/

/** Numbers as text; payloads by what they hold; floats stand for numbers that were lost on the way. */
const normal = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value === 'string' && value.startsWith('te6'))
    return `cell ${Buffer.from(parseBocRoot(Buffer.from(value, 'base64')).hash()).toString('hex')}`
  if (typeof value !== 'object' || value === null) return value
  if ('$int' in value) return value.$int
  // A number that was recorded as a float is only told where it is whole.
  if ('$float' in value) return Number(value.$float) < Number.MAX_SAFE_INTEGER ? String(Math.round(Number(value.$float))) : null
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normal(inner)]))
}

const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].map((item) => JSON.stringify(item)).sort() : value)

/** The golden action as a row of ours: one column per type is `data`, and what is null is left out. */
const goldenRow = (golden: Golden['actions'][number]): Row => {
  const row: { [name: string]: unknown } = {}
  const data: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(golden)) {
    if (OF_THE_TRACE.test(name)) continue
    if (name.endsWith('_data')) Object.assign(data, normal(value))
    else row[name] = normal(name === 'accounts' ? (value as string[]).filter((account) => account.includes(':')) : value)
  }
  return { ...row, data }
}

/** The trace whose assets are told beside the amounts of the other asset. */
const MIXED_UP = 'b0QdK2TPX7Pv7NiXvpJxf_0PEumbW1FMewsnbFi-nqs='
const withoutSides = (row: Row): Row => ({
  ...row,
  data: Object.fromEntries(
    Object.entries(row['data'] as Row).filter(([name]) => !/^(asset|dex_jetton_wallet|user_jetton_wallet)_?[12]/.test(name)),
  ),
})

const compact = (row: Row): Row => {
  const kept: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(row)) {
    if (name === 'data') kept[name] = compact(normal(value) as Row)
    else if (name === 'peer_swaps') kept[name] = value
    else if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue
    else kept[name] = sorted(value)
  }
  return kept
}

/** A deployment of a log: its action has no destination. */
const isOfLog = (row: Row): boolean => row['type'] === 'contract_deploy' && row['destination'] === undefined

const byId = (rows: readonly Row[]): Record<string, Row> =>
  Object.fromEntries(rows.map((row) => [`${row['type']} ${row['action_id']}`, row] as const).sort(([a], [b]) => (a < b ? -1 : 1)))

describe("what TON Center's classifier says of the recorded traces", () => {
  const expected = readJson<Record<string, Golden>>('actions/expected.json')
  for (const [id, golden] of Object.entries(expected)) {
    it(`trace ${id} equals TON Center's classification in every field`, () => {
      const recorded = recordedTraces()[id]!
      const { actions, error } = classify(traceOf(id, recorded), factsOf(recorded))
      expect(error).toBeUndefined()
      const adjust = id === MIXED_UP ? withoutSides : (row: Row): Row => row
      const told = actions.map(rowOf).map(compact).map(adjust)
      const wanted = golden.actions.map(goldenRow).map(compact).map(adjust)
      expect(byId(told)).toEqual(byId(wanted.filter((row) => !isOfLog(row))))
    })
  }
})
