/*
 * Details of every action type, in the order of answers (v3.md 5.3). A field is written
 *
 *   name            the value of that name: a column, or data of this type
 *   name=other      the value of another name
 *   name?           left out if it is null
 *   name#           a JSON number; all other numbers are text
 */

const TOKEN = 'nft_collection=asset nft_item=asset_secondary nft_item_index'
const LISTING = `${TOKEN} owner=source listing_address=source_secondary`
const TRADE = 'marketplace_address marketplace'
const RETURNED = 'owner=source nft_item=asset_secondary nft_collection=asset'
const PAYMENT = 'source destination amount'
const SIDES = 'amount_1=amount1 amount_2=amount2'
const WALLETS = 'user_jetton_wallet_1 user_jetton_wallet_2'
const UNSTAKED = 'source stake_wallet=source_secondary pool=destination amount exit_code#=opcode asset staking_asset=asset2'
const TRANSFER = `${TOKEN} old_owner?=source new_owner=destination is_purchase price? query_id response_destination custom_payload forward_payload
  forward_amount comment is_encrypted_comment marketplace real_old_owner=real_prev_owner marketplace_address payout_amount payout_address
  payout_comment payout_comment_encrypted payout_comment_encoded royalty_amount royalty_address`
const SEND = 'layerzero_send_data layerzero_packet_data'
const TGBTC_MINT = 'source destination amount asset bitcoin_tx_id=asset_secondary destination_wallet=destination_secondary'
const TGBTC_BURN = 'source source_wallet=source_secondary destination amount asset'
const TGBTC_KEY = 'source pubkey=source_secondary coordinator=destination pegout=destination_secondary amount asset'

