import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import { type Taken, withdrawalColumns } from '../exchanges/liquidity.ts'
import { load } from './messages.ts'
import { excess, legOf, payoutLeg } from './v2.ts'

/* DeDust v2: shares are positions, which are separate contracts. Positions can be withdrawn and earn fees and rewards. */

const WITHDRAW = 0x20b5ef89
const WITHDRAW_LIQUIDITY = 0xbc1531a9
const EXIT = 0xf6f6a3aa
const WITHDRAWAL_EVENT = 0xc0d77b54
const CLAIM_FEES = 0x5652f1df
const CLAIM_AVAILABLE = 0x25f19752
const PAYOUT_FEES = 0x29ff1bcf
const CLAIM_REWARD = 0x909fdb65
const CLAIM_POSITION_REWARD = 0x2e0cccba
const PAYOUT_REWARD = 0x9e17fbbe

export const dedustV2Withdrawal: Matcher = {
  at: [WITHDRAW],
  around: {
    each: call(WITHDRAW_LIQUIDITY, {
      strict: true,
      each: call(EXIT, {
        strict: true,
        all: [optional(named('event', call(WITHDRAWAL_EVENT, { strict: true }))), payoutLeg, payoutLeg],
      }),
    }),
  },
  build(step, found, run) {
    const { liquidity, auto_claim_fees: claimsFees } = load('type DedustV2Withdraw', step.body)
    // Fees that are paid together with the withdrawn assets cannot be separated from them.
    if (claimsFees) return
    const event = found.get('event')
    const [first, second] = found.list('payout').map(legOf)
    const columns = withdrawalColumns({
      dex: 'dedust_v2',
      sender: step.source,
      senderWallet: null,
      pool: step.destination,
      asset: null,
      burnt: event === undefined ? liquidity : load('type DedustV2WithdrawalEvent', event.body).liquidity,
      isRefund: event === undefined,
      taken: [first, second],
      failed: event === undefined,
    })
    run.group('dex_withdraw_liquidity', [step, ...found.steps], columns)
  },
}

const unpaid = (amount: bigint): Taken => ({ asset: null, amount, wallet: null, dexWallet: null, dexJettonWallet: null })

/** Returns the columns of a claim of fees or rewards. The position's contract is the sender of `paid`. */
const claimColumns = (claim: Step, paid: Step, taken: Parameters<typeof withdrawalColumns>[0]['taken']) => ({
  ...withdrawalColumns({
    dex: 'dedust_v2',
    sender: claim.source,
    senderWallet: null,
    pool: claim.destination,
    asset: null,
    burnt: null,
    isRefund: false,
    taken,
  }),
  destinationSecondary: paid.source,
})

export const dedustV2Fees: Matcher = {
  at: [CLAIM_FEES],
  around: {
    each: call(CLAIM_AVAILABLE, {
      strict: true,
      each: named('fees', call(PAYOUT_FEES, { strict: true, all: [payoutLeg, payoutLeg, excess] })),
    }),
  },
  build(step, found, run) {
    const fees = found.get('fees')!
    const { x_fees: x, y_fees: y } = load('type DedustV2Fees', fees.body)
    const taken: [Taken | undefined, Taken | undefined] = [undefined, undefined]
    for (const leg of found.list('payout').map(legOf)) {
      if (leg.amount === x && taken[0] === undefined) taken[0] = leg
      else if (leg.amount === y && taken[1] === undefined) taken[1] = leg
    }
    const columns = claimColumns(step, fees, [taken[0] ?? unpaid(x), taken[1] ?? unpaid(y)])
    run.group('dedust_v2_claim_fees', [step, ...found.steps], columns)
  },
}

export const dedustV2Reward: Matcher = {
  at: [CLAIM_REWARD],
  around: {
    each: call(CLAIM_POSITION_REWARD, {
      strict: true,
      each: named('reward', call(PAYOUT_REWARD, { strict: true, all: [payoutLeg, excess] })),
    }),
  },
  build(step, found, run) {
    const reward = found.get('reward')!
    const amount = load('type DedustV2Reward', reward.body).amount
    const [payout] = found.list('payout')
    const leg = payout === undefined ? undefined : legOf(payout)
    const columns = claimColumns(step, reward, [{ ...(leg ?? unpaid(amount)), amount }, undefined])
    run.group('dedust_v2_claim_reward', [step, ...found.steps], columns)
  },
}
