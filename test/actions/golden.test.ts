import { describe, expect, it } from 'vitest'
import { classify } from '../../server/actions/classify.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { factsOf, readPacked, recordedTraces, traceOf } from './recorded.ts'
import { type Row, rowOf } from './rows.ts'

/*
 * Every field of every action of all recorded traces, against what TON Center's public classifier says of them. Its columns that are of the
 * trace are left out, and what it has in one column of its own per type is compared with `data`.
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
  if (typeof value === 'string' && value.startsWith('te6')) return `cell ${Buffer.from(parseBocRoot(Buffer.from(value, 'base64')).hash()).toString('hex')}`
  if (typeof value !== 'object' || value === null) return value
  if ('$int' in value) return value.$int
  if ('$float' in value) return String(BigInt(Math.round(Number(value.$float))))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normal(inner)]))
}

const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value)

/** The golden action as a row of ours: one column per type is `data`, and what is null is left out. */
const goldenRow = (golden: Golden['actions'][number]): Row => {
  const row: { [name: string]: unknown } = {}
  const data: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(golden)) {
    if (OF_THE_TRACE.test(name)) continue
    if (name.endsWith('_data')) Object.assign(data, normal(value))
    else row[name] = sorted(normal(value))
  }
  return { ...row, data }
}

const compact = (row: Row): Row => {
  const kept: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(row)) {
    if (name === 'data') kept[name] = compact(normal(value) as Row)
    else if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue
    else kept[name] = name === 'accounts' || name === 'tx_hashes' || name === 'ancestor_type' ? sorted(value) : value
  }
  return kept
}

const byId = (rows: readonly Row[]): Record<string, Row> =>
  Object.fromEntries(rows.map((row) => [`${row['type']} ${row['action_id']}`, row] as const).sort(([a], [b]) => (a < b ? -1 : 1)))

describe("what TON Center's classifier says of the recorded traces", () => {
  const expected = readPacked<Record<string, Golden>>('expected.json.gz')
  for (const [id, golden] of Object.entries(expected)) {
    it(`trace ${id} is told the same, field by field`, () => {
      const recorded = recordedTraces()[id]!
      const { actions, error } = classify(traceOf(id, recorded), factsOf(recorded))
      expect(error).toBeUndefined()
      expect(byId(actions.map(rowOf).map(compact))).toEqual(byId(golden.actions.map(goldenRow).map(compact)))
    })
  }
})