export const FIELDS: Readonly<Record<string, string>> = {
  call_contract: 'opcode?=opcode_text source? destination? value? extra_currencies',
  contract_deploy: 'opcode?=opcode_text source? destination? value?',
  ton_transfer: 'source destination value value_extra_currencies=extra_currencies comment=content encrypted',
  tick_tock: '',
  stake_deposit: 'provider stake_holder=source pool=destination amount tokens_minted asset source_asset?',
  stake_withdrawal: 'provider stake_holder=source pool=destination amount payout_nft=ts_nft tokens_burnt asset',
  stake_withdrawal_request: 'provider stake_holder=source pool=destination payout_nft=ts_nft asset tokens_burnt tokens_minted?',
  jetton_transfer: `asset sender=source receiver=destination sender_jetton_wallet=source_secondary
    receiver_jetton_wallet=destination_secondary amount comment is_encrypted_comment query_id response_destination custom_payload
    forward_payload forward_amount`,
  jetton_burn: 'owner=source owner_jetton_wallet=source_secondary asset amount',
  jetton_mint: 'asset receiver=destination receiver_jetton_wallet=destination_secondary amount ton_amount=value',
  jetton_swap: `dex sender=source asset_in=asset asset_out=asset2 dex_incoming_transfer dex_outgoing_transfer peer_swaps`,
  dex_deposit_liquidity: `dex ${SIDES} asset_1=asset1 asset_2=asset2 ${WALLETS} source pool=destination destination_liquidity
    lp_tokens_minted target_asset_1 target_asset_2 target_amount_1 target_amount_2 vault_excesses tick_lower tick_upper nft_index nft_address`,
  dex_withdraw_liquidity: `dex ${SIDES} asset_1=asset1_out asset_2=asset2_out ${WALLETS} lp_tokens_burnt is_refund source pool=destination
    destination_liquidity=destination burnt_nft_index=burned_nft_index burnt_nft_address=burned_nft_address tick_lower tick_upper`,
  nft_transfer: TRANSFER,
  nft_purchase: TRANSFER,
  nft_mint: 'owner?=source nft_item=asset_secondary nft_collection=asset nft_item_index',
  auction_bid: `amount=value bidder=source auction=destination nft_item=asset_secondary nft_collection=asset nft_item_index`,
  change_dns: 'key value=record source asset=destination nft_collection=asset',
  // Here the key is called `hash`.
  delete_dns: 'hash=key source asset=destination nft_collection=asset',
  renew_dns: 'source asset=destination nft_collection=asset',
  subscribe: 'subscriber=source beneficiary?=destination subscription=destination_secondary amount',
  unsubscribe: 'subscriber=source beneficiary?=destination subscription=destination_secondary amount?',
  election_deposit: 'stake_holder=source amount?',
  election_recover: 'stake_holder=source amount?',
  multisig_create_order: `query_id order_seqno is_created_by_signer is_signed_by_creator creator_index# expiration_date# order_boc source
    destination destination_order=destination_secondary`,
  multisig_approve: 'signer_index# exit_code# source destination',
  multisig_execute: 'query_id order_seqno expiration_date# approvals_num# signers_hash order_boc source destination',
  vesting_send_message: 'query_id message_boc source vesting=destination destination=destination_secondary amount',
  vesting_add_whitelist: 'query_id accounts_added source vesting=destination',
  evaa_supply: `sender_jetton_wallet recipient_jetton_wallet master_jetton_wallet master asset_id is_ton source source_wallet=source_secondary
    recipient=destination recipient_contract=destination_secondary asset amount`,
  evaa_withdraw: `recipient_jetton_wallet master_jetton_wallet master fail_reason asset_id source recipient=destination
    owner_contract=destination_secondary asset amount`,
  evaa_liquidate: `fail_reason debt_amount source borrower=destination borrower_contract=destination_secondary collateral=asset asset_id
    asset=asset_known is_known_asset amount`,
  jvault_stake: `period# minted_stake_jettons stake_wallet source source_jetton_wallet=source_secondary asset pool=destination amount`,
  jvault_unstake: UNSTAKED,
  jvault_unstake_request: UNSTAKED,
  jvault_claim: 'claimed_rewards source stake_wallet=source_secondary pool=destination',
  nft_discovery: 'source nft_item=asset_secondary nft_collection=asset nft_item_index',
  tonco_deploy_pool: `source pool=destination_secondary router=destination router_jetton_wallet_1=jetton0_router_wallet
    router_jetton_wallet_2=jetton1_router_wallet jetton_minter_1=jetton0_minter jetton_minter_2=jetton1_minter tick_spacing initial_price_x96
    protocol_fee lp_fee_base lp_fee_current pool_active`,
  coffee_create_vault: 'source vault=destination asset value',
  coffee_create_pool_creator: `source source_jetton_wallet=source_secondary deposit_recipient=destination
    pool_creator_contract=destination_secondary provided_asset=asset asset_1=asset2 asset_2=asset2_secondary amount`,
  coffee_create_pool: `source source_jetton_wallet=source_secondary initiator_1 initiator_2 pool=destination
    pool_creator_contract=destination_secondary provided_asset amount asset_1=asset asset_2=asset2 amount_1 amount_2 lp_tokens_minted`,
  coffee_mev_protect_hold_funds: `source source_jetton_wallet=source_secondary mev_contract=destination
    mev_contract_jetton_wallet=destination_secondary asset amount`,
  coffee_staking_claim_rewards: `pool=source pool_jetton_wallet=source_secondary recipient=destination
    recipient_jetton_wallet=destination_secondary asset amount`,
  coffee_staking_deposit: `source source_jetton_wallet=source_secondary pool=destination pool_jetton_wallet=destination_secondary asset amount
    minted_item_address minted_item_index`,
  coffee_staking_withdraw: `source source_jetton_wallet=source_secondary pool=destination pool_jetton_wallet=destination_secondary asset amount
    nft_address nft_index points`,
  nft_put_on_sale: `${LISTING} sale_address=destination marketplace_address full_price marketplace_fee royalty_amount marketplace_fee_address
    royalty_address marketplace`,
  nft_put_on_auction: `${LISTING} auction_address=destination marketplace_address marketplace_fee_factor=mp_fee_factor
    marketplace_fee_base=mp_fee_base royalty_fee_base max_bid min_bid marketplace_fee_address royalty_address marketplace`,
  teleitem_start_auction: `${LISTING} auction_address=destination marketplace_address marketplace_fee_factor=mp_fee_factor
    marketplace_fee_base=mp_fee_base royalty_fee_base max_bid min_bid marketplace_fee_address royalty_address marketplace`,
  auction_outbid: `auction_address=source bidder=destination new_bidder=source_secondary nft_item=asset_secondary nft_collection=asset amount
    comment? marketplace?`,
  nft_cancel_sale: `${RETURNED} sale_address=destination ${TRADE}`,
  nft_cancel_auction: `${RETURNED} auction_address=destination ${TRADE}`,
  teleitem_cancel_auction: `${RETURNED} auction_address=destination ${TRADE}`,
  nft_finish_auction: `${RETURNED} auction_address=destination ${TRADE}`,
  nft_update_sale: `source sale_contract=destination nft_address=asset_secondary ${TRADE} full_price marketplace_fee royalty_amount`,
  dns_purchase: `${TOKEN} new_owner=destination price query_id payout_amount`,
  dns_release: 'query_id source nft_item=destination nft_collection=asset nft_item_index value',
  layerzero_send: `initiator=source ${SEND}`,
  layerzero_send_tokens: `sender=source sender_wallet=source_secondary oapp=destination oapp_wallet=destination_secondary asset amount ${SEND}`,
  layerzero_receive: 'sender=source oapp=destination channel=destination_secondary layerzero_packet_data',
  layerzero_commit_packet: `sender=source endpoint=source_secondary uln=destination uln_connection=destination_secondary channel=asset
    msglib_connection=asset_secondary layerzero_packet_data`,
  layerzero_dvn_verify: 'initiator=source nonce# status dvn proxy uln uln_connection',
  cocoon_worker_payout: `payout_type query_id new_tokens worker_state# worker_tokens ${PAYMENT}`,
  cocoon_proxy_payout: 'query_id source destination',
  cocoon_proxy_charge: 'query_id new_tokens_used expected_address source destination',
  cocoon_client_top_up: `query_id ${PAYMENT}`,
  cocoon_register_proxy: 'query_id destination',
  cocoon_unregister_proxy: 'query_id seqno# destination',
  cocoon_client_register: 'query_id nonce source destination',
  cocoon_client_change_secret_hash: 'query_id new_secret_hash source destination',
  cocoon_client_request_refund: 'query_id via_wallet source destination',
  cocoon_grant_refund: `query_id new_tokens_used expected_address ${PAYMENT}`,
  cocoon_client_increase_stake: `query_id new_stake ${PAYMENT}`,
  cocoon_client_withdraw: `query_id withdraw_amount ${PAYMENT}`,
  dedust_v2_claim_fees: `dex source pool=destination position=destination_secondary asset_1=asset1_out asset_2=asset2_out ${SIDES} ${WALLETS}
    dex_jetton_wallet_1 dex_jetton_wallet_2`,
  dedust_v2_claim_reward: `dex source pool=destination position=destination_secondary asset=asset1_out amount=amount1
    user_jetton_wallet=user_jetton_wallet_1 dex_jetton_wallet=dex_jetton_wallet_1`,
  tgbtc_mint: TGBTC_MINT,
  tgbtc_mint_fallback: TGBTC_MINT,
  tgbtc_burn: TGBTC_BURN,
  tgbtc_burn_fallback: TGBTC_BURN,
  tgbtc_new_key: TGBTC_KEY,
  tgbtc_new_key_fallback: TGBTC_KEY,
  tgbtc_dkg_log_fallback: 'coordinator=source pubkey=asset timestamp=value',
}
