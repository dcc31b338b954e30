import type { Protocol } from '../../actions/protocol.ts'

/** Storm Trade: positions and orders of v2, smart accounts with intents and oracles of v3. */
const messages = `
type StormUpdateMsg - update_msg  price coins, spread coins, timestamp u32, assetIndex u16, pause_at u32, unpause_at u32,
  vpi_spread coins, vpi_market_depth_long coins, vpi_market_depth_short coins, vpi_coefficient u64
type StormSignature b0 empty  continue !^StormSignature
type StormSignature b1 fulled  signature bits512, continue !^StormSignature
type StormSingleOraclePayload - without_settlement  update_msg ^StormUpdateMsg, signatures ^StormSignature
type StormLazerPayloadMagic x93c7d375 lazer_payload_magic
type StormLazerFeed - -  number_of_properties u8=2, price_property_id u8=0, price_property_value u64, exponent_property_id u8=4,
  exponent_property_value i16
type StormLazerPayload b0 single_lazer_payload  magic StormLazerPayloadMagic, timestamp u64, channel_id u8, number_of_feeds u8=1,
  index_feed_id u32, index_feed StormLazerFeed
type StormLazerPayload b1 double_lazer_payload  magic StormLazerPayloadMagic, timestamp u64, channel_id u8, number_of_feeds u8=2,
  index_feed_id u32, index_feed StormLazerFeed, settlement_feed_id u32, settlement_feed StormLazerFeed
type StormLazerMessage x9a99222a lazer_message  r u256, s u256, v u8, payload_length u16, payload StormLazerPayload
type StormOraclePayload x00 single_lazer_payload  price_oracle_payload ^StormSingleOraclePayload, lazer_message ?^StormLazerMessage
type StormDoubleOraclePayload - with_settlement  update_msg ^StormUpdateMsg, signatures ^StormSignature,
  settlement_update_msg ^StormUpdateMsg, settlement_signatures ^StormSignature
type StormOraclePayload x01 double_lazer_payload  price_oracle_payload ^StormDoubleOraclePayload, lazer_message ?^StormLazerMessage
type StormCreatedOraclePayload x00 created_price  update_msg ^StormUpdateMsg, signatures ^StormSignature
type StormCreatedOraclePayload x01 created_price_with_settlement  update_msg ^StormUpdateMsg, signatures ^StormSignature,
  settlement_update_msg ^StormUpdateMsg, settlement_signatures ^StormSignature
type StormOraclePayload x02 single_with_created  price_oracle_payload ^StormSingleOraclePayload,
  created_oracle_payload ^StormCreatedOraclePayload, lazer_message ?^StormLazerMessage, created_lazer_message ?^StormLazerMessage
type StormOraclePayload x03 double_with_created  price_oracle_payload ^StormDoubleOraclePayload,
  created_oracle_payload ^StormCreatedOraclePayload, lazer_message ?^StormLazerMessage, created_lazer_message ?^StormLazerMessage
internal 5b705138 storm_force_close_max_leverage  executor_index u32, oracle_payload ^StormOraclePayload
internal 5a8cf652 storm_force_close_min_margin  executor_index u32, oracle_payload ^StormOraclePayload
internal 0ef28735 storm_change_max_leverage  query_id u64, response_destination address_int, new_max_leverage u32
internal 28055719 storm_change_max_leverage_request  query_id u64, vamm_address address_int, new_max_leverage u32
type StormOracleType x0 storm
type StormOracleType x1 lazer
internal 04db6665 storm_change_lazer_data  query_id u64, response_destination address_int, oracle_flag StormOracleType,
  index_asset_pyth_id u32, settlement_asset_pyth_id u32
internal 174c830c storm_change_lazer_data_request  query_id u64, vamm_address address_int, oracle_flag StormOracleType,
  index_asset_pyth_id u32, settlement_asset_pyth_id u32
type StormDirection b0 long
type StormDirection b1 short
type StormPositionData - -  size i128, direction StormDirection, margin coins, open_notional coins, last_updated_cumulative_premium i64,
  fee u32, discount u32, rebate u32, last_updated_timestamp u32
type StormAmmStateLog - amm_state_log  quote_asset_reserve coins, quote_asset_weight coins, base_asset_reserve coins,
  total_long_position_size coins, total_short_position_size coins, open_interest_long coins, open_interest_short coins
internal 60dfc677 storm_update_position  direction StormDirection, origin_op u32, oracle_price coins, settlement_oracle_price coins,
  new_position_ref ^StormPositionData, amm_state_log ^StormAmmStateLog
type StormMarketDepth - market_depth  vpi_spread coins, vpi_market_depth_long coins, vpi_market_depth_short coins, vpi_coefficient u64
internal cf90d618 storm_complete_order  order_type u4, order_index u3, direction StormDirection, origin_op u32, oracle_price coins,
  settlement_oracle_price coins, new_position_ref ^StormPositionData, amm_state_log ^StormAmmStateLog,
  market_depth_log_ref ^StormMarketDepth
type StormNotificationReferralParams - referral_params  referral_amount coins, referral_addr address
type StormNotificationExecutorParams - executor_params  split_executor_reward u1, executor_amount coins, executor_index u32
internal 3475fdd2 storm_trade_notification  asset_id u16, free_amount i64, locked_amount i64, exchange_amount i64,
  withdraw_locked_amount u64, fee_to_stakers u64, withdraw_amount u64, trader_addr address_int, origin_addr address_int,
  referral_data ?^StormNotificationReferralParams, executor_params ?^StormNotificationExecutorParams
type StormUserOrder x0 stop_loss_order  expiration u32, direction StormDirection, amount coins, trigger_price coins
type StormUserOrder x1 take_profit_order  expiration u32, direction StormDirection, amount coins, trigger_price coins
type StormCreateOrder x2 limit_order  expiration u32, direction StormDirection, amount coins, leverage u64, limit_price coins,
  stop_price coins, stop_trigger_price coins, take_trigger_price coins
type StormCreateOrder x3 market_order  expiration u32, direction StormDirection, amount coins, leverage u64, limit_price coins,
  stop_price coins, stop_trigger_price coins, take_trigger_price coins
type StormUserOrder - -  order StormCreateOrder
type StormUserOrder x4 add_margin  direction StormDirection, amount coins
type StormUserOrder x5 remove_margin  direction StormDirection, amount coins
type StormExecuteSelector b0 execute_stop
type StormExecuteSelector b1 execute_take
type StormUserOrder x8 request_order  selector StormExecuteSelector, order StormCreateOrder
internal de1ddbcc storm_execute_order  direction StormDirection, order_index u3, trader_addr address_int, prev_addr address_int,
  ref_addr address, executor_index u32, order ^StormUserOrder, position ^StormPositionData, oracle_payload ^StormOraclePayload
internal 13076670 storm_provide_position  direction u1, gas_to_addr address, inner_opcode u32, executor_index u32,
  oracle_ref ^StormOraclePayload
internal 0302cd79 storm_deploy_ordinary_sa  query_id u64, user_public_keys dict 256 cell
type StormKeys - -  hot_public_key u256, cold_public_key u256, user_public_keys dict 256 cell, keys_count u8
type StormInitializationData - -  highload_timeout u24, keys ^StormKeys, version u8, new_code ^cell
internal 5b0dd9f4 storm_init_sa  query_id u64, init_data StormInitializationData
internal 220c4c19 storm_add_public_key  query_id u64, public_key u256
internal 76519f8b storm_remove_public_key  query_id u64, public_key u256
internal 644794b8 storm_remove_all_keys_except_current  query_id u64, public_key u256
type StormInitializationRequest b1 need_key_init  user_public_keys dict 256 cell
type StormInitializationRequest b0 no_key_init
internal 29bb3721 storm_deposit_native  query_id u64, amount coins, receiver_address address_int, init bool,
  key_init StormInitializationRequest
internal 76840119 storm_deposit_jetton  query_id u64, receiver_address address_int, init bool, key_init StormInitializationRequest
internal 5a89f5a2 storm_notify_with_deploy  query_id u64, amount coins, user_public_keys dict 256 cell, sender_address address_int,
  owner_address address_int, jetton_minter_address address_int
internal 18a092f7 storm_deposit_notify_with_deploy  query_id u64, vault_address address_int, amount coins, sender_address address_int,
  init_data StormInitializationData
internal 186b2edf storm_deposit_notify  query_id u64, amount coins, sender_address address_int, jetton_minter_address address_int
internal 5b27f9c5 storm_deposit_revert  query_id u64, amount coins, sender_address address, owner_address address_int
internal 6cde12e2 storm_unsuccessful_deposit  query_id u64
internal 6eec039d storm_withdraw_request_user  query_id u64, vault_address address_int, amount coins
internal 512cbd25 storm_withdraw_request  query_id u64, amount coins, owner_address address_int
internal 20d835c2 storm_withdraw_success  query_id u64
type StormAddressesData - -  trader_address address_int, smart_account_factory_address address_int, vault_address address
type StormReferrerData - -  referrer_address address_int, referrer_part u8
type StormReferralData - -  discount u32, rebate u32, ref_info dict 4 StormReferrerData
type StormUserQueryId - -  shift u13<=5999, bit_number u10<=1022
type StormUserIntentPayload - user_intent_payload  amm_address address_int, sa_address address_int, order ^StormUserOrder
type StormUserIntent - -  query_id StormUserQueryId, created_at u32, reference_query_id ?StormUserQueryId, public_key bits256,
  intent ^StormUserIntentPayload
type StormIntent b0 user_intent  signature bits512, intent ^StormUserIntent, oracle_payload ^StormOraclePayload, next_intent ?^StormIntent
type StormExecutorOrder x6 liquidate  direction StormDirection
type StormExecutorOrder x7 force_close  direction StormDirection
type StormExecutorOrder x9 force_close_max_leverage  direction StormDirection
type StormExecutorOrder xa force_close_min_margin  direction StormDirection
type StormExecutorIntent - -  amm_address address_int, sa_address address_int, order ^StormExecutorOrder
type StormIntent b1 executor_intent  intent ^StormExecutorIntent, oracle_payload ^StormOraclePayload, next_intent ?^StormIntent
internal 1bea50f1 storm_take_position_v2  query_id u64, bundle_sender_address address, amm_address address_int, direction StormDirection,
  spent_amount coins, addresses ^StormAddressesData, ref_count u4, ref_data if ref_count StormReferralData, position ^StormPositionData,
  intent ^StormIntent
type StormExecutorQueryId - -  shift u13>=6000, bit_number u10<=1022
type StormUpgradePayload - -  migrate_code ?^cell, new_code ?^cell
type StormSignedUpgradePayload - -  signature bits512, payload dict 8 StormUpgradePayload
type StormExternalMsgPayload - -  query_id StormExecutorQueryId, created_at u32, sa_address address_int, actual_version u8,
  upgrade_payload ?^StormSignedUpgradePayload, msg ?^MessageRelaxed
external 04c52fd2 storm_execute_orders_bundle  query_id u64, signature bits512, payload ^StormExternalMsgPayload
internal 5f40f1ec storm_execute_orders_bundle  query_id u64, signature bits512, payload ^StormExternalMsgPayload
type StormLogType x00 increase
type StormLogType x01 close
type StormLogType x02 add_margin
type StormLogType x03 remove_margin
type StormIntentLog - -  type StormLogType, size i128, margin coins, open_notional coins, last_updated_cpf i64, realized_pnl i64,
  funding_payment i64, rollover_fee u64, position_fee_rate u32, executor_fee_rate u32, position_fee_amount coins,
  executor_fee_amount coins, fee_to_stakers_percent u32
external 012e8f40 logs  log_dict dict 8 StormIntentLog
type StormNotificationPayload - -  bundle_sender_address address, balance_delta coins, amm_address address_int, direction StormDirection,
  position_data ?^StormPositionData
internal 28d36491 storm_trade_notification_v2  query_id u64, asset_id u16, free_amount i64, locked_amount i64, exchange_amount i64,
  withdraw_locked_amount u64, fee_to_stakers u64, executor_amount u64, total_referrer_amount u64, ref_count u4,
  referral_data dict 4 StormReferrerData, sa_address address_int, notification_payload ^StormNotificationPayload
internal 1ca43d2f storm_notify_update_position  query_id u64, jetton_minter_address address_int,
  notification_payload ^StormNotificationPayload
internal 4fedc82b storm_referral_fees  query_id u64, referral_sa_address address_int, amount coins, jetton_minter_address address_int,
  notification_payload ^StormNotificationPayload
internal 666392ee storm_failed_bundle_execution  query_id u64, asset_id u16, error_code u16, spent_amount coins, sa_address address_int,
  amm_address address_int, direction StormDirection, bundle_sender_address address, intent ^StormIntent
internal 367f2743 storm_fail_notification  query_id u64, spent_amount coins, jetton_minter_address address_int, amm_address address_int,
  direction StormDirection, bundle_sender_address address, intent ^StormIntent
type SignedChangeKeyPayload - -  query_id StormExecutorQueryId, created_at u32, sa_address address_int, new_hot_key u256
external 34d2e9f9 storm_change_hot_key  query_id u64, signature bits512, signed_payload ^SignedChangeKeyPayload
internal 0b9d20cc storm_change_cold_key_factory  query_id u64, new_cold_key u256
internal 1bd24ca6 storm_change_hot_key_factory  query_id u64, new_hot_key u256
internal 7a0bda1c storm_change_cold_key_request  query_id u64, sa_address address_int
internal 70246da6 storm_change_cold_key  query_id u64, response_destination address, new_cold_key u256
internal 0c6ca95e storm_update_sa_ordinary_code  query_id u64, version u8, new_code ^cell
type StormSignedSelfDepositNativePayload - -  external_query_id StormExecutorQueryId, created_at u32, sa_address address_int,
  query_id u64, amount coins, vault_address address_int
external 558e804a storm_self_deposit_native  query_id u64, signature bits512, signed_payload ^StormSignedSelfDepositNativePayload
type StormSignedSelfDepositJettonPayload - -  external_query_id StormExecutorQueryId, created_at u32, sa_address address_int,
  query_id u64, amount coins, vault_address address_int, _ ^[jetton_wallet_address address_int]
external 01d81ebc storm_self_deposit_jetton  query_id u64, signature bits512, signed_payload ^StormSignedSelfDepositJettonPayload
internal 5a091c43 storm_deposit_ton  query_id u64
internal 13559d58 storm_change_factory_content  query_id u64, new_content ^cell
internal 179d61f9 storm_change_factory_code  query_id u64, new_code ^cell
internal 3e56c929 storm_change_v3_state  query_id u64
`

export const storm: Protocol = { messages }
