import { hexText } from '../../actions/boc-and-hex-texts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, where } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import type { Cell } from '../../cell/cell.ts'
import { loadRawAddress } from '../../tlb/raw-address.ts'
import { paymentOf, TRANSFERRED } from '../jettons/transfer.ts'
import { load, opcode } from './messages.ts'
import { note, userCall } from './supply-and-withdrawal.ts'

const LIQUIDATE = opcode('internal evaa_liquidate_master')
const SATISFIED = opcode('internal evaa_liquidate_satisfied')
const FAILED = opcode('internal evaa_liquidate_fail')

const REASONS: ReadonlyMap<number, string> = new Map([
  [0xe001, 'master_liquidating_too_much'],
  [0xe002, 'user_withdraw_in_progress'],
  [0xe003, 'not_liquidatable'],
  [0xe004, 'execution_crashed'],
  [0xe005, 'min_collateral_not_satisfied'],
  [0xe006, 'user_not_enough_collateral'],
  [0xe007, 'user_liquidating_too_much'],
  [0xe008, 'master_not_enough_liquidity'],
  [0xe009, 'liquidation_prices_missing'],
])

const report = either(call(opcode('internal evaa_liquidate_success_report')), call(FAILED), kind(TRANSFERRED))
const refused = either(
  where((step) => step.op !== undefined && step.message.bounced),
  kind(TRANSFERRED),
)
const outcome = either(
  named('done', call(SATISFIED, { all: [userCall(opcode('internal evaa_liquidate_success'), { each: note }), report] })),
  call(SATISFIED, { all: [call(FAILED), report] }),
  named('unsatisfied', call(opcode('internal evaa_liquidate_unsatisfied'), { each: report })),
)

/** liquidate_unsatisfied ... ^[ transferred_amount:uint64 collateral_asset_id:uint256 min_collateral_amount:uint64 forward_ton_amount:uint64 payload:^Cell error:uint32 ... ] */
const loadReason = (step: Step): string => {
  const s = step.rest().skip(64)
  loadRawAddress(s)
  loadRawAddress(s)
  const more = s.skip(256).loadRef().slice()
  more.skip(64 + 256 + 64 + 64)
  return more.remainingBits < 32 ? 'parse_error' : (REASONS.get(more.loadUint(32)) ?? 'unknown')
}

/** Returns why nothing was liquidated. */
const reasonOf = (found: Found): string => {
  if (found.get('user') === undefined) return 'immediate_rejection'
  const unsatisfied = found.get('unsatisfied')
  return unsatisfied === undefined ? 'master_not_enough_liquidity' : loadReason(unsatisfied)
}

const resultOf = (body: Cell, found: Found) => {
  const order = load('internal evaa_liquidate_master', body)
  const { asset_id: collateral } = order.collateral_asset_id
  const ordered = { borrower: order.borrower_address, collateral, debt: order.liquidate_incoming_amount.amount, reward: 0n }
  const done = found.get('done')
  if (done === undefined) return { ...ordered, reason: reasonOf(found) }
  const satisfied = load('internal evaa_liquidate_satisfied', done.body)
  return {
    borrower: satisfied.owner_address,
    collateral: satisfied.collateral_asset_id.asset_id,
    debt: satisfied.liquidatable_amount.amount,
    reward: satisfied.collateral_reward.amount,
    reason: null,
  }
}

export const evaaLiquidation: Matcher = {
  at: [LIQUIDATE, TRANSFERRED],
  around: { each: either(named('user', userCall(opcode('internal evaa_liquidate_user'), { each: outcome })), refused) },
  build(step, found, run) {
    const { payloadOp, payload, sender } = paymentOf(step)
    if (payloadOp !== LIQUIDATE) return
    const { borrower, collateral, reward, debt, reason } = resultOf(payload!, found)
    run.group('evaa_liquidate', [step, ...found.steps], {
      source: sender,
      destination: borrower,
      destinationSecondary: found.get('user')?.destination ?? null,
      asset: collateral.toString(),
      amount: reward,
      success: reason === null,
      data: { asset_id: hexText(collateral), fail_reason: reason, debt_amount: debt },
    })
  },
}
