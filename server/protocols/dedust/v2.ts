import { call, either, kind, named, optional, type Pattern } from '../../actions/pattern.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import type { Cell } from '../../cell/cell.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { takenOf } from '../exchanges/liquidity.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load } from './messages.ts'

export const PAY_NATIVE = 0xa5a7cbf8
export const PAY_JETTON = 0xcbc33949
export const PAYOUT_V2 = 0x3216ca09

export const excess = optional(call(EXCESSES, { strict: true }))

/** One payment to a user. It is optional, because an amount of zero is not paid. */
export const payoutLeg: Pattern = optional(either(named('payout', kind(TRANSFERRED)), named('payout', call(PAYOUT_V2, { strict: true }))))

export const loadPayoutV2 = ({ body }: Step) => load('type DedustV2Payout', body)

export const legOf = (payout: Step) => (isTransfer(payout) ? takenOf(payout) : { ...takenOf(payout), amount: loadPayoutV2(payout).amount })

/** The amount and payload of a payment to a pool; undefined if the step is not such a payment. */
export const loadPayment = (carrier: Step): { readonly amount: bigint; readonly payload: Cell } | undefined => {
  if (isTransfer(carrier)) {
    const { payload, payloadOp, amount } = transferOf(carrier)
    return payload === undefined || payloadOp !== PAY_JETTON
      ? undefined
      : { amount, payload: load('type DedustV2PayJetton', payload).payload }
  }
  return carrier.op === PAY_NATIVE ? load('type DedustV2PayNative', carrier.body) : undefined
}

export const paymentFor = (carrier: Step, op: number): Cell | undefined => {
  const payload = loadPayment(carrier)?.payload
  return opcodeOf(payload) === op ? payload : undefined
}
