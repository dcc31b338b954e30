/** Jettons (TEP-74, TEP-89, governed and stablecoin minters), NFTs (TEP-62, TEP-66) and SBTs (TEP-85). */
export const tokens = `
internal 0f8a7ea5 jetton_transfer  query_id u64, amount vu16, destination address, response_destination address, custom_payload ?^cell,
  forward_ton_amount vu16, forward_payload (cell | ^cell)
internal 178d4519 jetton_internal_transfer  query_id u64, amount vu16, from address, response_address address, forward_ton_amount vu16,
  forward_payload (cell | ^cell)
internal 178d4519 jetton_internal_transfer  query_id u64, amount vu16, from address, response_address address, forward_ton_amount vu16,
  forward_payload any
internal 595f07bc jetton_burn  query_id u64, amount vu16, response_destination address, custom_payload ?^cell
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
type JettonForceAction x595f07bc burn  query_id u64, amount vu16, response_destination address, custom_payload ?^cell
type JettonForceAction x0f8a7ea5 transfer  query_id u64, amount vu16, destination address, response_destination address,
  custom_payload ?^cell, forward_ton_amount vu16, forward_payload (cell | ^cell)
internal 5fcc3d14 nft_transfer  query_id u64, new_owner address, response_destination address, custom_payload ?^cell,
  forward_amount vu16, forward_payload (cell | ^cell)
internal 05138d91 nft_ownership_assigned  query_id u64, prev_owner address, forward_payload (cell | ^cell)
internal 2fcb26a2 get_static_data  query_id u64
internal 8b771735 report_static_data  query_id u64, index u256, collection address
internal 693d3950 get_royalty_params  query_id u64
internal a8cb00ad report_royalty_params  query_id u64, numerator u16, denominator u16, destination address
internal 04ded148 prove_ownership  query_id u64, dest address, forward_payload ^cell, with_content bool
internal 0524c7ae ownership_proof  query_id u64, item_id u256, owner address, data ^cell, revoked_at u64, content ?^cell
internal d0c3bfea sbt_request_owner  query_id u64, dest address, forward_payload ^cell, with_content bool
internal 0dd607e3 sbt_owner_info  query_id u64, item_id u256, initiator address, owner address, data ^cell, revoked_at u64, content ?^cell
internal 1f04537a sbt_destroy  query_id u64
internal 6f89f5e3 sbt_revoke  query_id u64
`
