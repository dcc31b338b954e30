import { bodiesOf } from '../../decode/bodies.ts'

/** TONCO: pools, router, accounts and positions. A swap order names the wallet of a pool and contains the order for the next pool. */
export const messages = `
type ToncoSwapOrder - -  op u32, wallet address, price_limit u160, min_out coins, recipient address, next ?^cell
type ToncoSwapParams - -  amount vu16, sqrtPriceLimitX96 u160, minOutAmount vu16
type ToncoSwapPayloads - -  target_address address, ok_forward_amount vu16, ok_forward_payload ?^cell, ret_forward_amount vu16,
  ret_forward_payload ?^cell
internal a7fb58f8 tonco_pool_swap  query_id u64, owner_address address, source_wallet address, swap_params ^ToncoSwapParams,
  swap_payloads ^ToncoSwapPayloads
internal b2c1b6e3 tonco_pool_mint  query_id u64, owner_address address, amount0 vu16, amount1 vu16, enough0 vu16, enough1 vu16,
  liquidity u128, tick_lower i24, tick_upper i24
internal 81702ef8 tonco_pool_mint_and_refund  query_id u64, amount0_funded vu16, amount1_funded vu16, recipient address, liquidity u128,
  tick_lower i24, tick_upper i24
internal 530b5f2c tonco_pool_start_burn  query_id u64, burned_index u64, liquidity_to_burn u128, tick_lower i24, tick_upper i24
type ToncoOldFeeCell - -  fee_growth_inside_0_last_x128 u256, fee_growth_inside_1_last_x128 u256
type ToncoNewFeeCell - -  fee_growth_inside_0_current_x128 u256, fee_growth_inside_1_current_x128 u256
internal d73ac09d tonco_pool_burn  query_id u64, recipient address, burned_index u64, liquidity u128, tick_lower i24, tick_upper i24,
  liquidity_to_burn u128, old_fee_cell ^ToncoOldFeeCell, new_fee_cell ^ToncoNewFeeCell
internal 4468de77 tonco_pool_fund_account  query_id u64, owner_address address, amount0 vu16, amount1 vu16, enough0 vu16, enough1 vu16,
  liquidity u128, tick_lower i24, tick_upper i24
forward 4468de77 tonco_pool_fund_account_payload  other_jetton_wallet address, amount0 vu16, amount1 vu16, liquidity u128, tick_lower i24,
  tick_upper i24
type ToncoMinterCell - -  jetton0_minter address, jetton1_minter address
internal 441c39ed tonco_pool_init  query_id u64, from_admin bool, has_admin bool, admin_address address, has_controller bool,
  controller_address address, set_spacing bool, tick_spacing i24, set_price bool, initial_price_x96 u160, set_active bool,
  pool_active bool, protocol_fee u16, lp_fee_base u16, lp_fee_current u16, nftv3_content ^cell, nftv3item_content ^cell,
  minter_cell ?^ToncoMinterCell
type ToncoMinterControllerCell - -  jetton0_minter address, jetton1_minter address, controller_addr address
internal 2e3034ef tonco_router_create_pool  query_id u64, jetton_wallet0 address, jetton_wallet1 address, tick_spacing i24,
  initial_price_x96 u160, protocol_fee u16, lp_fee_base u16, lp_fee_current u16, nftv3_content ^cell, nftv3item_content ^cell,
  minter_cell ^ToncoMinterControllerCell
type ToncoOldFeeCellFull - -  fee_growth_inside_0_last_x128 u256, fee_growth_inside_1_last_x128 u256, nft_index u64, jetton0_amount vu16,
  jetton1_amount vu16, tick i24
internal d5ecca2a tonco_position_nft_init  query_id u64, user_address address, liquidity u128, tick_lower i24, tick_upper i24,
  old_fee_cell ^ToncoOldFeeCellFull
internal 46ca335a tonco_position_nft_burn  query_id u64, nft_owner address, liquidity_to_burn u128, tick_lower i24, tick_upper i24,
  old_fee_cell ^ToncoOldFeeCell
internal 3ebe5431 tonco_account_add_liquidity  query_id u64, new_amount0 vu16, new_amount1 vu16, new_enough0 vu16, new_enough1 vu16,
  liquidity u128, tick_lower i24, tick_upper i24
internal b1b0b7e2 tonco_pool_lock  query_id u64
internal 4e737e4d tonco_pool_unlock  query_id u64
internal 6bdcbeb8 tonco_pool_set_fee  query_id u64, protocol_fee u16, lp_fee_base u16, lp_fee_current u16
internal 0bf3f447 tonco_account_refund_me  query_id u64
internal 42a0fb43 tonco_reset_gas  query_id u64
type ToncoPayloadCell - -  payload_amount0 vu16, payload_0 ?^cell, payload_amount1 vu16, payload_1 ?^cell
type ToncoCoinsInfoCellFull - -  amount0 vu16, jetton0_address address, amount1 vu16, jetton1_address address,
  payload_cell ^ToncoPayloadCell
type ToncoIndexerSwapInfoCell - -  liquidity u128, price_sqrt u160, tick i24, fee_growth_global_0x128 i256, fee_growth_global_1x128 i256
internal a1daa96d tonco_router_pay_to_normal  query_id u64, reciever0 address, reciever1 address, exit_code u32, seqno u64,
  coinsinfo_cell ?^ToncoCoinsInfoCellFull, indexer_swap_info_cell ?^ToncoIndexerSwapInfoCell
type ToncoCoinsInfoCell - -  amount0 vu16, jetton0_address address, amount1 vu16, jetton1_address address
type ToncoIndexerBurnInfoCell - -  nft_index u64, liquidity_burned u128, tick_lower i24, tick_upper i24, tick_burn i24
internal a1daa96d tonco_router_pay_to_exit_code_201  query_id u64, reciever0 address, reciever1 address, exit_code u32, seqno u64,
  coinsinfo_cell ?^ToncoCoinsInfoCell, indexer_burn_info_cell ?^ToncoIndexerBurnInfoCell
`

export const { opcode, load, loadIf } = bodiesOf(messages)
