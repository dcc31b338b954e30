import { bodiesOf } from '../../decode/bodies.ts'

export const messages = `
internal 6e6f7465 wallet_plugin_installation_notification  query_id u64
internal 64737472 wallet_plugin_destruct  query_id u64
internal e4737472 wallet_plugin_destruct_response  query_id u64
internal 706c7567 payment_request  query_id u64, amount CurrencyCollection
internal f06c7567 payment_confirmed  query_id u64
internal 73756273 subscription_payment  rest any
internal 756e6b77 subscription_fallback  rest any
internal f71783cb subscription_deploy  query_id u64, first_charging_date u32, payment_per_period grams, period u32, grace_period u32,
  caller_fee grams, withdraw_address address_int, withdraw_msg_body ^cell, metadata ^cell
internal 508238ec subscription_reduce_payment  query_id u64, new_payment grams
`

export const { opcode } = bodiesOf(messages)
