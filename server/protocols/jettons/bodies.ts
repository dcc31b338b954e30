import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import type { BodyAddress } from '../../tlb/message/token-messages.ts'
import { rawAddress } from '../../tlb/raw-address.ts'
import { load, opcode } from './messages.ts'

export { JETTON_BURN, JETTON_TRANSFER } from '../../tlb/message/token-messages.ts'

export const INTERNAL_TRANSFER = opcode('internal jetton_internal_transfer')
export const NOTIFICATION = opcode('internal jetton_notify')
export const BURN_NOTIFICATION = opcode('internal jetton_burn_notification')

export const rawOf = (address: BodyAddress): Address | null => (address === null ? null : rawAddress(address.workchain, address.hash))

export const loadInternalTransfer = (step: Step) => load('internal jetton_internal_transfer', step.body)

export const payloadOf = ({ forward_payload: payload }: { readonly forward_payload: Cell | null }): Cell | undefined =>
  payload === null || (payload.bits === 0 && payload.refCount === 0) ? undefined : payload

/** Reads the notification that a jetton wallet sends to its owner, or a proxy to its exchange. */
export const loadNotification = (
  body: Cell,
): { readonly amount: bigint; readonly sender: Address | null; readonly payload: Cell | undefined } => {
  const notice = load('internal jetton_notify', body)
  return { amount: notice.amount, sender: notice.sender, payload: payloadOf(notice) }
}
