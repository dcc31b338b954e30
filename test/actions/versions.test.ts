import { describe, expect, it } from 'vitest'
import type { Facts } from '../../server/actions/facts.ts'
import { isVisible } from '../../server/actions/supported-types.ts'
import { endSteps } from '../../server/base/yield.ts'
import { ALL_TYPES, classify, requiredFacts, supportedTypes } from '../../server/protocols/index.ts'
import { factsOf, recordedTraces, traceOf } from './recorded.ts'

describe('versions', () => {
  it('each version has as many types as in TON Center', () => {
    const counts = ['v1', 'v2', 'v3', 'v4', 'v5', 'latest'].map((name) => supportedTypes([name]).size)
    expect(counts).toEqual([23, 46, 63, 75, 79, 79])
    expect(supportedTypes([])).toEqual(supportedTypes(['latest']))
    expect(ALL_TYPES.size).toBe(86)
  })
  it('single types can be asked for, always with those of the first version', () => {
    expect(supportedTypes(['tgbtc_mint']).size).toBe(24)
    expect(supportedTypes(['no_such_type', 'constructor']).has('ton_transfer')).toBe(true)
  })
  it('clients that do not know an action get its parts, the others get the action itself', () => {
    const parent = { type: 'evaa_supply', ancestors: [] }
    const part = { type: 'jetton_transfer', ancestors: ['evaa_supply'] }
    for (const [version, sees] of [
      ['v1', [false, true]],
      ['v2', [true, false]],
    ] as const)
      expect([parent, part].map((action) => isVisible(action, supportedTypes([version])))).toEqual(sees)
  })
  it('every client gets something of every recorded trace', () => {
    for (const [id, recorded] of Object.entries(recordedTraces())) {
      const { actions } = classify(traceOf(id, recorded), factsOf(recorded))
      for (const version of ['v1', 'v2', 'v3', 'v4', 'v5', 'tgbtc']) {
        const supported = supportedTypes([version])
        // Clients of the first version know no `unknown`, and logs of tgBTC have no parts.
        const alone = actions.every(({ type }) => type === 'unknown' || type.startsWith('tgbtc'))
        if (!alone)
          expect(
            actions.some((action) => isVisible(action, supported)),
            `${id} ${version}`,
          ).toBe(true)
      }
    }
  })
})

it('the classifier asks for the facts that it needs', () => {
  for (const [id, recorded] of Object.entries(recordedTraces())) {
    const trace = traceOf(id, recorded)
    const known = factsOf(recorded)
    const { accounts, stakeWallets, pools } = endSteps(requiredFacts(trace))
    // What those accounts name is looked up too: items of auctions, pools of stake wallets and their wallets.
    const all = new Set([...accounts, ...pools])
    for (const address of accounts) {
      const item = known.get(address)?.nftAuction?.item
      if (item) all.add(item)
    }
    for (const wallet of stakeWallets) {
      all.add(wallet)
      const pool = known.get(wallet)?.jvaultStakeWallet?.pool
      const lock = known.get(pool ?? '')?.jvaultPool?.lockWallet
      for (const address of [pool, lock]) if (address) all.add(address)
    }
    const given: Facts = new Map([...known].filter(([address]) => all.has(address)))
    expect(classify(trace, given), id).toEqual(classify(trace, known))
  }
})
