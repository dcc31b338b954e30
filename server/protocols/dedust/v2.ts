import { call, either, kind, named, optional, type Pattern } from '../../actions/pattern.ts'
import { opcodeOf } from '../../actions/read.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import type { Taken } from '../exchanges/liquidity.ts'
import type { Asset } from '../jettons/assets.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'

/* Shared parts of the DeDust v2 flows (pools with positions). */

export const PAY_NATIVE = 0xa5a7cbf8
export const PAY_JETTON = 0xcbc33949
export const PAYOUT_V2 = 0x3216ca09

export const excess = optional(call(EXCESSES, { strict: true }))

/** One payment to a user. Zero amounts are not paid. */
export const payoutLeg: Pattern = optional(either(named('payout', kind(TRANSFERRED)), named('payout', call(PAYOUT_V2, { strict: true }))))

/** payout#3216ca09 query_id:uint64 amount:Coins exit_code:int32 payload:(Maybe ^Cell) = InternalMsgBody; */
export const loadPayoutV2 = (step: Step): { amount: bigint; exitCode: number } => {
  const s = step.rest().skip(64)
  const amount = s.loadCoins()
  return { amount, exitCode: s.loadInt(32) }
}

/** The asset, amount and wallets of a payment to a user. */
export const legOf = (payout: Step): Taken => {
  if (isTransfer(payout)) {
    const { jetton, amount, receiverWallet, sender, senderWallet } = transferOf(payout)
    return { asset: jetton, amount, wallet: receiverWallet, dexWallet: sender, dexJettonWallet: senderWallet }
  }
  return { asset: null, amount: loadPayoutV2(payout).amount, wallet: null, dexWallet: payout.source, dexJettonWallet: null }
}

/**
 * The amount and payload of a payment to a pool; undefined if the step is not one.
 * pay_native#a5a7cbf8 query_id:uint64 amount:Coins payment_payload:^Cell payout_config:^Cell = InternalMsgBody;
 * pay_jetton#cbc33949 payment_payload:^Cell payout_config:^Cell = ForwardPayload;
 */
export const loadPayment = (carrier: Step): { readonly amount: bigint; readonly payload: Cell } | undefined => {
  if (isTransfer(carrier)) {
    const { payload, payloadOp, amount } = transferOf(carrier)
    return payload === undefined || payloadOp !== PAY_JETTON ? undefined : { amount, payload: payload.slice().skip(32).loadRef() }
  }
  if (carrier.op !== PAY_NATIVE) return undefined
  const s = carrier.rest().skip(64)
  const amount = s.loadCoins()
  return { amount, payload: s.loadRef() }
}

/** The payload of a payment after its opcode; undefined if the opcode differs from `op`. */
export const paymentFor = (carrier: Step, op: number): Slice | undefined => {
  const payment = loadPayment(carrier)
  return payment !== undefined && opcodeOf(payment.payload) === op ? payment.payload.slice().skip(32) : undefined
}

/** The asset that a payment to a pool brings. */
export const carriedAsset = (carrier: Step): Asset => (isTransfer(carrier) ? transferOf(carrier).jetton : null)
