/** DNS (TEP-81): records of domains and auctions; usernames and numbers of Telegram (Fragment). */
export const names = `
internal 4ed14b65 dns_balance_release  query_id u64
type DnsRecord x1eda dns_text  _ DnsText
type DnsRecord xba93 dns_next_resolver  resolver address_int
type ProtoList b0 proto_list_nil
type Protocol x4854 proto_http
type ProtoList b1 proto_list_next  item Protocol, next ProtoList
type DnsRecord xad01 dns_adnl_address  adnl_addr bits256, flags u8<=1, proto_list if flags.0 ProtoList
type SmcCapList b0 cap_list_nil
type SmcCapability x5371 cap_method_seqno
type SmcCapability x71f4 cap_method_pubkey
type SmcCapability x2177 cap_is_wallet
type SmcCapability xff cap_name  name DnsText
type SmcCapList b1 cap_list_next  item SmcCapability, next SmcCapList
type DnsRecord x9fd3 dns_smc_address  smc_addr address_int, flags u8<=1, cap_list if flags.0 SmcCapList
type DnsRecord x7473 dns_storage_address  bag_id bits256
internal 4eb1f0f9 change_dns_record  query_id u64, key bits256, value ^DnsRecord
internal 4eb1f0f9 delete_dns_record  query_id u64, key bits256
internal 44beae41 process_governance_decision  query_id u64
internal 370fec51 auction_fill_up  query_id u64
internal 557cea20 outbid_notification  query_id u64
internal 38127de1 teleitem_bid_info  bid grams, bid_ts u32
internal a43227e1 teleitem_return_bid  query_id i64
internal a37a0983 teleitem_ok  query_id i64
type TelemintTokenInfo - telemint_token_info  name TelemintText, domain TelemintText
type TeleitemAuctionConfig - teleitem_auction_config  beneficiary_address address_int, initial_min_bid grams, max_bid grams,
  min_bid_step u8, min_extend_time u32, duration u32
type NftRoyaltyParams - nft_royalty_params  numerator u16, denominator u16, destination address
internal 299a3e15 teleitem_msg_deploy  sender_address address_int, bid grams, token_info ^TelemintTokenInfo, nft_content ^cell,
  auction_config ^TeleitemAuctionConfig, royalty_params ^NftRoyaltyParams
internal 299a3e15 teleitem_msg_deploy_head  sender_address address_int, bid grams
internal 487a8e81 teleitem_msg_start_auction  query_id i64, auction_config ^TeleitemAuctionConfig
internal 371638ae teleitem_msg_cancel_auction  query_id i64
type TelemintUnsignedDeploy - telemint_unsigned_deploy  subwallet_id u32, valid_since u32, valid_till u32, token_name TelemintText,
  content ^cell, auction_config ^TeleitemAuctionConfig, royalty_params ?^NftRoyaltyParams
internal 4637289a telemint_msg_deploy  sig bits512, msg TelemintUnsignedDeploy
type TelemintRestrictions - telemint_restrictions  force_sender_address ?address_int, rewrite_sender_address ?address_int
type TelemintUnsignedDeployV2 - telemint_unsigned_deploy_v2  subwallet_id u32, valid_since u32, valid_till u32, token_name TelemintText,
  content ^cell, auction_config ^TeleitemAuctionConfig, royalty_params ?^NftRoyaltyParams, restrictions ?^TelemintRestrictions
internal 4637289b telemint_msg_deploy_v2  sig bits512, msg TelemintUnsignedDeployV2
`
