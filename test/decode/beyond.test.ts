import { describe, expect, it } from 'vitest'
import type { Builder } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { opcodeName, showBody } from '../../server/protocols/index.ts'
import { address, amounts, body, cell, coins, HEX, note, noteShown, nothing, query, ref, someoneShown, uint, vu16 } from './hand-made.ts'

/* Bodies made by hand of constructors that no second decoder reads: what the fields are is written out here once more. */

const native = { '@type': 'native' }

const supplyWithdraw = (b: Builder) =>
  b
    .storeRef(cell(uint(7, 64)))
    .storeRef(cell(uint(8, 64), uint(9, 256), address))
    .storeRef(cell(uint(3, 2), uint(10, 64), ref(note)))
const supplyWithdrawShown = {
  '@type': 'supply_withdraw_master_params',
  supply_data: { '@type': 'sw_supply', supply_amount: { amount: '7' } },
  withdraw_data: {
    '@type': 'sw_withdraw',
    withdraw_amount: { amount: '8' },
    withdraw_asset_id: { asset_id: '9' },
    recipient_address_of_withdraw: someoneShown,
  },
  general_data: {
    '@type': 'sw_general',
    include_user_code: { '@type': 'bool_true' },
    ton_amount_for_repay_remainings: { amount: '10' },
    custom_response_payload: noteShown,
    swm_opt_rest: { '@type': 'empty_cell' },
  },
}

const cases: readonly (readonly [string, Cell, Record<string, unknown>])[] = [
  ['jetton_claim_admin', body(0xfb88e119, query), { query_id: '5' }],
  [
    'jetton_call_to',
    body(0x235caf52, query, address, amounts(9), ref(body(0xeed236d3, query, uint(3, 4)))),
    { query_id: '5', to_address: someoneShown, ton_amount: coins(9), master_msg: { '@type': 'set_status', query_id: '5', status: '3' } },
  ],
  ['jetton_upgrade', body(0x2508d66a, query, ref(note), ref(note)), { query_id: '5', new_data: noteShown, new_code: noteShown }],
  ['jetton_change_metadata', body(0xcb862902, query, (b) => b.storeSlice(note.slice())), { query_id: '5', metadata: noteShown }],
  [
    'deploy_storage_contract',
    body(
      0xe4748df1,
      query,
      ref(
        cell(uint(0x413e39ad, 32), uint(128, 32), uint(999, 64), uint(1, 256), uint(4, 64), uint(2, 256), uint(0, 1), (b) =>
          b.storeSlice(note.slice()),
        ),
      ),
      uint(6, 256),
      amounts(77),
      uint(3600, 32),
    ),
    {
      query_id: '5',
      info: {
        '@type': 'torrent_info',
        piece_size: '128',
        file_size: '999',
        root_hash: '1',
        header_size: '4',
        header_hash: '2',
        microchunk_hash: nothing,
        description: noteShown,
      },
      merkle_hash: `${'0'.repeat(63)}6`,
      expected_rate: coins(77),
      expected_max_span: '3600',
    },
  ],
  [
    'dedust_deposit',
    body(0xb544f4a4, address, amounts(1, 2, 3, 4, 5)),
    { sender_addr: someoneShown, amount0: coins(1), amount1: coins(2), reserve0: coins(3), reserve1: coins(4), liquidity: coins(5) },
  ],
  [
    'dedust_withdrawal',
    body(0x3aa870a6, address, amounts(1, 2, 3, 4, 5)),
    { sender_addr: someoneShown, liquidity: coins(1), amount0: coins(2), amount1: coins(3), reserve0: coins(4), reserve1: coins(5) },
  ],
  [
    'dedust_swap',
    body(
      0x9c610de3,
      uint(0, 4),
      uint(1, 4),
      uint(0, 8),
      uint(BigInt(`0x${HEX}`), 256),
      amounts(1, 2),
      ref(cell(address, address, amounts(3, 4))),
    ),
    {
      asset_in: native,
      asset_out: { '@type': 'jetton', workchain_id: '0', address: HEX },
      amount_in: coins(1),
      amount_out: coins(2),
      '': { sender_addr: someoneShown, referral_addr: someoneShown, reserve0: coins(3), reserve1: coins(4) },
    },
  ],
  ['dedust_provide_current_quote', body(0xad83913f, query, uint(0, 1)), { query_id: '5', custom_payload: nothing }],
  [
    'dedust_take_current_quote',
    body(0x0a420458, query, uint(3, 128), uint(4, 128), uint(0, 1)),
    { query_id: '5', quote_numerator: '3', quote_denominator: '4', custom_payload: nothing },
  ],
  ['tonco_account_refund_me', body(0x0bf3f447, query), { query_id: '5' }],
  ['coffee_staking_lock_forward_payload', body(0x0c0ffede, uint(2, 32)), { period_id: '2' }],
  ['evaa_supply_withdraw_master', body(0x00000004, query, supplyWithdraw), { query_id: '5', '': supplyWithdrawShown }],
  [
    'supply_withdraw_master_jetton',
    body(0x00000042, query, ref(cell(supplyWithdraw)), address, uint(12, 64), uint(0, 2)),
    {
      query_id: '5',
      evaa_operation_cell: supplyWithdrawShown,
      master_jw_address: someoneShown,
      jetton_amount: '12',
      initial_sender: { '@type': 'addr_none' },
    },
  ],
]

describe('constructors that TON Center does not dispatch', () => {
  it.each(cases)('the constructor %s, which TON Center does not dispatch, has its fields', (name, made, fields) => {
    expect(showBody(made)).toEqual({ shown: { '@type': name, ...fields } })
    const opcode = made.slice().loadUint(32)
    // Two tags are also those of constructors that come first.
    if (name !== 'supply_withdraw_master_jetton') expect(opcodeName(opcode)).toBe(name)
  })

  it('an amount keeps the length that it was written with', () => {
    const long = body(0x595f07bc, query, uint(2, 4), uint(7, 16), uint(0, 2), uint(0, 1))
    expect(showBody(long)).toMatchObject({ shown: { amount: { ...vu16(7), len: '2' } } })
  })
})
