import { tag } from '../../decode/notation.ts'
import { NOTIFICATION } from '../jettons/bodies.ts'

export const messages = `
internal 77a33521 megaton_wton_mint  query_id u64, amount coins
external ${tag(NOTIFICATION)} megaton_swap  account_addr address_int, in_token_addr address_int, in_amount coins, _ ^[out_token_addr address_int,
  out_amount coins]
type MegatonUpdateMiningParams - -  last_mined u256, last_index u256
external 56a8e920 megaton_update_mining_params  pool_addr address_int, last_mined u256, last_index u256, _ ^MegatonUpdateMiningParams
type MoonNextPayload - next_payload  recipient address, payload ?^cell
type MoonSwapParams - swap_params  min_out vu16, deadline u64, excess ?address, referral ?address, next_fulfill ?^MoonNextPayload,
  next_reject ?^MoonNextPayload
internal b37a900b moon_swap  query_id u64, amount vu16, swap_params MoonSwapParams
internal cb7f38d6 moon_swap_succeed  rest any
internal c47c1f57 moon_swap_failed  rest any
internal b31db781 moon_deposit_liquidity  query_id u64, min_lp_out vu16
internal 96aa1586 moon_boost_pool  query_id u64
type MoonOrderParams - order_data  rate u256, lock u2, vesting_time u64
internal da067c19 moon_create_order  query_id u64, asset2_id address, order_data MoonOrderParams
internal 983432e2 moon_deploy_order  query_id u64, order_fee u8, order_data MoonOrderParams, pipes ^cell
internal 99b49842 moon_fill_order  query_id u64, recipient address, recipient_payload ?^cell, reject_address address
internal 96612e37 moon_order_payout  query_id u64
internal b4fc3916 moon_vesting_payout  query_id u64
internal 1e8d79c4 moon_cancel_order  query_id u64
internal 49f48ee9 moon_order_cancelled  query_id u64
forward b37a900b moon_swap_forward_payload  swap_params MoonSwapParams
forward cb7f38d6 moon_swap_succeed_forward_payload  rest any
forward c47c1f57 moon_swap_failed_forward_payload  rest any
forward b31db781 moon_deposit_liquidity_forward_payload  min_lp_out vu16
forward 96aa1586 moon_boost_pool_forward_payload  rest any
forward da067c19 moon_create_order_forward_payload  asset1_id address, asset2_id address, order_data MoonOrderParams
forward 99b49842 moon_fill_order_forward_payload  recipient address, recipient_payload ?^cell, reject_address address
internal 600c00fd tegro_swap_ton  query_id u64, extract bool, max_in coins, min_out coins, destination address, error_destination address,
  ref ?^address
forward 287e167a tegro_add_liquidity_forward_payload  amount_a vu16, abount_b vu16
forward 01fb7a25 tegro_jetton_swap_forward_payload  extract bool, max_in vu16, min_out vu16, destination address,
  error_destination address, payload ?^cell
`
