import { bodiesOf } from '../../decode/bodies.ts'

/**
 * DeDust v2: factory, vaults, pools, liquidity deposits, operators, quote providers, and the events that pools emit. The bodies of pools with positions
 * are described as types (DedustV2...): code can read them, but answers do not show them decoded.
 */
export const messages = `
type DedustV2Payout - -  op u32, query_id u64, amount coins, exit_code i32
type DedustV2PayNative - -  op u32, query_id u64, amount coins, payload ^cell
type DedustV2PayJetton - -  op u32, payload ^cell
type DedustV2Credit - -  op u32, query_id u64, is_x bool, amount coins
type DedustV2Join - -  op u32, query_id u64, amount_x coins, amount_y coins, initiator address
type DedustV2DepositEvent - -  op u32, amount_x coins, amount_y coins, liquidity coins
type DedustV2Deposit - -  op u32, target_x coins, target_y coins
type DedustV2Leg - -  min_out coins, deadline u40, next ?^DedustV2SwapStep
type DedustV2SwapStep - -  pool address, _ DedustV2Leg
type DedustV2Swap - -  op u32, _ DedustV2Leg
type DedustV2SwapEvent - -  op u32, x_to_y bool, amount_in coins, amount_out coins
type DedustV2Withdraw - -  op u32, query_id u64, liquidity coins, min_x coins, min_y coins, auto_claim_fees bool
type DedustV2WithdrawalEvent - -  op u32, liquidity coins
type DedustV2Fees - -  op u32, query_id u64, x_fees coins, y_fees coins
type DedustV2Reward - -  op u32, query_id u64, amount coins
internal ca61554e dedust_transfer_ownership  query_id u64, new_owner_addr address
internal dee60404 dedust_accept_ownership  query_id u64
internal 16cb7fc2 dedust_cancel_ownership_transfer  query_id u64
type DedustAssetType - -  asset_type u4
type DedustVersion - -  version u16
internal bc3f26f6 dedust_install_vault_code  query_id u64, asset_type DedustAssetType, code_version DedustVersion, code ^cell
type DedustAsset b0000 native
type DedustAsset b0001 jetton  workchain_id i8, address bits256
type DedustPoolData - -  _ ^[factory address, version u8, is_stable bool, asset0 DedustAsset, asset1 DedustAsset]
internal 21cfe02b dedust_create_vault  query_id u64, asset DedustAsset
internal c9a5752d dedust_create_legacy_jetton_vault  query_id u64, minter_addr address_int, resolver_addr address_int
internal 25d66911 dedust_upgrade_vault  query_id u64, asset DedustAsset
internal df4a27aa dedust_upgrade  query_id u64, code_version DedustVersion, code ^cell
internal 9f3f0937 dedust_reset_gas  query_id u64
type DedustRole x01 code_installer
type DedustRole x02 code_updater
type DedustRole x03 fee_collector
type DedustRole x04 fee_configurator
type DedustRole x05 stable_pool_factory
type DedustRole x06 legacy_vault_factory
type DedustRole x07 quote_synchronizer
type DedustRole x08 quote_configurator
internal b9d29997 dedust_deploy_operator  query_id u64, role DedustRole, user_addr address_int
internal 1be6df93 dedust_change_operator_user_addr  query_id u64, role DedustRole, user_addr address_int
internal e505d21a dedust_install_operator_code  query_id u64, code_version DedustVersion, code ^cell
internal 0085f5a3 dedust_upgrade_operator  query_id u64, role DedustRole
internal a3e45df1 dedust_install_pool_code  query_id u64, code_version DedustVersion, code ^cell
internal 97d51f2f dedust_create_volatile_pool  query_id u64, asset0 DedustAsset, asset1 DedustAsset
internal 7c40ac87 dedust_create_stable_pool  query_id u64, asset0 DedustAsset, asset0_decimals u8, asset1 DedustAsset, asset1_decimals u8
type DedustPoolParams - pool_params  is_stable bool, asset0 DedustAsset, asset1 DedustAsset
internal 53e252ae dedust_upgrade_pool  query_id u64, pool_params DedustPoolParams
internal 817462a9 dedust_sync_fee_collector_addr  query_id u64, pool_addr address_int
internal a805f43e dedust_configure_pool_asset_quote_provider  query_id u64, pool_addr address_int, asset DedustAsset,
  quote_provider_addr address
internal 59317e9a dedust_sync_pool_asset_quote  query_id u64, pool_addr address_int, asset DedustAsset
internal 99a84311 dedust_install_liquidity_deposit_code  query_id u64, code_version DedustVersion, code ^cell
type DedustContractType x01 vault
type DedustContractType x02 pool
type DedustContractType x03 liquidity_deposit
type DedustContractType x04 operator
type DedustVaultProofOf - proof  factory_addr address_int, contract_type DedustContractType, params DedustAsset
type DedustVaultProof - -  proof DedustVaultProofOf
internal f04ec526 dedust_create_liquidity_deposit  query_id u64, proof ^DedustVaultProof, owner_addr address_int,
  pool_params DedustPoolParams, _ ^[asset0_target_balance coins, asset1_target_balance coins, deposit_asset DedustAsset,
  deposit_amount coins, min_lp_amount coins], fulfill_payload ?^cell, reject_payload ?^cell
internal 8a518d0d dedust_destroy_non_ready_vault  query_id u64, asset DedustAsset
internal 9b3aa3fa dedust_install  query_id u64, blank_code ^cell, code_version DedustVersion, code ^cell, extra_params cell
type DedustLiquidityDepositProofOf - proof  factory_addr address_int, contract_type DedustContractType, params @^[owner_addr address_int,
  pool_params DedustPoolParams]
type DedustLiquidityDepositProof - -  proof DedustLiquidityDepositProofOf
internal 6b0b787f dedust_pay_out_from_deposit  query_id u64, proof ^DedustLiquidityDepositProof, amount coins, payload ?^cell
type DedustPoolProofOf - proof  factory_addr address_int, contract_type DedustContractType, params DedustPoolParams
type DedustPoolProof - -  proof DedustPoolProofOf
internal ad4eb6f5 dedust_pay_out_from_pool  query_id u64, proof ^DedustPoolProof, amount coins, recipient_addr address, payload ?^cell
internal e93405b9 dedust_provide_vault_state  query_id u64
internal a913dc0d dedust_take_vault_state  query_id u64, is_ready bool
type DedustDepositLiquidityParams - -  min_lp_amount coins, asset0_target_balance coins, asset1_target_balance coins
internal d55e4686 dedust_deposit_liquidity  query_id u64, amount coins, pool_params DedustPoolParams,
  deposit_params ^DedustDepositLiquidityParams, fulfill_payload ?^cell, reject_payload ?^cell
internal d55e4686 dedust_deposit_liquidity  query_id u64, amount coins, pool_params DedustPoolParams, min_lp_amount coins,
  asset0_target_balance coins, asset1_target_balance coins, fulfill_payload ?^cell, reject_payload ?^cell
internal 474f86cf dedust_payout  query_id u64, payload ?^cell
type DedustSwapKind b0 given_in
type DedustSwapKind b1 given_out
type DedustSwapStepParams - step_params  kind DedustSwapKind, limit coins, next ?^DedustSwapStep
type DedustSwapStep - step  pool_addr address_int, params DedustSwapStepParams
type DedustTimestamp - -  timestamp u32
type DedustSwapParams - swap_params  deadline DedustTimestamp, recipient_addr address, referral_addr address, fulfill_payload ?^cell,
  reject_payload ?^cell
internal ea06185d dedust_swap  query_id u64, amount coins, _ DedustSwapStep, swap_params ^DedustSwapParams
forward 40e108d6 dedust_deposit_liquidity  pool_params DedustPoolParams, min_lp_amount coins, asset0_target_balance coins,
  asset1_target_balance coins, fulfill_payload ?^cell, reject_payload ?^cell
forward e3a0d482 dedust_swap  _ DedustSwapStep, swap_params ^DedustSwapParams
internal 9d65482b dedust_destroy_non_ready  query_id u64
internal b56b9598 dedust_deposit_liquidity_all  query_id u64, proof ^DedustLiquidityDepositProof, owner_addr address_int,
  min_lp_amount coins, _ ^[asset0 DedustAsset, asset0_amount coins, asset1 DedustAsset, asset1_amount coins], fulfill_payload ?^cell,
  reject_payload ?^cell
internal 61ee542d dedust_swap_external  query_id u64, proof ^DedustVaultProof, amount coins, sender_addr address_int,
  current DedustSwapStepParams, swap_params ^DedustSwapParams
internal 72aca8aa dedust_swap_peer  query_id u64, proof ^DedustPoolProof, asset DedustAsset, amount coins, sender_addr address_int,
  current DedustSwapStepParams, swap_params ^DedustSwapParams
internal 0b429f52 dedust_collect_fees  query_id u64, asset0_amount coins, asset0_destination address_int, asset0_payload ?^cell,
  asset1_amount coins, asset1_destination address, asset1_payload ?^cell
internal eda15922 dedust_configure_fee_collector_addr  query_id u64, fee_collector_addr address_int
internal abb46b3d dedust_configure_quote_provider  query_id u64, asset DedustAsset, quote_provider_addr address
internal 6873c90c dedust_sync_asset_quote  query_id u64, asset DedustAsset
internal 6e24728d dedust_provide_pool_state  query_id u64, include_assets bool
internal bddd4954 dedust_take_pool_state  query_id u64, reserve0 coins, reserve1 coins, total_supply coins, assets ?^[asset0 DedustAsset,
  asset1 DedustAsset]
internal 7ed7f6ce dedust_configure_start_time  query_id u64, start_at DedustTimestamp
event b544f4a4 dedust_deposit  sender_addr address_int, amount0 coins, amount1 coins, reserve0 coins, reserve1 coins, liquidity coins
event 3aa870a6 dedust_withdrawal  sender_addr address_int, liquidity coins, amount0 coins, amount1 coins, reserve0 coins, reserve1 coins
event 9c610de3 dedust_swap  asset_in DedustAsset, asset_out DedustAsset, amount_in coins, amount_out coins, _ ^[sender_addr address_int,
  referral_addr address, reserve0 coins, reserve1 coins]
internal 54240fe5 dedust_deposit_asset  query_id u64, asset DedustAsset, amount coins
internal aae79256 dedust_fulfill_deposit  query_id u64, proof ^DedustPoolProof, asset0_deposit coins, asset1_deposit coins
internal e1a36cd4 dedust_reject_deposit  query_id u64, proof ^DedustPoolProof, payload ?^cell
internal 166cedee dedust_cancel_deposit  query_id u64, payload ?^cell
internal ad83913f dedust_provide_current_quote  query_id u64, custom_payload ?^cell
internal 0a420458 dedust_take_current_quote  query_id u64, quote_numerator u128, quote_denominator u128, custom_payload ?^cell
internal c015297f dedust_configure_trade_fee  query_id u64, trade_fee u16
internal 26c63ab7 dedust_reset_gas_v2  query_id u64, response_destination address_int
internal 48e5a95d dedust_set_user_addr  query_id u64, user_addr address
internal f1989255 dedust_forward  query_id u64, destination address_int, body ^cell
`

export const { opcode, load, loadIf } = bodiesOf(messages)
