import { bodiesOf } from '../../decode/bodies.ts'
import { tag } from '../../decode/notation.ts'
import { JETTON_BURN, JETTON_TRANSFER } from '../../tlb/message/token-messages.ts'

/** Jettons: TEP-74, TEP-89, governed and stablecoin minters. */
export const messages = `
internal ${tag(JETTON_TRANSFER)} jetton_transfer  query_id u64, amount vu16, destination address, response_destination address, custom_payload ?^cell,
  forward_ton_amount vu16, forward_payload (cell | ^cell)
internal 178d4519 jetton_internal_transfer  query_id u64, amount vu16, from address, response_address address, forward_ton_amount vu16,
  forward_payload (cell | ^cell)
internal 178d4519 jetton_internal_transfer  query_id u64, amount vu16, from address, response_address address, forward_ton_amount vu16,
  forward_payload any
internal ${tag(JETTON_BURN)} jetton_burn  query_id u64, amount vu16, response_destination address, custom_payload ?^cell
internal 7bdd97de jetton_burn_notification  query_id u64, amount vu16, sender address, response_destination address
internal 7362d09c jetton_notify  query_id u64, amount vu16, sender address, forward_payload (cell | ^cell)
internal eed236d3 jetton_set_status  query_id u64, status u4
internal 642b7d07 jetton_mint  query_id u64, to_address address_int, ton_amount coins
internal 00000015 minter_jetton_mint  query_id u64, to_address address, ton_amount coins, master_msg ^cell
internal 6501f354 jetton_change_admin  query_id u64, new_admin_address address
internal fb88e119 jetton_claim_admin  query_id u64
internal 235caf52 jetton_call_to  query_id u64, to_address address_int, ton_amount coins, master_msg ^JettonForceAction
internal 2508d66a jetton_upgrade  query_id u64, new_data ^cell, new_code ^cell
internal cb862902 jetton_change_metadata  query_id u64, metadata cell
type JettonForceAction xeed236d3 set_status  query_id u64, status u4
type JettonForceAction x${tag(JETTON_BURN)} burn  query_id u64, amount vu16, response_destination address, custom_payload ?^cell
type JettonForceAction x${tag(JETTON_TRANSFER)} transfer  query_id u64, amount vu16, destination address, response_destination address,
  custom_payload ?^cell, forward_ton_amount vu16, forward_payload (cell | ^cell)
` as const

export const { opcode, load } = bodiesOf(messages)
