import { bodiesOf } from '../../decode/bodies.ts'

export const messages = `
internal a7733acd vesting_send_message  query_id u64, send_mode u8, message ^MessageRelaxed
internal f7733acd vesting_send_message_response  query_id u64
internal 7258a69b vesting_add_white_list  query_id u64, addresses_ref_snake any
internal f258a69b vesting_add_white_list_response  query_id u64
`

export const { opcode } = bodiesOf(messages)
