import { describe, expect, it } from 'vitest'
import type { Action } from '../../server/actions/action.ts'
import { ALL_TYPES, classify, PROTOCOLS, showDetails } from '../../server/protocols/index.ts'
import { COMPOSED } from './composed.ts'
import { factsOf, recordedTraces, traceOf } from './recorded.ts'

/* Every type of action has a trace that shows it, and details. */

/** Nothing makes them: clients may ask for them (v3.md 5.2). */
const NEVER_MADE = ['change_wallet_key', 'gasless_request']
/** Types without details of their own. */
const WITHOUT_DETAILS = ['unknown', 'coffee_mev_protect_failed_swap']

/** Data that no matcher of the type sets: the name of a marketplace has several sources, and TON Center leaves the others empty as well. */
const NEVER_SET = [
  'auction_outbid marketplace_address',
  'jvault_stake minted_stake_jettons',
  'nft_cancel_auction marketplace',
  'nft_cancel_sale marketplace',
  'nft_finish_auction marketplace',
  'nft_purchase royalty_address',
  'nft_purchase royalty_amount',
  'nft_update_sale marketplace',
  'teleitem_cancel_auction marketplace',
]

const options = { isTestnet: false }

/** The actions of all recorded and hand-made traces. */
const everyAction = (): readonly Action[] => [
  ...Object.entries(recordedTraces()).flatMap(([id, recorded]) => classify(traceOf(id, recorded), factsOf(recorded)).actions),
  ...COMPOSED.flatMap(({ trace, facts }) => classify(trace, facts).actions),
]

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
    const seen = new Map(everyAction().map((action) => [action.type, action]))
    expect([...ALL_TYPES].filter((type) => !seen.has(type)).sort()).toEqual(NEVER_MADE)
    expect([...seen.keys()].filter((type) => !ALL_TYPES.has(type))).toEqual([])
    for (const [type, action] of seen) expect(showDetails(action, options) === undefined, type).toBe(WITHOUT_DETAILS.includes(type))
  })
  it('every datum that the details of a type name is set by the matchers of that type', () => {
    const wanted = new Set<string>()
    const set = new Set<string>()
    for (const { type, ...action } of everyAction()) {
      for (const name of Object.keys(action.data)) set.add(`${type} ${name}`)
      const data = new Proxy(action.data, {
        get: (target, name) => {
          wanted.add(`${type} ${String(name)}`)
          return Reflect.get(target, name)
        },
      })
      showDetails({ ...action, type, data }, options)
    }
    expect([...wanted].filter((name) => !set.has(name)).sort()).toEqual(NEVER_SET)
  })
  it('details of a deposit of liquidity name both assets', () => {
    const deposits = everyAction().filter(({ type, data }) => type === 'dex_deposit_liquidity' && data['asset2'] !== null)
    expect(deposits.length).toBeGreaterThan(0)
    for (const action of deposits) expect(showDetails(action, options)).toMatchObject({ asset_2: action.data['asset2'] })
  })
  it('a type of action has one record, in one protocol', () => {
    const types = PROTOCOLS.flatMap(({ actions = {} }) => Object.keys(actions))
    expect(types.filter((type, i) => types.indexOf(type) !== i)).toEqual([])
  })
})
