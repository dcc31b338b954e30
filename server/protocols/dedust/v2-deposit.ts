import type { Matcher } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, optional, type Pattern } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Deposit, depositColumns, type Excess, type Put, type Target } from '../exchanges/liquidity.ts'
import { paymentOf, TRANSFERRED } from '../jettons/transfer.ts'
import { load } from './messages.ts'
import { excess, legOf, PAY_NATIVE, PAYOUT_V2, paymentFor } from './v2.ts'

/*
 * Deposits of DeDust v2. The pool credits each asset to a contract that gathers them. When that contract has both, it asks the pool to take them. The
 * first asset becomes a step of its own. The second asset is part of the step of the whole deposit. join-deposits.ts joins the two steps.
 */

const DEPOSIT = 0xc9a015da
const CREDIT_ASSET = 0xdc5ddba1
const JOIN = 0x25251ee0
const DEPOSIT_EVENT = 0x35df2e12
const CREDIT_LIQUIDITY = 0x855afcbd

export const DEDUST_V2_DEPOSITED = 'dedust_v2_deposit_liquidity'
export const DEDUST_V2_PARTIAL = 'dedust_v2_deposit_liquidity_partial'

const carrier = either(named('carrier', kind(TRANSFERRED)), named('carrier', call(PAY_NATIVE, { strict: true })))
const credit = named('credit', call(CREDIT_ASSET, { strict: true, before: carrier }))
const refunds: readonly Pattern[] = [
  optional(named('refund', kind(TRANSFERRED))),
  optional(named('refund', kind(TRANSFERRED))),
  optional(named('refund', call(PAYOUT_V2, { strict: true }))),
]

const UNKNOWN: Put = { asset: null, amount: null, wallet: null, hasAsset: false }

/** Returns both halves of a deposit. The asset is known only for the half that `paid` carried. */
const putsOf = (paid: Step, credited: Step, amounts: readonly [bigint | null, bigint | null]): [Put, Put] => {
  const { jetton: asset, senderWallet: wallet } = paymentOf(paid)
  const carried = (amount: bigint | null): Put => ({ asset, amount, wallet })
  const other = (amount: bigint | null): Put => ({ ...UNKNOWN, amount })
  return load('type DedustV2Credit', credited.body).is_x
    ? [carried(amounts[0]), other(amounts[1])]
    : [other(amounts[0]), carried(amounts[1])]
}

/** Reads the target amounts in the pool; undefined if the payment contains no deposit order. */
const targetsOf = (paid: Step, puts: readonly [Put, Put]): [Target, Target] | undefined => {
  const payload = paymentFor(paid, DEPOSIT)
  if (payload === undefined) return undefined
  const { target_x, target_y } = load('type DedustV2Deposit', payload)
  return [
    { asset: puts[0].asset, amount: target_x },
    { asset: puts[1].asset, amount: target_y },
  ]
}

/** Reads the returned assets; undefined if an account other than the initiator got one of them. */
const refundsOf = (found: Found, initiator: Address | null): Excess[] | undefined => {
  const excesses: Excess[] = []
  for (const refund of found.list('refund')) {
    if (paymentOf(refund).receiver !== initiator) return undefined
    const { asset, amount } = legOf(refund)
    excesses.push({ asset, amount })
  }
  return excesses
}

const depositOf = (step: Step, found: Found, amounts: readonly [bigint, bigint], minted: bigint | null): Deposit | undefined => {
  const { initiator } = load('type DedustV2Join', step.body)
  const excesses = refundsOf(found, initiator)
  const paid = found.get('carrier')!
  if (excesses === undefined || (minted === null && excesses.length === 0)) return undefined
  const puts = putsOf(paid, found.get('credit')!, amounts)
  return {
    dex: 'dedust_v2',
    sender: initiator,
    pool: step.destination,
    gatherer: step.source,
    puts,
    targets: targetsOf(paid, puts),
    minted,
    excesses,
    failed: minted === null,
  }
}

export const dedustV2Deposit: Matcher = {
  at: [JOIN],
  around: {
    before: credit,
    all: [optional(named('event', call(DEPOSIT_EVENT, { strict: true }))), optional(call(CREDIT_LIQUIDITY)), ...refunds],
  },
  build(step, found, run) {
    const event = found.get('event')
    if (event === undefined) return
    const { amount_x, amount_y, liquidity } = load('type DedustV2DepositEvent', event.body)
    const deposit = depositOf(step, found, [amount_x, amount_y], liquidity)
    if (deposit === undefined) return
    run.group(DEDUST_V2_DEPOSITED, [step, ...found.steps], depositColumns(deposit), { info: deposit })
  },
}

export const dedustV2RejectedDeposit: Matcher = {
  at: [JOIN],
  around: { before: credit, all: [...refunds, excess] },
  build(step, found, run) {
    if (findCall(step.next, DEPOSIT_EVENT) !== undefined) return
    const { amount_x, amount_y } = load('type DedustV2Join', step.body)
    const deposit = depositOf(step, found, [amount_x, amount_y], null)
    if (deposit === undefined) return
    run.group(DEDUST_V2_DEPOSITED, [step, ...found.steps], depositColumns(deposit), { info: deposit })
  },
}

export const dedustV2Partial: Matcher = {
  at: [CREDIT_ASSET],
  around: { before: carrier, each: excess },
  build(step, found, run) {
    const paid = found.get('carrier')!
    const { is_x: isX, amount } = load('type DedustV2Credit', step.body)
    const deposit: Deposit = {
      dex: 'dedust_v2',
      sender: paymentOf(paid).sender,
      pool: step.source,
      gatherer: step.destination,
      puts: putsOf(paid, step, isX ? [amount, null] : [null, amount]),
      minted: null,
    }
    run.group(DEDUST_V2_PARTIAL, [step, ...found.steps], depositColumns(deposit), { info: deposit })
  },
}
