import { describe, expect, it } from 'vitest'
import { classify } from '../../server/protocols/index.ts'
import { readJson } from '../kit/data.ts'
import { type Case, mismatches } from './compare.ts'
import { factsOf, type Recorded, recordedTraces, traceOf } from './recorded.ts'
import { rowOf } from './rows.ts'

const { cases } = readJson<{ cases: readonly Case[] }>('cases.json')

/** The first message of the first transaction without its body: nobody can say what the trace means. */
const withoutBody = (recorded: Recorded): Recorded => ({
  ...recorded,
  transactions: recorded.transactions.map((tx, i) => (i === 0 && tx.in !== undefined ? { ...tx, in: { ...tx.in, body: '' } } : tx)),
})

describe("TON Center's cases of recorded traces", () => {
  it('all 73 cases of TON Center are here', () => expect(cases.length).toBe(73))

  for (const { id, trace, expected_actions = [], expected_exact, mutations } of cases) {
    it(`${id} is classified as TON Center classifies it`, () => {
      const recorded = recordedTraces()[trace]!
      const { actions, state, error } = classify(traceOf(trace, mutations ? withoutBody(recorded) : recorded), factsOf(recorded))
      expect(error).toBeUndefined()
      expect(state).toBe('ok')
      const rows = actions.map(rowOf)
      if (expected_exact !== undefined) expect(rows.length).toBe(expected_exact.count)
      expect([...expected_actions, ...(expected_exact?.actions ?? [])].flatMap((expected) => mismatches(rows, expected))).toEqual([])
    })
  }
})
