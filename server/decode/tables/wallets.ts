/** Wallets v1 to v5 and highload wallets: signed bodies of external messages, requests between contracts, plugins of v4. */
export const wallets = `
type WalletMessage - -  mode u8, msg ^MessageRelaxed
type WalletV1V2Signed - wallet_signed_v1_v2  signature bits512, msg_seqno u32, valid_until u32, msgs WalletMessages
type WalletV3Signed - wallet_signed_v3  signature bits512, subwallet_id u32, valid_until u32, msg_seqno u32, msgs WalletMessages
type WalletV4Signed - wallet_signed_v4  signature bits512, subwallet_id u32, valid_until u32, msg_seqno u32, op WalletV4Operation
type WalletV4Operation x00 simple_send  msgs WalletMessages
type WalletV4Operation x01 deploy_install_plugin  plugin_workchain i8, plugin_balance coins, state_init ^StateInit, body ^cell
type WalletV4Operation x02 install_plugin  plugin_workchain i8, plugin_address bits256, amount coins, query_id u64
type WalletV4Operation x03 remove_plugin  plugin_workchain i8, plugin_address bits256, amount coins, query_id u64
type PreprocessedV2Inner - -  valid_until u64, seqno u16, actions ^OutActions
type PreprocessedV2Signed - preprocessed_wallet_signed_v2  signature bits512, inner ^PreprocessedV2Inner
type HighloadV1Signed - highload_wallet_signed_v1  signature bits512, subwallet_id u32, valid_until u32, msg_seqno u32,
  payload ^tree 16 WalletMessage
type HighloadV2Signed - highload_wallet_signed_v2  signature bits512, subwallet_id u32, query_id u64, payload dict 16 WalletMessage
type HighloadV3QueryId - -  shift u13, bit_number u10
type HighloadV3Inner - -  subwallet_id u32, message_to_send ^MessageRelaxed, send_mode u8, query_id HighloadV3QueryId, created_at u64,
  timeout u22
type HighloadV3Signed - highload_wallet_signed_v3  signature bits512, msg_inner ^HighloadV3Inner
internal ae42e5a4 highload_v3_internal_request  query_id u64, actions ^OutActions
internal ae42e5a4 highload_v3_internal_request  rest any
type WalletV5Action x02 add_extension  addr address_int
type WalletV5Action x03 delete_extension  addr address_int
type WalletV5Action x04 set_signature_auth_allowed  allowed bool
type WalletV5Inner - w5_actions_request  out_actions ?^OutActions, extended_actions ?WalletV5Actions
type WalletV5Signed - w5_signed_request  wallet_id u32, valid_until u32, msg_seqno u32, inner WalletV5Inner, signature bits512
internal 73696e74 w5_internal_signed_request  request WalletV5Signed
internal 7369676e w5_external_signed_request  request WalletV5Signed
internal 6578746e w5_extension_action_request  query_id u64, request WalletV5Inner
internal 73696e74 w5_internal_signed_request  rest any
internal 7369676e w5_external_signed_request  rest any
internal 6578746e w5_extension_action_request  rest any
internal 6e6f7465 wallet_plugin_installation_notification  query_id u64
internal 64737472 wallet_plugin_destruct  query_id u64
internal e4737472 wallet_plugin_destruct_response  query_id u64
internal 706c7567 payment_request  query_id u64, amount CurrencyCollection
internal f06c7567 payment_confirmed  query_id u64
`
