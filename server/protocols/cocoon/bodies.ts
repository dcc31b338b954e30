import type { Step } from '../../actions/step.ts'
import { loadAddressExt } from '../../tlb/address.ts'
import { loadRawAddress } from '../../tlb/raw-address.ts'

/* Cocoon's signed bodies, which the notation alone does not describe. https://github.com/TelegramMessenger/cocoon-contracts */

/**
 * payout_payload, last_payout_payload, charge_payload, grant_refund_payload
 *   query_id:uint64 tokens:uint64 expected_address:MsgAddress = SignedPayload;
 * The address is shown as text even if it is external: `<bits>;<hex>`, as in TON Center.
 */
export const loadSigned = (step: Step) => {
  const s = step.rest()
  const queryId = s.loadUintBig(64)
  const tokens = s.loadUintBig(64)
  if (s.preloadUint(2) !== 1) return { queryId, tokens, expected: loadRawAddress(s) }
  const { bits, data } = loadAddressExt(s)!
  const value = BigInt(`0x0${Buffer.from(data).toString('hex')}`) >> BigInt((8 - (bits & 7)) & 7)
  return { queryId, tokens, expected: `${bits};${value.toString(16)}` }
}
