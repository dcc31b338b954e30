import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, optional, type Pattern, stepsOf } from '../../actions/pattern.ts'
import { findCall, type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { loadJettonBurn } from '../../tlb/message/token-messages.ts'
import { type Deposit, depositColumns, excessOf, type Taken, type Target, takenOf, withdrawalColumns } from '../exchanges/liquidity.ts'
import type { Asset } from '../exchanges/swap.ts'
import {
  BURN_NOTIFICATION,
  INTERNAL_TRANSFER,
  JETTON_BURN,
  JETTON_TRANSFER,
  loadInternalTransfer,
  loadNotification,
  NOTIFICATION,
} from '../jettons/bodies.ts'
import { groupTransfer, isTransfer, paymentOf, TRANSFER_PARTS, TRANSFERRED } from '../jettons/transfer.ts'
import { load, loadIf, opcode } from './messages.ts'
import { assetOf } from './pool.ts'
import { loadPayoutFromPool, PAYOUT, PAYOUT_FROM_POOL } from './swap.ts'

/*
 * Liquidity of DeDust. Each of two vaults gets one asset and notifies the factory. The factory makes a deposit contract, which gathers both assets. The
 * second asset completes the deposit. The two assets can come in one trace or in two.
 */

const TO_VAULT = opcode('internal dedust_deposit_liquidity')
const ASK_FACTORY = opcode('internal dedust_create_liquidity_deposit')
const INSTALL = opcode('internal dedust_install')
const TOP_UP = opcode('internal dedust_deposit_asset')
const TO_POOL = opcode('internal dedust_deposit_liquidity_all')
const REJECTED = opcode('internal dedust_reject_deposit')

export const DEDUST_DEPOSITED = 'dedust_deposit_liquidity'
export const DEDUST_PARTIAL = 'dedust_deposit_liquidity_partial'

const returned: Pattern = optional(
  call(opcode('internal dedust_pay_out_from_deposit'), {
    all: [optional(named('jetton excess', call(JETTON_TRANSFER, { each: TRANSFER_PARTS }))), optional(named('ton excess', call(PAYOUT)))],
  }),
)
const excesses: readonly Pattern[] = [optional(kind(TRANSFER)), returned, returned]

/** The steps from the user to the factory: Gram through the native vault, or jettons through their vault. */
const paidIn = either(
  named('deposit', call(TO_VAULT)),
  named('deposit', call(NOTIFICATION, { before: call(INTERNAL_TRANSFER, { before: call(JETTON_TRANSFER) }) })),
)

const targetsOf = (
  { asset0, asset1 }: Record<'asset0' | 'asset1', Parameters<typeof assetOf>[0]>,
  amounts: { readonly asset0_target_balance: bigint; readonly asset1_target_balance: bigint },
): [Target, Target] => [
  { asset: assetOf(asset0), amount: amounts.asset0_target_balance },
  { asset: assetOf(asset1), amount: amounts.asset1_target_balance },
]

/** Returns what a vault got; undefined if the jetton is not confirmed. */
const paidTo = (vault: Step, run: MatcherRun): { asset: Asset; amount: bigint } | undefined => {
  // The native vault takes only the amount that the body names, not the whole value of the message.
  if (vault.op === TO_VAULT) return { asset: null, amount: load('internal dedust_deposit_liquidity', vault.body).amount }
  const wallet = run.jettonWallet(vault.source)
  return wallet && { asset: wallet.jetton, amount: loadNotification(vault.body).amount }
}

const orderOf = (vault: Step): Pick<Deposit, 'sender' | 'targets'> | undefined => {
  if (vault.op === TO_VAULT) {
    const { pool_params: pool, deposit_params: params } = load('internal dedust_deposit_liquidity', vault.body)
    return { sender: vault.source, targets: targetsOf(pool, params) }
  }
  const { sender, payload } = loadNotification(vault.body)
  const order = loadIf('forward dedust_deposit_liquidity', payload)
  return order && { sender, targets: targetsOf(order.pool_params, order) }
}

/** Deposit of the first of two assets. This asset stays in the deposit contract until the second asset comes. */
export const dedustPartial: Matcher = {
  at: [TOP_UP],
  around: { before: call(ASK_FACTORY, { each: call(INSTALL), before: paidIn }) },
  build(step, found, run) {
    // If the assets went on to the pool, this is a whole deposit, and `dedustDeposit` did not recognize it.
    if (step.next.some(({ op }) => op === TO_POOL || op === REJECTED)) return
    const vault = found.get('deposit')!
    const paid = paidTo(vault, run)
    const order = orderOf(vault)
    if (paid === undefined || order === undefined) return
    const wallet = vault.op === TO_VAULT ? null : (vault.previous?.source ?? null)
    const deposit: Deposit = {
      dex: 'dedust',
      ...order,
      pool: null,
      gatherer: step.destination,
      puts: [{ ...paid, wallet }, undefined],
      minted: null,
    }
    run.group(DEDUST_PARTIAL, [step, ...found.steps], depositColumns(deposit), { info: deposit })
  },
}

const walletFor = (jetton: Asset, owner: Address | null, steps: readonly Step[], run: MatcherRun): Address | null => {
  const orders = steps.filter((step) => step.op === JETTON_TRANSFER && step.source === owner)
  return orders.findLast((order) => run.jettonWallet(order.destination)?.jetton === jetton)?.destination ?? null
}

/** Groups each return of jettons as a transfer. Returns the members of the deposit with these transfers instead of their steps. */
const groupExcesses = (found: Found, run: MatcherRun): Step[] => {
  const members = new Set(found.steps)
  for (const order of found.list('jetton excess')) {
    const inner = findCall(order.next, INTERNAL_TRANSFER)
    if (inner === undefined) continue
    const parts = [order, ...stepsOf(TRANSFER_PARTS, inner, run.budget)]
    const transfer = groupTransfer(order, inner, parts, run)
    for (const part of parts) members.delete(part)
    if (transfer !== undefined) members.add(transfer)
  }
  return [...members]
}

export const dedustDeposit: Matcher = {
  at: [TO_POOL],
  around: {
    before: call(TOP_UP, { before: call(ASK_FACTORY, { before: paidIn, each: optional(call(INSTALL)) }) }),
    all: [
      either(named('lp', call(INTERNAL_TRANSFER, { each: optional(call(NOTIFICATION)) })), call(REJECTED, { all: excesses })),
      optional(call(opcode('internal dedust_fulfill_deposit'), { all: excesses })),
    ],
  },
  build(step, found, run) {
    const order = load('internal dedust_deposit_liquidity_all', step.body)
    const owner = order.owner_addr
    const lp = found.get('lp')
    const paid = paidTo(found.get('deposit')!, run)
    if (paid === undefined) return
    const wallet = paid.asset && walletFor(paid.asset, owner, found.steps, run)
    const minted = lp === undefined ? null : loadInternalTransfer(lp).amount
    const members = [step, ...groupExcesses(found, run)]
    const refunds = [...found.list('ton excess'), ...members.filter(isTransfer)]
    const deposit: Deposit = {
      dex: 'dedust',
      sender: owner,
      pool: step.destination,
      gatherer: step.source,
      puts: [{ ...paid, wallet }, undefined],
      targets: [
        { asset: assetOf(order.asset0), amount: order.asset0_amount },
        { asset: assetOf(order.asset1), amount: order.asset1_amount },
      ],
      minted,
      excesses: refunds.filter((payment) => paymentOf(payment).receiver === owner).map(excessOf),
      failed: minted === null,
    }
    run.group(DEDUST_DEPOSITED, members, depositColumns(deposit), { info: deposit })
  },
}

const takenBy = (payout: Step): Taken => ({ ...takenOf(payout), amount: loadPayoutFromPool(payout.previous!) })

const payoutNamed = (name: string): Pattern =>
  call(PAYOUT_FROM_POOL, { each: either(named(name, call(PAYOUT)), named(name, kind(TRANSFERRED))) })

export const dedustWithdrawal: Matcher = {
  at: [JETTON_BURN],
  around: { each: named('burnt', call(BURN_NOTIFICATION, { all: [payoutNamed('first'), payoutNamed('second')] })) },
  build(step, found, run) {
    const wallet = run.jettonWallet(step.destination)
    const burn = loadJettonBurn(step.body)
    if (wallet === undefined || burn === undefined) return
    const columns = withdrawalColumns({
      dex: 'dedust',
      sender: step.source,
      senderWallet: step.destination,
      pool: found.get('burnt')!.destination,
      asset: wallet.jetton,
      burnt: burn.amount,
      isRefund: false,
      taken: [takenBy(found.get('first')!), takenBy(found.get('second')!)],
    })
    run.group('dex_withdraw_liquidity', [step, ...found.steps], columns)
  },
}
