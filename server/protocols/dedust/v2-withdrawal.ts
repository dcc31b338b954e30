import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import { skipCoins } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import { type Taken, withdrawalColumns } from '../exchanges/liquidity.ts'
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

/** withdraw#20b5ef89 query_id:uint64 liquidity:Coins minimal_x_out:Coins minimal_y_out:Coins auto_claim_fees:Bool ... = InternalMsgBody; */
const loadWithdraw = (step: Step) => {
  const s = step.rest().skip(64)
  const liquidity = s.loadCoins()
  skipCoins(s)
  skipCoins(s)
  return { liquidity, claimsFees: s.loadBit() }
}

export const dedustV2Withdrawal: Matcher = {
  name: 'DeDust v2 withdrawal',
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
    const { liquidity, claimsFees } = loadWithdraw(step)
    // Fees that are paid together with the share cannot be separated from it.
    if (claimsFees) return
    const event = found.get('event')
    const [first, second] = found.list('payout').map(legOf)
    run.group(
      'dex_withdraw_liquidity',
      [step, ...found.steps],
      withdrawalColumns({
        dex: 'dedust_v2',
        sender: step.source,
        senderWallet: null,
        pool: step.destination,
        asset: null,
        // withdrawal#c0d77b54 liquidity:Coins amount_x_out:Coins amount_y_out:Coins ... = ExtOutMsgBody;
        burnt: event === undefined ? liquidity : event.rest().loadCoins(),
        isRefund: event === undefined,
        taken: [first, second],
      }),
      { failed: event === undefined },
    )
  },
}

const unpaid = (amount: bigint): Taken => ({ asset: null, amount, wallet: null, dexWallet: null, dexJettonWallet: null })

/** What was claimed of a position, whose contract is the sender of `paid`. */
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

/** dedust_v2_claim_fees. payout_position_fees#29ff1bcf query_id:uint64 x_fees:Coins y_fees:Coins owner:MsgAddressInt ... = InternalMsgBody; */
export const dedustV2Fees: Matcher = {
  name: 'DeDust v2 fees',
  at: [CLAIM_FEES],
  around: {
    each: call(CLAIM_AVAILABLE, {
      strict: true,
      each: named('fees', call(PAYOUT_FEES, { strict: true, all: [payoutLeg, payoutLeg, excess] })),
    }),
  },
  build(step, found, run) {
    const fees = found.get('fees')!
    const s = fees.rest().skip(64)
    const amounts = [s.loadCoins(), s.loadCoins()] as const
    const taken: [Taken | undefined, Taken | undefined] = [undefined, undefined]
    for (const leg of found.list('payout').map(legOf)) {
      if (leg.amount === amounts[0] && taken[0] === undefined) taken[0] = leg
      else if (leg.amount === amounts[1] && taken[1] === undefined) taken[1] = leg
    }
    const columns = claimColumns(step, fees, [taken[0] ?? unpaid(amounts[0]), taken[1] ?? unpaid(amounts[1])])
    run.group('dedust_v2_claim_fees', [step, ...found.steps], columns)
  },
}

/** dedust_v2_claim_reward. payout_reward#9e17fbbe query_id:uint64 amount:Coins reward_index:uint2 owner:MsgAddressInt ... = InternalMsgBody; */
export const dedustV2Reward: Matcher = {
  name: 'DeDust v2 reward',
  at: [CLAIM_REWARD],
  around: {
    each: call(CLAIM_POSITION_REWARD, {
      strict: true,
      each: named('reward', call(PAYOUT_REWARD, { strict: true, all: [payoutLeg, excess] })),
    }),
  },
  build(step, found, run) {
    const reward = found.get('reward')!
    const amount = reward.rest().skip(64).loadCoins()
    const [payout] = found.list('payout')
    const leg = payout === undefined ? undefined : legOf(payout)
    const columns = claimColumns(step, reward, [{ ...(leg ?? unpaid(amount)), amount }, undefined])
    run.group('dedust_v2_claim_reward', [step, ...found.steps], columns)
  },
}
