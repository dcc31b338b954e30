import { describe, expect, it } from 'vitest'
import type { Cell } from '../../server/cell/cell.ts'
import { rows, showBody } from '../../server/protocols/index.ts'
import { address, amounts, body, cell, coins, note, noteShown, nothing, query, ref, someoneShown, uint, vu16 } from './hand-made.ts'
import { vectors } from './vectors.ts'

/* Constructors with a tag of their own that stand within other bodies. Those that no vector of the second decoder has are made by hand here. */

const amount = (value: number) => uint(value, 64)
const seqnoAndTime = { seqno: '7', valid_until: '99' }
const zeros = (bytes: number): string => '00'.repeat(bytes)

/** tonkeeper_2fa_signed with this payload. */
const signed2fa = (...payload: Parameters<typeof cell>): Cell =>
  body(0x53684037, ref(cell(uint(1, 64), uint(0, 256), uint(0, 512))), ref(cell(uint(0, 512))), ...payload, uint(0, 512))
const shown2fa = (payload: object) => ({
  '@type': 'tonkeeper_2fa_signed',
  ref_with_certificate: {
    '@type': 'certificate',
    data: { '@type': 'certificate_data', valid_until: '1', pubkey: zeros(32) },
    signature: zeros(64),
  },
  ref_seed_signature: { seed_signature: zeros(64) },
  payload,
  certificate_signature: zeros(64),
})

/** jetton_call_to with this order to the wallet. */
const callTo = (order: Cell): Cell => body(0x235caf52, query, address, amounts(9), ref(order))
const shownCall = (order: object) => ({
  '@type': 'jetton_call_to',
  ...{ query_id: '5', to_address: someoneShown, ton_amount: coins(9), master_msg: order },
})

/** evaa_liquidate_unsatisfied for this reason. */
const unsatisfied = (tag: number, ...fields: Parameters<typeof cell>): Cell =>
  body(
    0x0000031f,
    ...[query, address, address, uint(1, 256)],
    ref(cell(amount(2), uint(3, 256), amount(4), amounts(5), ref(note), uint(tag, 32), ...fields)),
  )
const shownUnsatisfied = (error: object) => ({
  '@type': 'evaa_liquidate_unsatisfied',
  ...{ query_id: '5', owner_address: someoneShown, liquidator_address: someoneShown, transferred_asset_id: { asset_id: '1' } },
  '': {
    ...{ transferred_amount: { amount: '2' }, collateral_asset_id: { asset_id: '3' }, min_collateral_amount: { amount: '4' } },
    ...{ forward_ton_amount: coins(5), custom_response_payload: noteShown, error },
  },
})

/** highload_v3_internal_request with this one action. */
const request = (...action: Parameters<typeof cell>): Cell => body(0xae42e5a4, query, ref(cell(ref(cell()), ...action)))
const shownRequest = (action: object) => ({
  '@type': 'highload_v3_internal_request',
  ...{ query_id: '5', actions: { '@type': 'out_list', prev: { '@type': 'out_list_empty' }, action } },
})

