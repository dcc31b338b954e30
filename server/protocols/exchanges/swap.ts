import type { Columns, Value } from '../../actions/action.ts'
import type { MatcherRun } from '../../actions/matcher.ts'
import { call, either, kind, named } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { NOTIFICATION, payloadOf } from '../jettons/bodies.ts'
import { isProxyTon, isTransfer, type JettonTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, PROXY_PAYMENT } from '../stonfi/messages.ts'

/** A traded asset: the master of a jetton, or null for Gram. */
export type Asset = Address | null

export const withoutProxy = (asset: Asset): Asset => (isProxyTon(asset) ? null : asset)

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

/* The columns of jetton_swap, the same for every exchange. */

export const SWAPPED = 'jetton_swap'

export interface Swap {
  readonly dex: string
  readonly sender: Address | null
  readonly incoming: Side
  readonly outgoing: Side
  readonly peers: readonly PeerSwap[]
  /** The assets that the order names, if they differ from the assets that were paid in and out. */
  readonly sourceAsset?: Asset | undefined
  readonly destinationAsset?: Asset | undefined
  /** The wallet that should receive the payout. */
  readonly destinationWallet?: Address | null | undefined
  /** The least amount that the sender accepts; undefined if the exchange does not report it. */
  readonly minOut?: bigint | null | undefined
  readonly failed?: boolean
}

export const swapColumns = ({ dex, sender, incoming, outgoing, peers, minOut, failed = false, ...rest }: Swap): Columns => ({
  source: incoming.source,
  sourceSecondary: incoming.source_jetton_wallet,
  destination: outgoing.destination,
  destinationSecondary: rest.destinationWallet ?? outgoing.destination_jetton_wallet,
  asset: rest.sourceAsset === undefined ? incoming.asset : rest.sourceAsset,
  asset2: rest.destinationAsset === undefined ? outgoing.asset : rest.destinationAsset,
  data: {
    dex,
    sender,
    dex_incoming_transfer: incoming,
    dex_outgoing_transfer: outgoing,
    min_out_amount: minOut ?? null,
    peer_swaps: peers as readonly Value[],
  },
  success: !failed,
})
