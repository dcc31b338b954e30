import { bodiesOf } from '../../decode/bodies.ts'

/** Getgems: sales and auctions. */
export const messages = `
internal 6c6c2080 sale_update_message  query_id u64, new_full_price coins, new_mp_fee coins, new_royalty_amount coins
`

export const { opcode, load } = bodiesOf(messages)
