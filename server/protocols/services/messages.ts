import type { Protocol } from '../../actions/protocol.ts'

/** Smaller services: storage providers, payment channels, invoices, cron, launchpads and single contracts. */
const messages = `
internal 3a86f1a0 lock_and_claim  query_id u64, proof ?^cell
external 2114702d cron_trigger  reward_address address, salt u32
internal 2e04891a cron_reward  rest any
internal d027efe5 cron_notify  init_state_hash u256, init_state_depth u10
internal 2e41d3ac cron_init  rest any
internal bbe27821 cron_destroyed  rest any
internal 56f6110e w5_dns_renewal_calc_and_topup  first_call_time u32, repeat_every u32, salt u32, reward coins, owner_address address_int,
  renewal_actions_cell ^cell, topup_amount coins, msg_to_wallet_amount coins
internal 5c11ada9 daolama_vault_supply  amount coins
internal 4d696e65 gram_submit_proof_of_work  flags u8, expire u32, whom bits256, rdata1 bits256, rseed u128, rdata2 bits256
type PaymentProviderUrl x00 none
type PaymentProviderUrl x01 tonsite  address bits256
internal 7aa23eb5 invoice_payload  id bits128, url PaymentProviderUrl
forward 7aa23eb5 invoice_payload_forward_payload  id bits128, url PaymentProviderUrl
internal 67c7d281 top_up_channel_balance  add_A coins, add_B coins
internal 0e0620c2 init_payment_channel  is_A bool, signature bits512, tag u32, channel_id u128, balance_A coins, balance_B coins
internal 5577587e channel_cooperative_close  sig_A ^bits512, sig_B ^bits512, tag u32, channel_id u128, balance_A coins, balance_B coins,
  seqno_A u64, seqno_B u64
internal 79a126ef channel_cooperative_commit  sig_A ^bits512, sig_B ^bits512, tag u32, channel_id u128, seqno_A u64, seqno_B u64
type ConditionalPayment - cp  amount coins, condition cell
type SemiChannelBody - sc_body  seqno u64, sent coins, conditionals dict 32 ConditionalPayment
type SemiChannel x43685374 semichannel_state  channel_id u128, data SemiChannelBody, counterparty_data ?^SemiChannelBody
type SignedSemiChannel - signed_schs  signature bits512, state SemiChannel
internal 1f151acf start_uncooperative_channel_close  signed_by_A bool, signature bits512, tag u32, channel_id u128,
  sch_A ^SignedSemiChannel, sch_B ^SignedSemiChannel
internal 088eaa32 challenge_quarantined_channel_state  challenged_by_A bool, signature bits512, tag u32, channel_id u128,
  sch_A ^SignedSemiChannel, sch_B ^SignedSemiChannel
internal 66f6f069 settle_channel_conditionals  from_A bool, signature bits512, tag u32, channel_id u128,
  conditionals_to_settle dict 32 cell
internal 25432a91 finish_uncooperative_channel_close  rest any
internal dddc88ba channel_closed  channel_id u128
type TorrentInfo x413e39ad torrent_info  piece_size u32, file_size u64, root_hash u256, header_size u64, header_hash u256,
  microchunk_hash ?u256, description cell
internal e4748df1 deploy_storage_contract  query_id u64, info ^TorrentInfo, merkle_hash bits256, expected_rate coins,
  expected_max_span u32
internal 53f34cd6 update_pubkey  query_id u64, new_pubkey bits256
internal 54cbf19b update_storage_params  query_id u64, accept_new_contracts bool, rate_per_mb_day coins, max_span u32,
  minimal_file_size u64, maximal_file_size u64
internal 107c49ef offer_storage_contract  query_id u64
internal 7a361688 accept_storage_contract  query_id u64
internal d4caedcd storage_contract_confirmed  cur_lt u64, torrent_hash bits256
internal 79f937ea close_storage_contract  query_id u64
internal b6236d63 storage_contract_terminated  cur_lt u64, torrent_hash bits256
internal 46ed2e94 storage_withdraw  query_id u64
internal a91baf56 storage_reward_withdrawal  query_id u64
internal 419d5d4d proof_storage  query_id u64, file_dict_proof ^cell
external ccc2c823 nerd_qr_verify  item_id u32, signature bits512
internal af750d34 blum_memepad_buy  query_id u64, min_recieve coins, receiver address, refferal cell
internal 742b36d8 blum_memepad_sell  query_id u64, amount coins, min_recieve coins, refferal cell
internal f0fd50bb blum_memepad_unlock_wallet  query_id u64
internal ceac8af4 blum_memepad_buy_log  buyer_address address, tons_consumed coins, supply_delta coins, new_supply coins,
  collected_ton_liq coins, refferal cell
internal ef2e2def blum_memepad_sell_log  seller_address address, ton_value coins, supply_delta coins, new_supply coins,
  collected_ton_liq coins, refferal cell
internal 30c7219b blum_memepad_send_liq_log  ton_liq_amount coins, jetton_liq_amount coins
internal 67617302 gas_pump_buy_log  buyer_address address, input_ton_amount coins, ton_amount coins, jetton_amount coins,
  fee_ton_amount coins, bonding_curve_overflow bool
internal 67617303 gas_pump_sell_log  seller_address address, ton_amount coins, jetton_amount coins, fee_ton_amount coins
internal 67617305 gas_pump_send_to_pool_log  ton_amount coins, jetton_amount coins, fee_ton_amount coins
internal 67617306 gas_pump_change_trade_state_log  old_trade_state u16, new_trade_state u16
external ac392598 scaled_ui_display_multiplier_changed  numerator vu32, denominator vu32, comment ?snake
`

export const services: Protocol = { messages }
