import { loadAddress, loadAddressText, skipAddress } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { opcode } from './messages.ts'

/* Bodies of Cocoon. https://github.com/TelegramMessenger/cocoon-contracts */

/** query_id:uint64 send_excesses_to:MsgAddress: the first and last fields of most owner requests. */
export const loadOwnerRequest = (step: Step): { queryId: bigint; owner: Address | null } => {
  const s = step.rest()
  const queryId = s.loadUintBig(64)
  return { queryId, owner: loadAddress(s) }
}

/** owner_client_register query_id:uint64 nonce:uint64 send_excesses_to:MsgAddress = InternalMsgBody; */
export const loadRegister = (step: Step) => {
  const s = step.rest()
  const queryId = s.loadUintBig(64)
  const nonce = s.loadUintBig(64)
  return { queryId, nonce, owner: loadAddress(s) }
}

/** owner_client_change_secret_hash query_id:uint64 new_secret_hash:uint256 send_excesses_to:MsgAddress = InternalMsgBody; */
export const loadSecretHash = (step: Step) => {
  const s = step.rest()
  const queryId = s.loadUintBig(64)
  const hash = s.loadUintBig(256).toString(16)
  return { queryId, hash, owner: loadAddress(s) }
}

/** ext_client_top_up, owner_client_increase_stake query_id:uint64 amount:Coins send_excesses_to:MsgAddress = InternalMsgBody; */
export const loadAmount = (step: Step) => {
  const s = step.rest()
  const queryId = s.loadUintBig(64)
  const amount = s.loadCoins()
  return { queryId, amount, owner: loadAddress(s) }
}

/**
 * payout_payload, last_payout_payload, charge_payload, grant_refund_payload
 *   query_id:uint64 tokens:uint64 expected_address:MsgAddress = SignedPayload;
 */
export const loadSigned = (step: Step) => {
  const s = step.rest()
  const queryId = s.loadUintBig(64)
  const tokens = s.loadUintBig(64)
  return { queryId, tokens, expected: loadAddressText(s) }
}

/** worker_proxy_request query_id:uint64 owner_address:MsgAddress state:uint2 tokens:uint64 payload:(Maybe ^Cell) = InternalMsgBody; */
export const loadWorkerRequest = (step: Step) => {
  const s = step.rest().skip(64)
  const owner = loadAddress(s)
  const state = s.loadUint(2)
  return { owner, state, tokens: s.loadUintBig(64) }
}

const REFUND_GRANTED = opcode('internal cocoon_client_proxy_refund_granted')

/**
 * client_proxy_request query_id:uint64 owner_address:MsgAddress state_data:^Cell payload:(Maybe ^Cell) = InternalMsgBody;
 * client_proxy_refund_granted coins:Coins ... = Payload;
 */
export const loadRefundGranted = (step: Step): bigint => {
  const s = step.rest().skip(64)
  skipAddress(s)
  s.loadRef()
  const payload = s.loadMaybeRef()?.slice()
  return payload !== undefined && payload.remainingBits >= 32 && payload.loadUint(32) === REFUND_GRANTED ? payload.loadCoins() : 0n
}
