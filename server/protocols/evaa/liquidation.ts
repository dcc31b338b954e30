import { hexText } from '../../actions/boc-and-hex-texts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, where } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { loadRawAddress } from '../../tlb/raw-address.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { note, userCall } from './common.ts'
import { load, opcode } from './messages.ts'

const LIQUIDATE = opcode('internal evaa_liquidate_master')
const LIQUIDATE_USER = opcode('internal evaa_liquidate_user')
const SATISFIED = opcode('internal evaa_liquidate_satisfied')
const UNSATISFIED = opcode('internal evaa_liquidate_unsatisfied')
const OK = opcode('internal evaa_liquidate_success')
const REPORT = opcode('internal evaa_liquidate_success_report')
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

const report = either(
  named(
    'report',
    where(({ op }) => op === REPORT || op === FAILED),
  ),
  named('report', kind(TRANSFERRED)),
)
const refused = either(
  named(
    'refused',
    where((step) => step.op !== undefined && step.message.bounced),
  ),
  named('refused', kind(TRANSFERRED)),
)
const outcome = either(
  named('done', call(SATISFIED, { all: [userCall(OK, { each: note }), report] })),
  named('undone', call(SATISFIED, { all: [call(FAILED), report] })),
  named('unsatisfied', call(UNSATISFIED, { each: report })),
)

const loadLiquidate = (body: Cell) => {
  const order = load('internal evaa_liquidate_master', body)
  return { borrower: order.borrower_address, collateral: order.collateral_asset_id.asset_id, debt: order.liquidate_incoming_amount.amount }
}

const loadSatisfied = ({ body }: Step) => {
  const done = load('internal evaa_liquidate_satisfied', body)
  return {
    borrower: done.owner_address,
    debt: done.liquidatable_amount.amount,
    collateral: done.collateral_asset_id.asset_id,
    reward: done.collateral_reward.amount,
  }
}

/** liquidate_unsatisfied ... ^[ transferred_amount:uint64 collateral_asset_id:uint256 min_collateral_amount:uint64 forward_ton_amount:uint64 payload:^Cell error:uint32 ... ] */
const loadReason = (step: Step): string => {
  const s = step.rest().skip(64)
  loadRawAddress(s)
  loadRawAddress(s)
  const more = s.skip(256).loadRef().slice()
  more.skip(64 + 256 + 64 + 64)
  return more.remainingBits < 32 ? 'parse_error' : (REASONS.get(more.loadUint(32)) ?? 'unknown')
}

interface Result {
  readonly borrower: Address | null
  readonly contract: Address | null
  readonly collateral: bigint
  readonly reward: bigint
  readonly debt: bigint
  readonly reason: string | null
}

const resultOf = (order: ReturnType<typeof loadLiquidate>, found: Found): Result => {
  const contract = found.get('user')?.destination ?? null
  const done = found.get('done')
  if (done !== undefined) return { ...loadSatisfied(done), contract, reason: null }
  const unsatisfied = found.get('unsatisfied')
  const reason =
    contract === null ? 'immediate_rejection' : unsatisfied === undefined ? 'master_not_enough_liquidity' : loadReason(unsatisfied)
  return { ...order, contract, reward: 0n, reason }
}

export const evaaLiquidation: Matcher = {
  at: [LIQUIDATE, TRANSFERRED],
  around: { each: either(named('user', userCall(LIQUIDATE_USER, { each: outcome })), refused) },
  build(step, found, run) {
    const transfer = isTransfer(step) ? transferOf(step) : undefined
    if (transfer !== undefined && transfer.payloadOp !== LIQUIDATE) return
    const order = loadLiquidate(transfer?.payload ?? step.body)
    const { borrower, contract, collateral, reward, debt, reason } = resultOf(order, found)
    run.group('evaa_liquidate', [step, ...found.steps], {
      source: transfer === undefined ? step.source : transfer.sender,
      destination: borrower,
      destinationSecondary: contract,
      asset: collateral.toString(),
      amount: reward,
      success: reason === null,
      data: { asset_id: hexText(collateral), fail_reason: reason, debt_amount: debt },
    })
  },
}
