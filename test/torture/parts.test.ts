import { describe, expect, it } from 'vitest'
import type { Line } from './line.ts'
import { type PartRecord, parsePart, roundsOf, rowsOfParts } from './parts.ts'

const line = (total: number, each?: Line['each']): Line => ({
  what: '',
  perScene: 1,
  quick: 0,
  total,
  ...(each && { each }),
  open: () => Promise.reject(new Error('not opened')),
})
const LINES = { kill: line(10), read: line(4, { count: 1_000, unit: 'mutants' }), none: line(3) }
const part = (of: Partial<PartRecord>): PartRecord => ({
  line: 'kill',
  part: { index: 1, count: 1 },
  passed: 10,
  failed: 0,
  left: 0,
  notes: [],
  commit: 'abcdef12',
  trees: 'a b c',
  seeds: [5, 14],
  seconds: 61,
  date: '2026-11-26 09:00',
  machine: '2 cores',
  ...of,
})

describe('parts of a line', () => {
  it('parts have all rounds together, each round once', () => {
    const parts = [1, 2, 3].map((index) => roundsOf(10, { index, count: 3 }))
    expect(parts).toEqual([
      { first: 0, rounds: 3 },
      { first: 3, rounds: 3 },
      { first: 6, rounds: 4 },
    ])
  })
  it('what is no part is refused', () => {
    expect(parsePart('2/4')).toEqual({ index: 2, count: 4 })
    for (const text of [undefined, '', '0/2', '3/2', '1', '1/2/3', 'a/b']) expect(() => parsePart(text)).toThrow('--part takes i/n')
  })
})

describe('the report', () => {
  it('the parts of each line are summed up, and what was not run is named', () => {
    const records = [
      part({ part: { index: 1, count: 2 }, passed: 5, seeds: [5, 9], notes: ['40 a second'] }),
      part({ part: { index: 2, count: 2 }, passed: 4, failed: 1, seeds: [10, 14] }),
      part({ line: 'read', part: { index: 2, count: 2 }, passed: 2 }),
    ]
    expect(rowsOfParts(LINES, records)).toEqual([
      ['kill', '10 rounds', '10', '1', '5 to 14', '2 + 2 min', '2 cores', '40 a second'],
      ['read', '2,000 mutants', '4,000 (parts 1 of 2 were not run)', '0', '5 to 14', '2 min', '2 cores', ''],
      ['none', 'not run', '3', '', '', '', '', ''],
    ])
  })
  it('parts of different trees, of changed ones and of different numbers are refused', () => {
    const refusal =
      (...records: readonly PartRecord[]) =>
      () =>
        rowsOfParts(LINES, records)
    expect(refusal(part({}), part({ line: 'read', trees: 'a b d', commit: '12abcdef' }))).toThrow(
      'the parts are of different trees of server, shared and client: kill of abcdef12, read of 12abcdef',
    )
    expect(refusal(part({ trees: 'a b c+' }))).toThrow('kill was run with changes that were not committed')
    expect(refusal(part({ part: { index: 1, count: 2 } }), part({ part: { index: 3, count: 3 } }))).toThrow(
      'kill was run in different numbers of parts',
    )
  })
})