const CASES: readonly (readonly [string, Cell, object])[] = [
  ['set_status', callTo(body(0xeed236d3, query, uint(3, 4))), shownCall({ '@type': 'set_status', query_id: '5', status: '3' })],
  [
    'burn',
    callTo(body(0x595f07bc, query, amounts(8), address, uint(1, 1), ref(note))),
    shownCall({
      '@type': 'burn',
      ...{ query_id: '5', amount: vu16(8), response_destination: someoneShown },
      custom_payload: { '@type': 'something_from_maybe', value: noteShown },
    }),
  ],
  [
    'transfer',
    callTo(body(0x0f8a7ea5, query, amounts(8), address, address, uint(0, 1), amounts(1), uint(1, 1), ref(note))),
    shownCall({
      '@type': 'transfer',
      ...{ query_id: '5', amount: vu16(8), destination: someoneShown, response_destination: someoneShown, custom_payload: nothing },
      ...{ forward_ton_amount: vu16(1), forward_payload: { '@type': 'second_from_either', value: noteShown } },
    }),
  ],
  [
    'remove_extension',
    signed2fa(uint(0x9d8084d6, 32), uint(7, 32), uint(99, 64)),
    shown2fa({ '@type': 'remove_extension', ...seqnoAndTime }),
  ],
  [
    'delegation',
    signed2fa(uint(0x23d9c15c, 32), uint(7, 32), uint(99, 64), ref(note), amounts(6)),
    shown2fa({ '@type': 'delegation', ...seqnoAndTime, new_state_init: noteShown, forward_amount: coins(6) }),
  ],
  [
    'cancel_delegation',
    signed2fa(uint(0xde82b501, 32), uint(7, 32), uint(99, 64)),
    shown2fa({ '@type': 'cancel_delegation', ...seqnoAndTime }),
  ],
  ['not_liquidatable', unsatisfied(0x31f2), shownUnsatisfied({ '@type': 'not_liquidatable' })],
  ['liquidation_prices_missing', unsatisfied(0x31f7), shownUnsatisfied({ '@type': 'liquidation_prices_missing' })],
  [
    'min_collateral_not_satisfied',
    unsatisfied(0x31f3, amount(11)),
    shownUnsatisfied({ '@type': 'min_collateral_not_satisfied', collateral_amount: { amount: '11' } }),
  ],
  [
    'user_not_enough_collateral',
    unsatisfied(0x31f4, amount(12)),
    shownUnsatisfied({ '@type': 'user_not_enough_collateral', collateral_present: { amount: '12' } }),
  ],
  [
    'user_liquidating_too_much',
    unsatisfied(0x31f5, amount(13)),
    shownUnsatisfied({ '@type': 'user_liquidating_too_much', max_not_too_much: { amount: '13' } }),
  ],
  ['liqudation_execution_crashed', unsatisfied(0x31fe), shownUnsatisfied({ '@type': 'liqudation_execution_crashed' })],
  [
    'action_reserve_currency',
    request(uint(0x36e6b809, 32), uint(2, 8), amounts(10), uint(0, 1)),
    shownRequest({
      '@type': 'action_reserve_currency',
      mode: '2',
      currency: {
        '@type': 'currencies',
        grams: { '@type': 'nanograms', amount: vu16(10) },
        other: { '@type': 'extra_currencies', dict: { '@type': 'hashmap_empty' } },
      },
    }),
  ],
  [
    'action_change_library',
    request(uint(0x26fa1dd4, 32), uint(1, 7), uint(0, 1), uint(0, 256)),
    shownRequest({ '@type': 'action_change_library', mode: '1', libref: { '@type': 'libref_hash', lib_hash: zeros(32) } }),
  ],
]

/** Made by hand in test/protocols/NAME/bodies.ts. */
const ELSEWHERE = ['torrent_info']

/** The names of all constructors within a decoded body. */
function* typesWithin(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === '@type' && typeof inner === 'string') yield inner
    else yield* typesWithin(inner)
  }
}

describe('constructors within bodies', () => {
  it.each(CASES)('the constructor %s is decoded within the body that holds it', (_, made, shown) => {
    expect(showBody(made)).toEqual({ shown })
  })

  it('the catalogue has at least the 583 constructors of the schema that have a 32-bit tag, and those within bodies all have a vector', () => {
    const tagged = rows.filter(({ tagBits }) => tagBits === 32)
    expect(tagged.length).toBeGreaterThanOrEqual(583)
    const seen = new Set([...vectors('constructors'), ...vectors('traces')].flatMap(({ decoded }) => [...typesWithin(decoded)]))
    const within = tagged.filter(({ kind }) => typeof kind !== 'string').map(({ name }) => name)
    expect(within.length).toBeGreaterThan(20)
    const byHand = [...CASES.map(([name]) => name), ...ELSEWHERE]
    expect(within.filter((name) => !seen.has(name) && !byHand.includes(name))).toEqual([])
  })
})
