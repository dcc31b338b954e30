import type { MatcherRun } from '../../actions/matcher.ts'
import { call, either, kind, named } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Asset, withoutProxy } from '../jettons/assets.ts'
import { NOTIFICATION, payloadOf } from '../jettons/bodies.ts'
import { isTransfer, type JettonTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, PROXY_PAYMENT } from '../stonfi/messages.ts'

/** One side of a swap, with the field names of answers. */
export interface Side {
  readonly asset: Asset
  readonly amount: bigint
  readonly source: Address | null
  readonly source_jetton_wallet: Address | null
  readonly destination: Address | null
  readonly destination_jetton_wallet: Address | null
  readonly [name: string]: string | bigint | null
}

export interface PeerSwap {
  readonly asset_in: Asset
  readonly amount_in: bigint
  readonly asset_out: Asset
  readonly amount_out: bigint
  readonly [name: string]: string | bigint | null
}

/** Makes one side of a swap from a jetton transfer. Proxy TON counts as Gram. */
export const sideOf = ({ jetton, amount, sender, senderWallet, receiver, receiverWallet }: JettonTransfer): Side => ({
  asset: withoutProxy(jetton),
  amount,
  source: sender,
  source_jetton_wallet: senderWallet,
  destination: receiver,
  destination_jetton_wallet: receiverWallet,
})

export const tonSide = (amount: bigint, source: Address | null, destination: Address | null, wallet: Address | null = null): Side => ({
  asset: null,
  amount,
  source,
  source_jetton_wallet: null,
  destination,
  destination_jetton_wallet: wallet,
})

export const loadProxyPayment = (step: Step) => {
  const payment = load('internal pton_ton_transfer', step.body)
  return { amount: payment.ton_amount, payload: payloadOf(payment) }
}

export const proxyPaymentAfter = (step: Step): Step | undefined => findCall(step.next, PROXY_PAYMENT)

/** The payment for a swap that a router's pool runs: jettons, or Gram through a proxy. */
export const paidToRouter = either(named('in', kind(TRANSFERRED)), call(NOTIFICATION, { before: named('in', call(PROXY_PAYMENT)) }))

/** The side of a swap that was paid to a router, which sent `swap` to a pool. */
export const routerSide = (paid: Step, swap: Step): Side =>
  isTransfer(paid) ? sideOf(transferOf(paid)) : tonSide(loadProxyPayment(paid).amount, paid.source, swap.source, paid.destination)

/** The asset of a jetton wallet, undefined if the wallet is not confirmed. Proxy TON counts as Gram. */
export const assetOfWallet = (wallet: Address | null, run: MatcherRun): Asset | undefined => {
  const facts = run.jettonWallet(wallet)
  return facts && withoutProxy(facts.jetton)
}

export const transfersAfter = (step: Step): Step[] => step.next.filter(isTransfer)
