import { bodiesOf } from '../../decode/bodies.ts'

export const messages = `
type TonstakePoolData - -  state u8, halted bool, total_balance coins, _ ^[jetton_minter address]
internal eb373a05 tonstake_controller_recover_stake  query_id u64
internal f0fd2250 tonstake_controller_update_validator_hash  query_id u64
internal 8efed779 tonstake_controller_withdraw_validator  query_id u64, value coins
internal 30026327 tonstake_controller_validator_withdrawal  query_id u64, amount coins
internal e0505d0e tonstake_controller_new_stake  query_id u64, value coins, validator_pubkey u256, stake_at u32, max_factor u32,
  adnl_addr u256, signature ^bits512
internal 6335b11a tonstake_controller_send_request_loan  query_id u64, min_loan coins, max_loan coins, max_interst u24
internal ed7378a6 tonstake_controller_return_unused_loan  query_id u64
internal 55c26cd5 tonstake_controller_return_available_funds  query_id u64
type TonstakeApproverHalter - -  approver address, halter address
type TonstakeControllerData - data  controller_id u32, validator address, pool address, governor address, _ ^TonstakeApproverHalter
internal e642c965 tonstake_pool_request_loan  query_id u64, min_loan coins, max_loan coins, max_interest u24,
  controller_data ^TonstakeControllerData
internal dfdca27b tonstake_pool_loan_repayment  query_id u64
internal 47d54391 tonstake_pool_deposit  query_id u64, referral cell
internal 4bc7c2df tonstake_pool_touch  query_id u64
internal 2aaa96a0 tonstake_pool_set_governance_fee  query_id u64, governance_fee u16
internal 319b0cdc tonstake_pool_withdraw  query_id u64, jetton_amount coins, from_address address, response_address address
internal 0a77535c tonstake_pool_withdrawal  query_id u64
internal 5e517f36 tonstake_pool_set_roles  query_id u64, governor ?address, interest_manager ?address, halter ?address
internal 9bf5561c tonstake_pool_set_deposit_settings  query_id u64, optimistic_deposit_withdrawals bool, deposits_open bool
internal b27edcad tonstake_pool_deploy_controller  controller_id u32, query_id u64
internal 9971881c tonstake_pool_prepare_governance_migration  query_id u64, governor_update_after u48
internal 270695fb tonstake_controller_pool_send_message  query_id u64, mode u8, msg ^cell
internal 96e7f528 tonstake_controller_pool_upgrade  query_id u64, data ?^cell, code ?^cell, after_upgrade ?^cell
internal 79e7c016 tonstake_controller_pool_set_sudoer  query_id u64, sudoer address
internal 7247e7a5 tonstake_controller_pool_unhalt  query_id u64
internal 139a1b4e tonstake_controller_pool_halt  query_id u64
internal c9f04485 tonstake_imanager_set_interest  query_id u64, interest_rate u16
internal 54d37487 tonstake_imanager_operation_fee  query_id u64
internal b1ebae06 tonstake_imanager_request_notification  query_id u64, min_loan coins, max_loan coins, max_interest u16
internal c1344900 tonstake_imanager_stats  query_id u64, borrowed coins, expected coins, returned coins, profit_sign i1, profit coins,
  total_balance coins
internal f127fe4e tonstake_nft_burn  query_id u64
internal ed58b0b2 tonstake_nft_burn_notification  query_id u64, amount coins, owner address, index u64
internal 132f9a45 tonstake_nft_init  query_id u64, owner address, amount coins, prev address, next address
internal db3b8abd tonstake_nft_payout  query_id u64
internal 1674b0a0 tonstake_payout_mint_jettons  query_id u64, destination address, amount coins, notification coins, forward coins
`

export const { opcode, load } = bodiesOf(messages)
