import type { Matcher } from '../../actions/matcher.ts'
import { anything, call, optional } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import * as coffee from './bodies.ts'
import { load, opcode } from './messages.ts'

const HOLD_FUNDS = opcode('internal coffee_mev_protect_hold_funds')
const FAILED_SWAP = opcode('internal coffee_mev_protect_failed_swap')

const orderedWith = (step: Step, op: number): boolean => step.op === op || (isTransfer(step) && transferOf(step).payloadOp === op)

export const coffeeHoldFunds: Matcher = {
  at: [HOLD_FUNDS, TRANSFERRED],
  // The preceding step may also have paid a service fee.
  around: { before: optional(anything({ each: call(coffee.SERVICE_FEE) })) },
  build(step, found, run) {
    if (!orderedWith(step, HOLD_FUNDS)) return
    const transfer = isTransfer(step) ? transferOf(step) : undefined
    run.group('coffee_mev_protect_hold_funds', [step, ...found.steps], {
      source: transfer === undefined ? step.source : transfer.sender,
      sourceSecondary: transfer?.senderWallet ?? null,
      destination: transfer === undefined ? step.destination : transfer.receiver,
      asset: transfer?.jetton ?? null,
      amount: transfer?.amount ?? step.message.value,
    })
  },
}

export const coffeeFailedSwap: Matcher = {
  at: [FAILED_SWAP, TRANSFERRED],
  build(step, _found, run) {
    if (!orderedWith(step, FAILED_SWAP)) return
    const transfer = isTransfer(step) ? transferOf(step) : undefined
    const { recipient } = load('internal coffee_mev_protect_failed_swap', transfer?.payload ?? step.body)
    run.group('coffee_mev_protect_failed_swap', [step], { destination: recipient, asset: transfer?.jetton ?? null })
  },
}
