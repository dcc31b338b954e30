import type { Protocol } from '../../actions/protocol.ts'

/** Bidask v1 and v2: swaps and liquidity over ranges of bins, which are intervals of prices. */
const messages = `
internal f2ef6c1b bidask_swap  query_id u64, native_amount coins, to_address address, slippage (coins | u256), exact_out coins,
  ref_address address, additional_data ?^cell, reject_payload ?^cell, forward_payload ?^cell
internal 96feef7b bidask_provide  query_id u64, deposit_type u4, liquidity_dict dict 32 i32, reject_payload ?^cell, forward_payload ?^cell
internal 520e4831 bidask_swap_success  query_id u64, new_current_bin i32, new_sqrt_price u256, order bool, amount_x coins, amount_y coins,
  is_x bool, user_address address, ref_cell ?^cell, additional_data ?^cell, reject_payload ?^cell, forward_payload ?^cell
type BidaskAdditionalData - additional_data  from_address address, ref_address address
internal 1bba3896 bidask_swap_fallback_v2  query_id u64, first_range_bin i32, order bool, user_address address, is_x bool,
  amount_in coins, distributed_x_amount coins, distributed_y_amount coins, additional_data ?^BidaskAdditionalData, reject_payload ?^cell
internal 02422cbe bidask_provide_refund  query_id u64, first_range_bin i32, x_excess coins, y_excess coins, user_address address,
  reject_payload ?^cell, order bool
internal 42062d62 bidask_burn_payout  query_id u64, first_range_bin i32, amount_x coins, amount_y coins, user_address address,
  forward_payload ?^cell
internal 66210c65 bidask_internal_swap  query_id u64, to_address address, order bool, is_x bool, amount_in coins, amount_out coins,
  exact_out coins, slippage (coins | u256), ref_cell ?^cell, additional_data ?^cell, reject_payload ?^cell, forward_payload ?^cell
internal 59699475 bidask_internal_continue_swap  query_id u64, to_address address, order bool, is_x bool, amount_in coins,
  amount_out coins, exact_out coins, slippage (coins | u256), ref_cell ?^cell, additional_data ?^cell, reject_payload ?^cell,
  forward_payload ?^cell
type BidaskDexPayload - -  first_bin i32, liquidity_dict dict 32 i32, current_bin i32, remaining cell
internal d1b02ea5 bidask_internal_provide  query_id u64, ref_1 ?^cell, ref_2 ?^cell, ref_3 ?^cell, amount_x coins, amount_y coins,
  to_address address, dex_payload ^BidaskDexPayload
internal d1b02ea5 bidask_internal_provide  query_id u64, ref_1 ?^cell, ref_2 ?^cell, ref_3 ?^cell, amount_x coins, amount_y coins,
  to_address address, dex_payload any
internal 0c09445a bidask_internal_continue_provide  query_id u64, amount_x coins, amount_y coins, excess_x coins, excess_y coins,
  user_address address, first_bin i32, number_of_bins u32, liquidity_dict dict 32 i32, lp_tokens dict 32 i32, reject_payload ?^cell,
  forward_payload ?^cell, order bool
internal 214ad1d2 bidask_save_liquidity_info  query_id u64, amount_x coins, amount_y coins, deposit_type u3, liquidity_dict dict 32 i32,
  reject_payload ?^cell, forward_payload ?^cell
internal af31d23f bidask_adding_liquidity_notify  query_id u64, user_address address, amount_x coins, amount_y coins, deposit_type u3,
  liquidity_dict dict 32 i32, reject_payload ?^cell, forward_payload ?^cell
internal 16e09400 bidask_internal_burn  query_id u64, owner_address address, amount_x coins, amount_y coins, first_bin i32,
  tokens_to_burn dict 32 i32, forward_payload ?^cell
internal 250ad226 bidask_multitoken_mint  query_id u64, ref_1 ?^cell, ref_2 ?^cell, liquidity_dict dict 32 i32, number_of_bins u32,
  forward_payload ?^cell
internal 73403c43 bidask_burn  query_id u64, tokens_to_burn dict 32 i32, forward_payload ?^cell
internal ebd6ec83 bidask_burn_all  query_id u64, forward_payload ?^cell
internal 0dc8bb28 bidask_liquidity_added_notify  query_id u64, forward_payload ?^cell
internal 6edd65f0 bidask_native_transfer_notification  query_id u64, native_amount coins, forward_payload ?^cell
forward f2ef6c1b bidask_swap_forward_payload  to_address address, slippage (coins | u256), exact_out coins, ref_address address,
  additional_data ?^cell, reject_payload ?^cell, forward_payload ?^cell
forward 96feef7b bidask_provide_forward_payload  deposit_type u4, liquidity_dict dict 32 i32, reject_payload ?^cell,
  forward_payload ?^cell
forward 3ea0bafc bidask_provide_both_forward_payload  ton_amount coins, deposit_type u4, liquidity_dict dict 32 i32,
  reject_payload ?^cell, forward_payload ?^cell
type BidaskFarmingData - farming_data  distributed_x_amount coins, distributed_y_amount coins
internal 87d36990 bidask_internal_swap_v2  query_id u64, to_address address, order bool, is_x bool, amount_in coins, amount_out coins,
  exact_out coins, slippage (coins | u256), farming_cell ?^BidaskFarmingData, additional_data ?^BidaskAdditionalData,
  reject_payload ?^cell, forward_payload ?^cell
internal 87d36990 bidask_swap_v2  query_id u64, native_amount coins, to_address address, slippage (coins | u256), exact_out coins,
  additional_data ?^BidaskAdditionalData, reject_payload ?^cell, forward_payload ?^cell
forward 87d36990 bidask_swap_v2_forward_payload  to_address address, slippage (coins | u256), exact_out coins,
  additional_data ?^BidaskAdditionalData, reject_payload ?^cell, forward_payload ?^cell
internal d3a25890 bidask_swap_success_v2  query_id u64, new_current_bin i32, new_sqrt_price u256, order bool, amount_x coins,
  amount_y coins, is_x bool, user_address address, dynamic_fee u16, additional_data ?^BidaskAdditionalData, reject_payload ?^cell,
  forward_payload ?^cell
type BidaskSwapAdditionalData - swap_additional  previous_time u64, start_price u256, actual_fee u16, distributed_x_amount coins,
  distributed_y_amount coins
internal 5a6a036f bidask_internal_continue_swap_v2  query_id u64, to_address address, order bool, is_x bool, amount_in coins,
  amount_out coins, exact_out coins, slippage (coins | u256), swap_additional_data ?^BidaskSwapAdditionalData,
  additional_data ?^BidaskAdditionalData, reject_payload ?^cell, forward_payload ?^cell
internal 1bba3896 bidask_swap_fallback  query_id u64, first_range_bin i32, order bool, user_address address, is_x bool, amount_in coins,
  additional_data ?^cell, reject_payload ?^cell
`

export const bidask: Protocol = { messages }
