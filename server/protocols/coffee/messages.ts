import { bodiesOf } from '../../decode/bodies.ts'

export const messages = `
internal 6bc79e7e coffee_mev_protect_hold_funds  query_id u64
internal ee51ce51 coffee_mev_protect_failed_swap  query_id u64, recipient address_int
internal 200f9086 coffee_cross_dex_resend  query_id u64, next_recipient address_int, next ^cell, total_gas coins, next_gas coins
internal b902e61a coffee_cross_dex_failure  query_id u64, recipient address_int
type CoffeeStakingAssetData - staking_asset_data  wallet address_int, amount coins
type CoffeeStakingPositionData - staking_position_data  user_points coins, additional_points coins, start_timestamp u64,
  end_timestamp u64, period_id u32
internal be5a7595 coffee_staking_init  query_id u64, owner address_int, jetton_data ^CoffeeStakingAssetData,
  position_data ^CoffeeStakingPositionData, periods ^cell
internal f9471134 coffee_staking_deposit  query_id u64, sender address_int, jetton_amount coins, from_user address_int, period_id u32
type CoffeeStakingWithdrawal2 - -  op u32, query_id u64, nft_index u64, owner address_int, points coins
type CoffeeStakingWithdrawal3 - -  op u32, query_id u64, jetton_wallet address_int, jetton_amount coins
internal 0a9577f0 coffee_staking_update_rewards  query_id u64, jetton_wallet address_int, jetton_amount coins, duration u64
type CoffeeStakingForwardData - staking_forward_data  gas coins, payload ^cell
internal b30c7310 coffee_staking_claim_rewards  query_id u64, jetton_wallet address_int, jetton_amount coins, receiver address_int,
  payload ?^CoffeeStakingForwardData
type CoffeeSwapStepParams - swap_step_params  pool_address_hash u256, min_output_amount coins, next ?^CoffeeSwapStepParams
type CoffeeNotificationDataSingle - notification_data_single  receiver address_int, fwd_gas coins, payload ^cell
type CoffeeNotificationData - notification_data  on_success ?^CoffeeNotificationDataSingle, on_failure ?^CoffeeNotificationDataSingle
type CoffeeSwapParams - swap_params  deadline u32, recipient address_int, referral address_int, notification_data ?^CoffeeNotificationData
internal c0ffee00 coffee_swap  query_id u64, amount coins, _ CoffeeSwapStepParams, params ^CoffeeSwapParams
internal c0ffee01 coffee_swap_extra  query_id u64, _ CoffeeSwapStepParams, params ^CoffeeSwapParams
type CoffeeAsset b00 native
type CoffeeAsset b01 jetton  chain u8, hash u256
type CoffeeAsset b10 extra  id u32
type CoffeeSwapStepInternalParams - swap_step_internal_params  previous_amount coins, previous_asset_hint ?CoffeeAsset,
  min_output_amount coins, next ?^CoffeeSwapStepParams
internal c0ffee20 coffee_swap_internal  query_id u64, _ CoffeeSwapStepInternalParams, params ^CoffeeSwapParams, proof ^cell
internal c0ffee32 coffee_payout  query_id u64
internal c0ffee21 coffee_payout_internal  query_id u64, recipient address_int, amount coins,
  notification_data ?^CoffeeNotificationDataSingle, proof ?^cell
internal c0ffee22 coffee_deploy  code ^cell, data ^cell, action ?^cell
type CoffeeAMM b000 constant_product
type CoffeeAMM b001 curve_fi_stable
type CoffeePoolParams - pool_params  first CoffeeAsset, second CoffeeAsset, amm CoffeeAMM, amm_settings ?^cell
type CoffeePublicPoolCreationParams - public_pool_creation_params  recipient address_int, use_recipient_on_failure i1,
  notification_data ?^cell
type CoffeePrivatePoolCreationParams - private_pool_creation_params  is_active u1, extra_settings ?^cell
type CoffeePoolCreationParams - pool_creation_params  public CoffeePublicPoolCreationParams, private CoffeePrivatePoolCreationParams
internal c0ffee02 coffee_create_pool  query_id u64, amount coins, params CoffeePoolParams, creation_params CoffeePoolCreationParams
internal c0ffee03 coffee_create_pool_extra  query_id u64, params CoffeePoolParams, creation_params CoffeePoolCreationParams
internal c0ffee23 coffee_create_pool_creator_request  query_id u64, amount coins, params CoffeePoolParams,
  creation_params ^CoffeePoolCreationParams, sender address_int, proof ^cell
internal c0ffee24 coffee_create_pool_creator_internal  query_id u64, asset CoffeeAsset, amount coins,
  creation_params ^CoffeePoolCreationParams
internal c0ffee25 coffee_create_pool_request  query_id u64, amount1 coins, amount2 coins, tx_initiator address_int,
  creation_params ^CoffeePoolCreationParams, proof ^cell
internal c0ffee26 coffee_create_pool_internal  query_id u64, amount1 coins, amount2 coins, tx_initiator address_int,
  recipient address_int, use_recipient_on_failure i1, extra_settings ?^cell, notification_data ?^CoffeeNotificationData
type CoffeeDepositLiquidityCondition b00 none
type CoffeeDepositLiquidityCondition b01 lp_quantity  min_lp_amount coins
type CoffeeDepositLiquidityCondition b10 reserves_ratio  denominator u16, min_nominator u16, max_nominator u16
type CoffeeDepositLiquidityCondition b11 complex  min_lp_amount coins, denominator u16, min_nominator u16, max_nominator u16
type CoffeeDepositLiquidityParamsTrimmed - deposit_liquidity_params_trimmed  recipient address_int, use_recipient_on_failure i1,
  referral address_int, deadline u32, condition CoffeeDepositLiquidityCondition, extra_settings ?^cell,
  notification_data ?^CoffeeNotificationData
type CoffeeDepositLiquidityParams - deposit_liquidity_params  params ^CoffeeDepositLiquidityParamsTrimmed, pool_params ^CoffeePoolParams
internal c0ffee04 coffee_deposit_liquidity  query_id u64, input_amount coins, params CoffeeDepositLiquidityParams
internal c0ffee05 coffee_deposit_liquidity_extra  query_id u64, params CoffeeDepositLiquidityParams
internal c0ffee27 coffee_create_liquidity_depository_request  query_id u64, amount coins, params CoffeeDepositLiquidityParams,
  sender address_int, proof ^cell
internal c0ffee28 coffee_create_liquidity_depository_internal  query_id u64, asset CoffeeAsset, amount coins,
  params ^CoffeeDepositLiquidityParamsTrimmed
internal c0ffee29 coffee_deposit_liquidity_internal  query_id u64, amount1 coins, amount2 coins, tx_initiator address_int,
  params ^CoffeeDepositLiquidityParamsTrimmed, proof ^cell
internal c0ffee06 coffee_create_vault  query_id u64, asset CoffeeAsset
internal c0ffee2a coffee_create_vault_internal  query_id u64
internal c0ffee07 coffee_withdraw_deposit  query_id u64
internal c0ffee36 coffee_notification  query_id u64, body ^cell
internal c0ffee40 coffee_update_admin  query_id u64, address address_int
internal c0ffee42 coffee_activate_vault  query_id u64, asset CoffeeAsset, wallet address_int
internal c0ffee2c coffee_activate_vault_internal  query_id u64, wallet address_int
internal c0ffee43 coffee_withdraw  query_id u64, pool_address address_int, asset CoffeeAsset, amount coins, receiver address_int
internal c0ffee2d coffee_withdraw_internal  query_id u64, asset CoffeeAsset, amount coins, receiver address_int
internal c0ffee44 coffee_update_code_cells  query_id u64, first ^cell, second ^cell
type CoffeeContractUpdate - contract_update  code ?^cell, data ?^cell
internal c0ffee45 coffee_update_contract  query_id u64, contract_address address_int, _ CoffeeContractUpdate
internal c0ffee2e coffee_update_contract_internal  query_id u64, excesses_receiver address_int, _ CoffeeContractUpdate
internal c0ffee46 coffee_update_withdrawer  query_id u64, address address_int
external 0a9577f0 coffee_staking_rewards_updated  query_id u64, jetton_wallet address_int, duration u64, finish_at u64, rewards_rate coins
external b30c7310 coffee_staking_rewards_claimed  query_id u64, jetton_wallet address_int, amount coins, receiver address_int
type CoffeePoolReserves - pool_reserves  input_reserve coins, output_reserve coins
external c0ffee30 coffee_swap_succeeded  query_id u64, input CoffeeAsset, input_amount coins, output_amount coins,
  reserves CoffeePoolReserves, protocol_fee coins
external c0ffee31 coffee_swap_failed  query_id u64, input CoffeeAsset, input_amount coins, reserves ?^CoffeePoolReserves
external c0ffee33 coffee_deposit_liquidity_succeeded  query_id u64, amount1 coins, amount2 coins, lp_amount coins,
  total_supply CoffeePoolReserves, reserves CoffeePoolReserves
external c0ffee34 coffee_deposit_liquidity_failed  query_id u64, amount1 coins, amount2 coins, min_lp_amount coins, total_supply coins,
  reserves CoffeePoolReserves
external c0ffee35 coffee_withdraw_liquidity_succeeded  query_id u64, amount1 coins, amount2 coins, lp_amount coins,
  total_supply CoffeePoolReserves, reserves CoffeePoolReserves
forward ee51ce51 coffee_mev_protect_failed_swap_forward_payload  query_id u64, recipient address_int
forward 4ee9b106 coffee_cross_dex_resend_forward_payload  next ^cell
forward b902e61a coffee_cross_dex_failure_forward_payload  query_id u64, recipient address_int
forward 0c0ffede coffee_staking_lock_forward_payload  period_id u32
forward c0ffee10 coffee_swap_forward_payload  _ CoffeeSwapStepParams, params ^CoffeeSwapParams
forward c0ffee11 coffee_create_pool_forward_payload  params CoffeePoolParams, creation_params CoffeePoolCreationParams
forward c0ffee12 coffee_deposit_liquidity_forward_payload  params CoffeeDepositLiquidityParams
forward c0ffee36 coffee_notification_forward_payload  query_id u64, body ^cell
`

export const { opcode, load, loadIf } = bodiesOf(messages)
