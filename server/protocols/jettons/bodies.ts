import { loadAddress, loadPayload, opcodeOf, skipAddress } from '../../actions/read.ts'
import type { Opcode, Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import type { BodyAddress } from '../../tlb/message/token-messages.ts'
import { rawAddress } from '../../tlb/raw-address.ts'
import { opcode } from './messages.ts'

/* Opcodes and bodies of jetton messages (TEP-74). */

export { JETTON_BURN, JETTON_TRANSFER } from '../../tlb/message/token-messages.ts'

export const INTERNAL_TRANSFER = opcode('internal jetton_internal_transfer')
export const NOTIFICATION = opcode('internal jetton_notify')
export const BURN_NOTIFICATION = opcode('internal jetton_burn_notification')

/** An address of a token body in raw form. */
export const rawOf = (address: BodyAddress): Address | null => (address === null ? null : rawAddress(address.workchain, address.hash))

/*
 * internal_transfer query_id:uint64 amount:(VarUInteger 16) from:MsgAddress response_address:MsgAddress
 *   forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
 */
export const loadInternalTransfer = (step: Step): { amount: bigint; forwardAmount: bigint } => {
  const s = step.rest().skip(64)
  const amount = s.loadCoins()
  skipAddress(s)
  skipAddress(s)
  return { amount, forwardAmount: s.loadCoins() }
}

/** The address with which a payload of this opcode begins; null for another payload. */
export const addressIn = (payload: Cell | undefined, op: Opcode): Address | null =>
  opcodeOf(payload) === op ? loadAddress(payload!.slice().skip(32)) : null

/** The notice that a jetton wallet sends to its owner, or a proxy to its exchange. */
export interface Notification {
  readonly amount: bigint
  readonly sender: Address | null
  readonly payload: Cell | undefined
}

/*
 * transfer_notification query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress
 *   forward_payload:(Either Cell ^Cell) = InternalMsgBody;
 */
export const loadNotification = (step: Step): Notification => {
  const s = step.rest().skip(64)
  return { amount: s.loadCoins(), sender: loadAddress(s), payload: loadPayload(s) }
}
