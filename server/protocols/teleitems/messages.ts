import { bodiesOf } from '../../decode/bodies.ts'

export const messages = `
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

export const { opcode, load, loadIf } = bodiesOf(messages)

export const TELEMINT_DEPLOY = opcode('internal teleitem_msg_deploy')
