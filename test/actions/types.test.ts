import { describe, expect, it } from 'vitest'
import type { Action } from '../../server/actions/action.ts'
import { classify } from '../../server/protocols/index.ts'
import { showDetails } from '../../server/protocols/show/details.ts'
import { ALL_TYPES } from '../../server/protocols/show/supported-types.ts'
import { COMPOSED } from './composed.ts'
import { factsOf, recordedTraces, traceOf } from './recorded.ts'

/* Every type of action has a trace that shows it, and details. */

/** Nothing makes them: clients may ask for them (v3.md 5.2). */
const NEVER_MADE = ['change_wallet_key', 'gasless_request']
/** Types without details of their own. */
const WITHOUT_DETAILS = ['unknown', 'coffee_mev_protect_failed_swap']

const options = { isTestnet: false, marketplaceName: () => undefined }

describe('types of actions', () => {
  for (const [i, { type, trace, facts, columns, data, success }] of COMPOSED.entries()) {
    it(`a hand-made trace of ${type} is recognised (${i})`, () => {
      const { state, actions, error } = classify(trace, facts)
      expect(error).toBeUndefined()
      expect(state).toBe('ok')
      const found = actions.filter((action) => action.type === type)
      expect(found.length, actions.map((action) => action.type).join(' ')).toBe(1)
      expect(found[0]).toMatchObject({ ...columns, ...(data && { data }), success: success ?? true })
    })
  }

  it('every type of action has a hand-made trace', () => {
    const seen = new Map<string, Action>()
    const note = (actions: readonly Action[]): void => {
      for (const action of actions) seen.set(action.type, action)
    }
    for (const [id, recorded] of Object.entries(recordedTraces())) note(classify(traceOf(id, recorded), factsOf(recorded)).actions)
    for (const { trace, facts } of COMPOSED) note(classify(trace, facts).actions)
    expect([...ALL_TYPES].filter((type) => !seen.has(type)).sort()).toEqual(NEVER_MADE)
    expect([...seen.keys()].filter((type) => !ALL_TYPES.has(type))).toEqual([])
    for (const [type, action] of seen) expect(showDetails(action, options) === undefined, type).toBe(WITHOUT_DETAILS.includes(type))
  })
})
