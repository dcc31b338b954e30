import { address, amounts, type Body, body, cell, coins, HEX, nothing, query, ref, someoneShown, uint } from '../../decode/hand-made.ts'

const native = { '@type': 'native' }

export const bodies: readonly Body[] = [
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
]
