import type { Protocol } from '../../actions/protocol.ts'
import type { Slice } from '../../cell/slice.ts'
import { tag } from '../../decode/notation.ts'
import type { SizedBody } from '../../decode/shape.ts'
import { SIGNED_EXTERNAL } from '../../tlb/message/wallet-order.ts'

/* Wallet requests that begin with a signature and so have no tag. */

const SIGNATURE = 512

const exactly =
  (bits: number, refs: number) =>
  (body: Slice): boolean =>
    body.remainingBits === bits && body.remainingRefs === refs

/** Returns a check for bodies that consist of `bits` bits, and 8 bits (a mode) for each reference. */
const messagesBehind =
  (bits: number) =>
  (body: Slice): boolean =>
    body.remainingBits === bits + 8 * body.remainingRefs

/** Returns whether a body is a signature and a reference to a cell whose first reference is a list with at least one action. */
const holdsActions = (body: Slice): boolean => {
  if (!exactly(SIGNATURE, 1)(body)) return false
  const inner = body.preloadRef()
  return !inner.exotic && inner.refCount > 0 && !inner.ref(0).exotic && inner.ref(0).refCount > 0
}

/** Returns whether a body is a request to wallet v4: a signature and three numbers, then messages or one of three plugin operations. */
const isV4 = (body: Slice): boolean => {
  const bits = SIGNATURE + 3 * 32 + 8
  if (body.remainingBits < bits) return false
  const operation = body
    .clone()
    .skip(bits - 8)
    .preloadUint(8)
  return operation === 0 ? messagesBehind(bits)(body) : operation < 4
}

/** Signed requests in the order in which TON Center tries them. The first that fits names the body. */
export const signedRequests: readonly SizedBody<string>[] = [
  { shape: 'PreprocessedV2Signed', fits: holdsActions },
  { shape: 'HighloadV3Signed', fits: exactly(SIGNATURE, 1) },
  { shape: 'HighloadV2Signed', fits: (body) => body.remainingBits === SIGNATURE + 32 + 64 + 1 && body.remainingRefs < 2 },
  { shape: 'HighloadV1Signed', fits: exactly(SIGNATURE + 3 * 32, 1) },
  { shape: 'WalletV4Signed', fits: isV4 },
  { shape: 'WalletV3Signed', fits: messagesBehind(SIGNATURE + 3 * 32) },
  { shape: 'WalletV1V2Signed', fits: messagesBehind(SIGNATURE + 2 * 32) },
]

/** Signed requests and requests between contracts, of wallets v1 to v5, highload wallets, two-factor wallets and Tonkeeper's relayer. */
const messages = `
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
internal ${tag(SIGNED_EXTERNAL)} w5_external_signed_request  request WalletV5Signed
internal 6578746e w5_extension_action_request  query_id u64, request WalletV5Inner
internal 73696e74 w5_internal_signed_request  rest any
internal ${tag(SIGNED_EXTERNAL)} w5_external_signed_request  rest any
internal 6578746e w5_extension_action_request  rest any
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
`

export const wallets: Protocol = { messages, untagged: signedRequests }
