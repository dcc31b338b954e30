import type { Matcher } from '../../actions/matcher.ts'
import { anything, call, optional } from '../../actions/pattern.ts'
import { isTransfer, paymentOf, TRANSFERRED } from '../jettons/transfer.ts'
import { load, opcode } from './messages.ts'

const HOLD_FUNDS = opcode('internal coffee_mev_protect_hold_funds')
const SERVICE_FEE = 0xc0ffeea0
const FAILED_SWAP = opcode('internal coffee_mev_protect_failed_swap')

export const coffeeHoldFunds: Matcher = {
  at: [HOLD_FUNDS, TRANSFERRED],
  // The preceding step may also have paid a service fee.
  around: { before: optional(anything({ each: call(SERVICE_FEE) })) },
  build(step, found, run) {
    const { payloadOp, sender, senderWallet, receiver, jetton, amount } = paymentOf(step)
    if (payloadOp !== HOLD_FUNDS) return
    run.group('coffee_mev_protect_hold_funds', [step, ...found.steps], {
      source: sender,
      sourceSecondary: senderWallet,
      destination: receiver,
      asset: jetton,
      amount: isTransfer(step) ? amount : step.message.value,
    })
  },
}

export const coffeeFailedSwap: Matcher = {
  at: [FAILED_SWAP, TRANSFERRED],
  build(step, _found, run) {
    const { payloadOp, payload, jetton: asset } = paymentOf(step)
    if (payloadOp !== FAILED_SWAP) return
    const { recipient: destination } = load('internal coffee_mev_protect_failed_swap', payload!)
    run.group('coffee_mev_protect_failed_swap', [step], { destination, asset })
  },
}
