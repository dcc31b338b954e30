import { address, amounts, type Body, body, coins, note, noteShown, query, ref, someoneShown, uint } from '../../decode/hand-made.ts'

export const bodies: readonly Body[] = [
  ['jetton_claim_admin', body(0xfb88e119, query), { query_id: '5' }],
  [
    'jetton_call_to',
    body(0x235caf52, query, address, amounts(9), ref(body(0xeed236d3, query, uint(3, 4)))),
    { query_id: '5', to_address: someoneShown, ton_amount: coins(9), master_msg: { '@type': 'set_status', query_id: '5', status: '3' } },
  ],
  ['jetton_upgrade', body(0x2508d66a, query, ref(note), ref(note)), { query_id: '5', new_data: noteShown, new_code: noteShown }],
  ['jetton_change_metadata', body(0xcb862902, query, (b) => b.storeSlice(note.slice())), { query_id: '5', metadata: noteShown }],
]
