import type { Builder } from '../../../server/cell/builder.ts'
import { address, type Body, body, cell, note, noteShown, query, ref, someoneShown, uint } from '../../decode/hand-made.ts'

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

export const bodies: readonly Body[] = [
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
