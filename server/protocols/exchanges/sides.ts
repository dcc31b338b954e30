import { call } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Asset, withoutProxy } from '../jettons/assets.ts'
import { payloadOf } from '../jettons/bodies.ts'
import { isTransfer, type JettonTransfer, transferOf } from '../jettons/transfer.ts'
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

export const proxyPayment = call(PROXY_PAYMENT)

export const transfersAfter = (step: Step): Step[] => step.next.filter(isTransfer)

/** Returns the asset and amount of a payout. If the jetton transfer caused a proxy payment, the payout is in Gram. */
export const payoutAfter = (transfer: Step): { readonly asset: Asset; readonly amount: bigint; readonly proxy: Step | undefined } => {
  const proxy = proxyPaymentAfter(transfer)
  if (proxy !== undefined) return { asset: null, amount: loadProxyPayment(proxy).amount, proxy }
  const { jetton, amount } = transferOf(transfer)
  return { asset: jetton, amount, proxy: undefined }
}
