import type { Columns, Value } from '../../actions/action.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { paymentOf } from '../jettons/transfer.ts'
import { type Asset, loadProxyPayment, proxyPaymentAfter } from './swap.ts'

export interface Excess {
  readonly asset: Asset
  readonly amount: bigint
  readonly [name: string]: string | bigint | null
}

export const excessOf = (payment: Step): Excess => {
  const { jetton: asset, amount } = paymentOf(payment)
  return { asset, amount }
}

export interface Put extends Target {
  readonly wallet: Address | null
  /** False if the asset is not yet determined. Then `asset` has no meaning. */
  readonly hasAsset?: boolean
}

export interface Target {
  readonly asset: Asset
  readonly amount: bigint | null
}

export interface Deposit {
  readonly dex: string
  readonly sender: Address | null
  readonly senderWallet?: Address | null
  readonly pool: Address | null
  readonly gatherer?: Address | null
  readonly puts: readonly [Put | undefined, Put | undefined]
  readonly targets?: readonly [Target, Target] | undefined
  readonly minted: bigint | null
  readonly excesses?: readonly Excess[] | undefined
  readonly ticks?: readonly [number, number] | undefined
  readonly position?: { readonly index: bigint | null; readonly address: Address | null } | undefined
  readonly failed?: boolean
}

export const depositColumns = ({
  puts: [first, second],
  targets,
  excesses,
  ticks,
  position,
  failed = false,
  ...deposit
}: Deposit): Columns => ({
  type: 'dex_deposit_liquidity',
  source: deposit.sender,
  sourceSecondary: deposit.senderWallet ?? null,
  destination: deposit.pool,
  destinationSecondary: deposit.gatherer ?? null,
  data: {
    dex: deposit.dex,
    amount1: first?.amount ?? null,
    amount2: second?.amount ?? null,
    asset1: first?.asset ?? null,
    asset2: second?.asset ?? null,
    user_jetton_wallet_1: first?.wallet ?? null,
    user_jetton_wallet_2: second?.wallet ?? null,
    lp_tokens_minted: deposit.minted,
    target_asset_1: targets?.[0].asset ?? null,
    target_asset_2: targets?.[1].asset ?? null,
    target_amount_1: targets?.[0].amount ?? null,
    target_amount_2: targets?.[1].amount ?? null,
    vault_excesses: (excesses ?? []) as readonly Value[],
    tick_lower: ticks?.[0] ?? null,
    tick_upper: ticks?.[1] ?? null,
    nft_index: position?.index ?? null,
    nft_address: position?.address ?? null,
  },
  success: !failed,
})

/** One asset of a withdrawal: the amount, the wallet that received it, and the contract and wallet that paid it. */
export interface Taken extends Target {
  readonly wallet: Address | null
  readonly dexWallet: Address | null
  readonly dexJettonWallet: Address | null
}

/** Returns what a jetton transfer or a message with Gram paid. */
export const takenOf = (payout: Step) => {
  const { jetton: asset, amount, receiverWallet: wallet, sender: dexWallet, senderWallet: dexJettonWallet } = paymentOf(payout)
  return { asset, amount, wallet, dexWallet, dexJettonWallet }
}

/** Returns what a jetton transfer paid, and the proxy payment that it caused. If there is one, Gram was paid. */
export const payoutOf = (transfer: Step) => {
  const taken = takenOf(transfer)
  const proxy = proxyPaymentAfter(transfer)
  return { taken: proxy === undefined ? taken : { ...taken, asset: null, amount: loadProxyPayment(proxy).amount }, proxy }
}

export interface Withdrawal extends Pick<Deposit, 'dex' | 'sender' | 'pool' | 'ticks' | 'position' | 'failed'> {
  readonly senderWallet: Address | null
  /** The jetton that represents the share; null if the share is not a jetton. */
  readonly asset: Asset
  readonly burnt: bigint | null
  /** True if the assets are a refund; undefined if the exchange does not report it. */
  readonly isRefund?: boolean | undefined
  readonly taken: readonly [Taken | undefined, Taken | undefined]
}

/** The columns of a withdrawal, and of claimed fees, which use the same columns. */
export const withdrawalColumns = ({ taken: [first, second], ticks, position, failed = false, ...withdrawal }: Withdrawal): Columns => ({
  source: withdrawal.sender,
  sourceSecondary: withdrawal.senderWallet,
  destination: withdrawal.pool,
  asset: withdrawal.asset,
  data: {
    dex: withdrawal.dex,
    amount1: first?.amount ?? null,
    amount2: second?.amount ?? null,
    asset1_out: first?.asset ?? null,
    asset2_out: second?.asset ?? null,
    user_jetton_wallet_1: first?.wallet ?? null,
    user_jetton_wallet_2: second?.wallet ?? null,
    dex_wallet_1: first?.dexWallet ?? null,
    dex_wallet_2: second?.dexWallet ?? null,
    dex_jetton_wallet_1: first?.dexJettonWallet ?? null,
    dex_jetton_wallet_2: second?.dexJettonWallet ?? null,
    is_refund: withdrawal.isRefund ?? null,
    lp_tokens_burnt: withdrawal.burnt,
    burned_nft_index: position?.index ?? null,
    burned_nft_address: position?.address ?? null,
    tick_lower: ticks?.[0] ?? null,
    tick_upper: ticks?.[1] ?? null,
  },
  success: !failed,
})
