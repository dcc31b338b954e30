/** Contracts that hold funds for others: multisig v2 (orders and actions), vesting wallets, two-factor wallets and the relayer of Tonkeeper. */
export const multisig = `
type MultisigAction xf1381e5b send_message  mode u8, message ^MessageRelaxed
type MultisigAction x1d0cfbd3 update_multisig_param  threshold u8, signers ^tree 8 address_int, proposers dict 8 address_int
type MultisigOrder - -  _ tree 8 ^MultisigAction
internal f718510f mulisig_new_order  query_id u64, order_seqno u256, signer bool, index u8, expiration_date u48, order ^MultisigOrder
internal 75097f5d multisig_execute  query_id u64, order_seqno u256, expiration_date u48, approvals_num u8, signers_hash bits256,
  order ^MultisigOrder
internal a32c59bf multisig_execute_internal  query_id u64, order ^MultisigOrder
internal 9c73fba2 multisig_order_init  query_id u64, threshold u8, signers ^tree 8 address_int, expiration_date u48, order ^MultisigOrder,
  signer_index ?u8
internal a762230f multisig_approve  query_id u64, signer_index u8
internal 82609bf6 multisig_approve_accepted  query_id u64
internal afaf283e multisig_approve_rejected  query_id u64, exit_code u32
type CertificateData2Fa - certificate_data  valid_until u64, pubkey bits256
type Certificate2Fa - certificate  data CertificateData2Fa, signature bits512
type SeedSignature - -  seed_signature bits512
type Payload2Fa xb15f2c8c send_actions  seqno u32, valid_until u64, msg ^cell, mode u8
type Payload2Fa x9d8084d6 remove_extension  seqno u32, valid_until u64
type Payload2Fa x23d9c15c delegation  seqno u32, valid_until u64, new_state_init ^cell, forward_amount coins
type Payload2Fa xde82b501 cancel_delegation  seqno u32, valid_until u64
internal 53684037 tonkeeper_2fa_signed  ref_with_certificate ^Certificate2Fa, ref_seed_signature ^SeedSignature, payload Payload2Fa,
  certificate_signature bits512
forward 878da6e3 tonkeeper_relayer_fee_forward_payload  rest any
internal a7733acd vesting_send_message  query_id u64, send_mode u8, message ^MessageRelaxed
internal f7733acd vesting_send_message_response  query_id u64
internal 7258a69b vesting_add_white_list  query_id u64, addresses_ref_snake any
internal f258a69b vesting_add_white_list_response  query_id u64
`
