import { bodiesOf } from '../../decode/bodies.ts'

/** DNS records of .ton names. Code reads a record as a `DnsShownRecord`, whose constructors are named as in TON Center's actions. */
export const messages = `
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
type DnsShownRecord xba93 DNSNextResolver  value address
type DnsShownRecord xad01 DNSAdnlAddress  value bits256, flags u8
type DnsShownRecord x9fd3 DNSSmcAddress  value address, flags u8
type DnsShownRecord x7473 DNSStorageAddress  value bits256
type DnsShownRecord x1eda DNSText  value DnsText
type DnsShownRecord - Unknown
internal 4eb1f0f9 change_dns_record  query_id u64, key bits256, value ^DnsRecord
internal 4eb1f0f9 delete_dns_record  query_id u64, key bits256
internal 44beae41 process_governance_decision  query_id u64
internal 370fec51 auction_fill_up  query_id u64
internal 557cea20 outbid_notification  query_id u64
`

export const { opcode, load } = bodiesOf(messages)

export const FILL_UP = opcode('internal auction_fill_up')
export const OUTBID = opcode('internal outbid_notification')
