import { bodiesOf } from '../../decode/bodies.ts'

/**
 * EVAA lending: supply, withdraw, liquidate, supply with withdraw, administration; and Pyth, its price source. `EvaaUserMessage` is the beginning of a
 * message to a user's contract: a header precedes the opcode.
 */
export const messages = `
internal 107e0000 evaa_user_execute_action  extra any
internal 0000000f evaa_revert_call  query_id u64, owner_address address_int, revert_body ^cell
internal 00000001 pyth_update_guardian_set  _ ^[version u8, guardian_set_index u32, signatures_length u8, rest_signatures any]
type BoolExtended b11 bool_true
type BoolExtended b00 bool_false
type EvaaAmount - -  amount u64
internal 00000001 evaa_supply_master  query_id u64, include_user_code BoolExtended, supply_amount EvaaAmount,
  recipient_address address_int, forward_ton_amount EvaaAmount, custom_response_payload ^cell
type SupplyMasterOptional - sm_opt_data  subaccount_id i16, return_repay_remainings_flag BoolExtended,
  custom_payload_recipient address_int, custom_payload_saturation_flag BoolExtended
internal 00000001 evaa_supply_master  query_id u64, include_user_code BoolExtended, supply_amount EvaaAmount,
  recipient_address address_int, custom_response_payload ^cell, supply_master_optional SupplyMasterOptional
type EvaaAssetId - -  asset_id u256
type EvaaUserMessage - -  user_version coins, upgrade_info ?^cell, upgrade_exec u2, op u32, query_id u64, asset_id u256
type EvaaSupplyOrder - -  op u32, include_user_code u2, recipient address
type EvaaSbRate - -  sb_rate u64
type EvaaPrincipal - -  principal i64
type EvaaTrackingIndex - -  tracking_index u64
internal 00000011 evaa_supply_user  query_id u64, asset_id EvaaAssetId, supply_amount_current EvaaAmount, s_rate EvaaSbRate,
  b_rate EvaaSbRate, dust u64, max_token_amount u64, total_supply EvaaPrincipal, total_borrow EvaaPrincipal,
  tracking_supply_index EvaaTrackingIndex, tracking_borrow_index EvaaTrackingIndex, custom_response_payload ^cell, _ ^[subaccount_id i16,
  return_repay_remainings_flag BoolExtended, custom_payload_recipient address_int, custom_payload_saturation_flag BoolExtended,
  initial_sender address_int]
internal 00000011 evaa_supply_user  query_id u64, asset_id EvaaAssetId, supply_amount_current EvaaAmount, s_rate EvaaSbRate,
  b_rate EvaaSbRate, dust u64, max_token_amount u64, total_supply EvaaPrincipal, total_borrow EvaaPrincipal,
  tracking_supply_index EvaaTrackingIndex, tracking_borrow_index EvaaTrackingIndex, forward_ton_amount EvaaAmount,
  custom_response_payload ^cell
internal 0000011a evaa_supply_success  query_id u64, owner_address address_int, asset_id EvaaAssetId, amount_supplied EvaaAmount,
  user_new_principal EvaaPrincipal, repay_amount_principal EvaaPrincipal, supply_amount_principal EvaaPrincipal,
  custom_response_payload ^cell, subaccount_id i16, return_repay_remainings_flag BoolExtended, _ ^[custom_payload_recipient address],
  custom_payload_saturation_flag BoolExtended
internal 0000011a evaa_supply_success  query_id u64, owner_address address_int, asset_id EvaaAssetId, amount_supplied EvaaAmount,
  user_new_principal EvaaPrincipal, repay_amount_principal EvaaPrincipal, supply_amount_principal EvaaPrincipal,
  custom_response_payload ^cell
internal 0000011a evaa_supply_success  query_id u64, owner_address address_int, asset_id EvaaAssetId, amount_supplied EvaaAmount,
  user_new_principal EvaaPrincipal, repay_amount_principal EvaaPrincipal, custom_response_payload any
internal 0000011f evaa_supply_fail  query_id u64, owner_address address_int, asset_id EvaaAssetId, amount EvaaAmount,
  forward_ton_amount EvaaAmount, custom_response_payload ^cell, subaccount_id i16, return_repay_remainings_flag BoolExtended,
  _ ^[initial_sender address_int]
internal 0000011f evaa_supply_fail  query_id u64, owner_address address_int, asset_id EvaaAssetId, amount EvaaAmount,
  forward_ton_amount EvaaAmount, custom_response_payload ^cell
internal 000011ae evaa_supply_excess_with_data  query_id u64, custom_response_payload ^cell
internal 000011ae evaa_supply_excess  query_id u64
internal 00011ae1 evaa_supply_fail_with_data  query_id u64, custom_response_payload ^cell
type PriceAssets - price_assets  id u256, price coins, next_asset ?^PriceAssets
type PriceOraclesData - price_oracles_data  oracle_id u32, proof ^cell, signature bits512, next_oracles_data ?^PriceOraclesData
type PricesPacked - prices_packed  assets ^PriceAssets, oracles_data ^PriceOraclesData
internal 00000002 evaa_withdraw_master  query_id u64, asset_id EvaaAssetId, amount EvaaAmount, recipient_addr address_int,
  include_user_code BoolExtended, forward_ton_amount EvaaAmount, custom_response_payload ^cell, prices_with_signature_packed ^PricesPacked
type EvaaAddressHash - -  address_hash u256
type AssetConfigParams - -  collateral_factor u16, liquidation_threshold u16, liquidation_bonus u16, base_borrow_rate u64,
  borrow_rate_slope_low u64, borrow_rate_slope_high u64, supply_rate_slope_low u64, supply_rate_slope_high u64, target_utilization u64,
  origination_fee u64, dust_value u64, max_total_supply u64, reserve_factor u16, liquidation_reserve_factor u16,
  min_principal_for_rewards u64, base_tracking_supply_speed u64, base_tracking_borrow_speed u64
type AssetConfig - -  jw_address_hash EvaaAddressHash, decimals u8, params ^AssetConfigParams
type AssetConfigCollection - -  asset_configs dict 256 AssetConfig
type EvaaTimestamp - -  timestamp u32
type EvaaBalance - -  balance u64
type AssetDynamics - -  s_rate EvaaSbRate, b_rate EvaaSbRate, total_supply_principal EvaaPrincipal, total_borrow_principal EvaaPrincipal,
  last_accrual EvaaTimestamp, token_balance EvaaBalance, tracking_supply_index EvaaTrackingIndex, tracking_borrow_index EvaaTrackingIndex,
  awaited_supply EvaaBalance
type AssetDynamicsCollection - -  asset_dynamics dict 256 AssetDynamics
internal 00000021 evaa_withdraw_user  query_id u64, asset_id EvaaAssetId, withdraw_amount_current EvaaAmount, s_rate EvaaSbRate,
  b_rate EvaaSbRate, recipient_address address_int, _ ^[asset_config_collection AssetConfigCollection,
  asset_dynamics_collection AssetDynamicsCollection, prices_packed ^PricesPacked, forward_ton_amount EvaaAmount,
  custom_response_payload ^cell]
internal 00000211 evaa_withdraw_collateralized  query_id u64, owner_address address_int, asset_id EvaaAssetId,
  withdraw_amount_current EvaaAmount, user_new_principal EvaaPrincipal, borrow_amount_principal EvaaPrincipal,
  reclaim_amount_principal EvaaPrincipal, _ ^[recipient_address address_int, forward_ton_amount EvaaAmount, custom_response_payload ^cell]
internal 00000211 evaa_withdraw_collateralized  query_id u64, owner_address address_int, asset_id EvaaAssetId,
  withdraw_amount_current EvaaAmount, user_new_principal EvaaPrincipal, borrow_amount_principal EvaaPrincipal,
  reclaim_amount_principal_optional any
internal 0000211a evaa_withdraw_success  query_id u64, asset_id EvaaAssetId, principal_amount EvaaPrincipal,
  tracking_supply_index EvaaTrackingIndex, tracking_borrow_index EvaaTrackingIndex
internal 0000211a evaa_withdraw_success_excess_with_data  query_id u64, custom_response_payload ^cell
internal 0000211a evaa_withdraw_success_excess_with_data  query_id u64, custom_response_payload any
internal 0000211f evaa_withdraw_fail  query_id u64, asset_id EvaaAssetId, principal_amount EvaaPrincipal
internal 000021e6 evaa_withdraw_locked_excess  query_id u64
internal 000021e7 evaa_withdraw_not_collateralized_excess  query_id u64
internal 00211fe8 evaa_withdraw_no_funds_excess  query_id u64
internal 000021e8 evaa_withdraw_missing_prices_excess  query_id u64
internal 000021ec evaa_withdraw_execution_crashed  query_id u64
internal 00000003 evaa_liquidate_master  query_id u64, borrower_address address_int, liquidator_address address,
  collateral_asset_id EvaaAssetId, min_collateral_amount EvaaAmount, include_user_code BoolExtended, liquidate_incoming_amount EvaaAmount,
  _ ^[forward_ton_amount EvaaAmount, custom_response_payload ^cell], prices_with_signature_packed ^PricesPacked
internal 00000003 evaa_liquidate_master  query_id u64, borrower_address address_int, liquidator_address address,
  collateral_asset_id EvaaAssetId, min_collateral_amount EvaaAmount, include_user_code BoolExtended, liquidate_incoming_amount EvaaAmount,
  _ ^[forward_ton_amount EvaaAmount, custom_response_payload ^cell]
internal 00000031 evaa_liquidate_user  query_id u64, asset_config_collection AssetConfigCollection,
  asset_dynamics_collection AssetDynamicsCollection, _ ^[prices_packed ^PricesPacked, collateral_asset_id EvaaAssetId,
  min_collateral_amount EvaaAmount, liquidator_address address_int, transferred_asset_id EvaaAssetId, transfered_amount EvaaAmount,
  forward_ton_amount coins, custom_response_payload ^cell]
type LiquidationError x000031f0 user_withdraw_in_progress
type LiquidationError x000031f2 not_liquidatable
type LiquidationError x000031f7 liquidation_prices_missing
type LiquidationError x000031f3 min_collateral_not_satisfied  collateral_amount EvaaAmount
type LiquidationError x000031f4 user_not_enough_collateral  collateral_present EvaaAmount
type LiquidationError x000031f5 user_liquidating_too_much  max_not_too_much EvaaAmount
type LiquidationError x000031fe liqudation_execution_crashed
internal 0000031f evaa_liquidate_unsatisfied  query_id u64, owner_address address_int, liquidator_address address_int,
  transferred_asset_id EvaaAssetId, _ ^[transferred_amount EvaaAmount, collateral_asset_id EvaaAssetId, min_collateral_amount EvaaAmount,
  forward_ton_amount coins, custom_response_payload ^cell, error LiquidationError]
internal 00000311 evaa_liquidate_satisfied  query_id u64, owner_address address_int, liquidator_address address_int,
  transferred_asset_id EvaaAssetId, _ ^[delta_loan_principal EvaaPrincipal, liquidatable_amount EvaaAmount, protocol_gift EvaaAmount,
  new_user_loan_principal EvaaPrincipal, collateral_asset_id EvaaAssetId, delta_collateral_principal EvaaPrincipal,
  collateral_reward EvaaAmount, min_collateral_amount EvaaAmount, new_user_collateral_principal EvaaPrincipal, forward_ton_amount coins,
  custom_response_payload ^cell]
internal 0000311a evaa_liquidate_success  query_id u64, transferred_asset_id EvaaAssetId, delta_loan_principal EvaaPrincipal,
  loan_tracking_supply_index EvaaTrackingIndex, loan_tracking_borrow_index EvaaTrackingIndex, collateral_asset_id EvaaAssetId,
  delta_collateral_principal EvaaPrincipal, collateral_tracking_supply_index EvaaTrackingIndex,
  collateral_tracking_borrow_index EvaaTrackingIndex
internal 0000311f evaa_liquidate_fail  query_id u64, transferred_asset_id EvaaAssetId, delta_loan_principal EvaaPrincipal,
  collateral_asset_id EvaaAssetId, delta_collateral_principal EvaaPrincipal
internal 0000311d evaa_liquidate_success_report  transferred_asset_id EvaaAssetId, transferred_amount EvaaAmount,
  collateral_asset_id EvaaAssetId, collateral_reward EvaaAmount, custom_response_payload ^cell
type SWSupply - sw_supply  supply_amount EvaaAmount
type SWWithdraw - sw_withdraw  withdraw_amount EvaaAmount, withdraw_asset_id EvaaAssetId, recipient_address_of_withdraw address_int
type SWGeneral - sw_general  include_user_code BoolExtended, ton_amount_for_repay_remainings EvaaAmount, custom_response_payload ^cell,
  swm_opt_rest any
type SupplyWithdrawMasterParams - supply_withdraw_master_params  supply_data ^SWSupply, withdraw_data ^SWWithdraw, general_data ^SWGeneral
forward 00000004 evaa_supply_withdraw_master  query_id u64, _ SupplyWithdrawMasterParams
internal 00000401 evaa_supply_withdraw_master_without_prices  query_id u64, _ SupplyWithdrawMasterParams
type SWSupplyEmpty - sw_supply_empty
type SupplyWithdrawMasterJettonParams - supply_withdraw_master_jetton_params  supply_data ^SWSupplyEmpty, withdraw_data ^SWWithdraw,
  general_data ^SWGeneral
forward 00000401 evaa_supply_withdraw_master_without_prices  _ SupplyWithdrawMasterJettonParams
forward 00000042 evaa_supply_withdraw_master_jetton  _ SupplyWithdrawMasterJettonParams
forward 00000042 supply_withdraw_master_jetton  query_id u64, evaa_operation_cell ^SupplyWithdrawMasterParams,
  master_jw_address address_int, jetton_amount u64, initial_sender address
type SWSupplyUser - sw_supply_user  _ SWSupply, supply_asset_id EvaaAssetId
type SWWithdrawUser - sw_withdraw_user  _ SWWithdraw, prices_packed ^cell
type SupplyMasterWithdrawExtData - swm_ext_data  subaccount_id i16, return_repay_remainings_flag BoolExtended,
  custom_payload_saturation_flag BoolExtended
type SWGeneralUser - sw_general_user  ton_amount_for_repay_remainings EvaaAmount, custom_response_payload ^cell,
  _ SupplyMasterWithdrawExtData
type SupplyWithdrawUserParams - -  asset_config_collection AssetConfigCollection, asset_dynamics_collection AssetDynamicsCollection,
  _ SWGeneralUser
internal 00000041 evaa_supply_withdraw_user  query_id u64, supply_data ^SWSupplyUser, withdraw_data ^SWWithdrawUser,
  general_data ^SupplyWithdrawUserParams
type SupplyWithdrawSatisfiedSupplyData - -  owner_address address_int, _ SWSupplyUser, supply_new_principal EvaaPrincipal,
  repay_amount_principal EvaaPrincipal, supply_amount_principal EvaaPrincipal
type SupplyWithdrawSatisfiedWithdrawData - -  _ SWWithdraw, withdraw_new_principal EvaaPrincipal, borrow_amount_principal EvaaPrincipal,
  reclaim_amount_principal EvaaPrincipal
internal 00000411 evaa_supply_withdraw_satisfied  query_id u64, supply_data ^SupplyWithdrawSatisfiedSupplyData,
  withdraw_data ^SupplyWithdrawSatisfiedWithdrawData, general_data ^SWGeneralUser
type SupplyWithdrawUnsatisfiedSupplyData - -  owner_address address_int, _ SWSupplyUser
type SWWithdrawEmpty - sw_withdraw_empty
type SupplyWithdrawUnsatisfiedGeneralData - -  ton_amount_for_repay_remainings EvaaAmount, custom_response_payload ^cell,
  subaccount_id i16
internal 0000041f evaa_supply_withdraw_unsatisfied  query_id u64, supply_data ^SupplyWithdrawUnsatisfiedSupplyData,
  withdraw_data ^SWWithdrawEmpty, general_data ^SupplyWithdrawUnsatisfiedGeneralData
type SupplyWithdrawFailSupplyData - -  supply_asset_id EvaaAssetId, supply_principal_amount EvaaAmount
type SupplyWithdrawFailWithdrawData - -  withdraw_asset_id EvaaAssetId, withdraw_principal_amount EvaaAmount
type SupplyWithdrawFailGeneralData - -  subaccount_id i16
internal 0000411f evaa_supply_withdraw_fail  query_id u64, supply_data ^SupplyWithdrawFailSupplyData,
  withdraw_data ^SupplyWithdrawFailWithdrawData, general_data ^SupplyWithdrawFailGeneralData
type SupplyWithdrawSuccessSupplyData - -  supply_asset_id EvaaAssetId, supply_principal_amount EvaaAmount
type SupplyWithdrawSuccessWithdrawData - -  withdraw_asset_id EvaaAssetId, withdraw_principal_amount EvaaAmount
type SupplyWithdrawSuccessGeneralData - -  asset_config_collection AssetConfigCollection,
  asset_dynamics_collection AssetDynamicsCollection, subaccount_id i16
internal 0000411a evaa_supply_withdraw_success  query_id u64, supply_data ^SupplyWithdrawSuccessSupplyData,
  withdraw_data ^SupplyWithdrawSuccessWithdrawData, general_data ^SupplyWithdrawSuccessGeneralData
internal 00000008 evaa_idle_master  query_id u64, target_address address_int
internal 00000081 evaa_idle_user  query_id u64, tokens_keys ?^cell, originator_address address_int
internal 0000081e evaa_idle_excess  query_id u64
internal 0000d001 evaa_do_data_checks  query_id u64
internal 00000001 evaa_supply_master  query_id u64, include_user_code BoolExtended, supply_amount EvaaAmount,
  recipient_address address_int, custom_response_payload ^cell, supply_master_optional any
internal 00000005 pyth_parse_price_feed_updates  update_data ^cell, price_ids ^cell, min_publish_time u64, max_publish_time u64,
  target_address address, custom_payload ^cell
internal 00000006 pyth_parse_unique_price_feed_updates  update_data ^cell, price_ids ^cell, publish_time u64, max_staleness u64,
  target_address address, custom_payload ^cell
internal 00000006 pyth_parse_unique_price_feed_updates  number_of_price_feeds u8, price_feeds ^cell, sender_address address,
  custom_payload any
internal 00010001 pyth_response_success  result ^cell, original_custom_payload ^cell
internal 00010002 pyth_response_error  error_code u32, original_op_code u32, original_custom_payload ^cell
internal 00009998 evaa_get_store_request  query_id u64, body_data ^cell
type UpgradeConfig - upgrade_config  master_code_version coins, user_code_version coins, timeout u32, update_time u64, freeze_time u64,
  user_code ^cell, blank_code ^cell, new_master_code ?^cell, new_user_code ?^cell
type OraclesInfo - oracles_info  total_oracles u16, threshold u16, oracles ^cell
type MasterConfig - master_config  asset_config_collection AssetConfigCollection, if_active i8, admin address_int,
  oracles_info OraclesInfo, tokens_keys ?^cell, maybe_supervisor_address_cell any
type MasterStorage - storage  meta ^cell, upgrade_config ^UpgradeConfig, master_config ^MasterConfig,
  asset_dynamics_collection AssetDynamicsCollection
internal 00009999 evaa_get_store_response  query_id u64, body_data ^cell, storage MasterStorage
internal 00000a99 evaa_add_to_reserve  rest any
type InitMasterPackedData - -  new_asset_dynamics_collection ^AssetDynamicsCollection, tokens_keys ^cell
internal 000000a1 evaa_init_master  query_id u64, new_asset_config_collection ^AssetConfigCollection, packed_data ^InitMasterPackedData
internal 000000a2 evaa_claim_asset_reserves  query_id u64, target_address address_int, asset_id EvaaAssetId, amount_to_claim EvaaAmount
internal 000000e8 evaa_disable_contract_for_upgrade  query_id u64
internal 000000c1 evaa_init_upgrade  query_id u64, new_master_code ?^cell, new_user_code ?^cell
internal 000000c2 evaa_submit_upgrade  query_id u64
internal 000000c3 evaa_cancel_upgrade  query_id u64
internal 000000e4 evaa_update_config  query_id u64, new_meta ^cell, new_config ^MasterConfig
internal 00000a32 evaa_add_new_token  query_id u64, asset_key EvaaAssetId, new_asset_config ^AssetConfig,
  new_asset_dynamics ^AssetDynamics
internal 000000e1 evaa_force_enable  query_id u64
internal 000000e9 evaa_force_disable_contract  query_id u64
internal 00000d21 evaa_debug_principals_edit_user  query_id u64, new_principals dict 256 EvaaPrincipal
`

export const { opcode, load } = bodiesOf(messages)
