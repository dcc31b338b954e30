import { bodiesOf } from '../../decode/bodies.ts'

/** STON.fi v1 and v2, and pTON, its wrapped Gram. */
export const messages = `
type StonfiSwapAddrs - swap_addresses  from_user address
internal 25938561 stonfi_swap  query_id u64, to_address address, sender_address address, jetton_amount vu16, min_out vu16,
  has_ref_address bool, addrs ^StonfiSwapAddrs
type StonfiPayToParams - pay_to_params  amount0_out vu16, token0_address address, amount1_out vu16, token1_address address
internal f93bb43f stonfi_payment_request  query_id u64, owner address, exit_code u32, params (StonfiPayToParams | ^StonfiPayToParams)
internal 01f3835d pton_ton_transfer  query_id u64, ton_amount coins, refund_address address, forward_payload (cell | ^cell)
internal ae25d79e pton_ton_refund  query_id u64
internal 29d22935 pton_reset_gas  query_id u64
internal 4f5f4313 pton_deploy_wallet  query_id u64, owner_address address, excesses_address address
internal 6540cf85 pton_internal_deploy  query_id u64, excesses_address address
type AdditionalFields - additional_fields  to_user_address address, refund_address address, excess_address address
internal 06ecd527 stonfi_cb_add_liquidity_v2  query_id u64, tot_am0 vu16, tot_am1 vu16, user_address address, min_lp_out vu16,
  fwd_amount coins, custom_payload_cs ?^cell, _ ^AdditionalFields
type ProvideLpBodyV2 - provide_lp_body_v2  min_lp_out vu16, to_address address, both_positive u1, fwd_amount coins, custom_payload ?^cell
type DexPayloadProvideLpV2 - dex_payload_provide_lp_v2  transferred_op u32, token_wallet1 address, refund_address address,
  excesses_address address, tx_deadline u64, _ ^ProvideLpBodyV2
internal 37c096df stonfi_provide_lp_v2  query_id u64, from_user address, left_amount vu16, right_amount vu16, _ ^DexPayloadProvideLpV2
type AdditionalFieldsAddLiquidityV2 - additional_fields_add_liquidity_v2  refund_address address, excess_address address
internal 50c6a654 stonfi_add_liquidity_v2  query_id u64, new_amount0 vu16, new_amount1 vu16, min_lp_out vu16, fwd_amount coins,
  both_positive u1, to_user address, custom_payload_cs ?^cell, _ ^AdditionalFieldsAddLiquidityV2
type AdditionalInfoPayToV2 - additional_info_pay_to_v2  fwd_ton_amount coins, amount0_out vu16, token0_address address, amount1_out vu16,
  token1_address address
internal 657b54f5 stonfi_pay_to_v2  query_id u64, to_address address, excesses_address address, original_caller address, exit_code u32,
  custom_payload ?^cell, _ ^AdditionalInfoPayToV2
type SwapBody - swap_body  min_out vu16, receiver address, fwd_gas coins, custom_payload ?^cell, refund_fwd_gas coins,
  refund_payload ?^cell, ref_fee u16, ref_address address
type DexPayload - dex_payload  transferred_op u32, token_wallet1 address, refund_address address, excesses_address address,
  tx_deadline u64, _ ^SwapBody
internal 6664de2a stonfi_swap_v2  query_id u64, from_user address, left_amount vu16, right_amount vu16, _ ^DexPayload
internal 354bcdf4 stonfi_withdraw_fee_v2  query_id u64
internal 0490f09b stonfi_deposit_ref_fee_v2  query_id u64, jetton_amount vu16, excesses_address address
internal 2100c922 stonfi_vault_pay_to_v2  query_id u64, amount_out vu16, token_address address, to_address address
type AdditionalInfoPayVaultV2 - additional_info_pay_vault_v2  amount0_out vu16, token0_address address, amount1_out vu16,
  token1_address address
internal 63381632 stonfi_pay_vault_v2  query_id u64, owner address, excesses_address address, _ ^AdditionalInfoPayVaultV2
internal 297437cf stonfi_burn_notification_ext_v2  query_id u64, jetton_amount vu16, from_address address, response_address address,
  maybe_custom_payload ?^cell
forward 25938561 stonfi_swap_forward_payload  token_wallet address, min_out vu16, to_address address, referral_address ?address
forward fcf9e58f stonfi_provide_liquidity_forward_payload  token_wallet address, min_lp_out vu16
forward c64370e5 stonfi_swap_ok_forward_payload
forward 45078540 stonfi_swap_ok_ref_forward_payload
type CrossSwapBody - cross_swap_body  min_out vu16, receiver address, fwd_gas coins, custom_payload ?^cell, refund_fwd_gas coins,
  refund_payload ?^cell, ref_fee u16, ref_address address
forward 6664de2a stonfi_swap_v2_forward_payload  token_wallet1 address, refund_address address, excesses_address address, tx_deadline u64,
  _ ^CrossSwapBody
type CrossProvideLpBody - cross_provide_lp_body  min_lp_out vu16, to_address address, both_positive u1, fwd_amount coins,
  custom_payload ?^cell
forward 37c096df stonfi_provide_lp_v2_forward_payload  token_wallet1 address, refund_address address, excesses_address address,
  tx_deadline u64, _ ^CrossProvideLpBody
`

export const { opcode, load, loadIf } = bodiesOf(messages)

/** Opcode of a payment of Gram through a proxy. Other exchanges use the same message. */
export const PROXY_PAYMENT = opcode('internal pton_ton_transfer')
