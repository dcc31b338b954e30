import { hexText } from '../../actions/answer-texts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, where } from '../../actions/pattern.ts'
import { loadAddress, skipAddress } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Slice } from '../../cell/slice.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { note, userCall } from './common.ts'
import { opcode } from './messages.ts'

/* EVAA: liquidations. */

const LIQUIDATE = opcode('internal evaa_liquidate_master')
const LIQUIDATE_USER = opcode('internal evaa_liquidate_user')
const SATISFIED = opcode('internal evaa_liquidate_satisfied')
const UNSATISFIED = opcode('internal evaa_liquidate_unsatisfied')
const OK = opcode('internal evaa_liquidate_success')
const REPORT = opcode('internal evaa_liquidate_success_report')
const FAILED = opcode('internal evaa_liquidate_fail')

/** Failure reasons by the error code of the user's contract. */
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

/**
 * liquidate_master query_id:uint64 borrower_address:MsgAddressInt liquidator_address:MsgAddressInt collateral_asset_id:uint256
 *   min_collateral_amount:uint64 include_user_code:int2 liquidate_incoming_amount:uint64 ... = InternalMsgBody, and as ForwardPayload;
 */
const loadLiquidate = (s: Slice) => {
  const borrower = loadAddress(s.skip(64))
  skipAddress(s)
  const collateral = s.loadUintBig(256)
  return { borrower, collateral, debt: s.skip(64 + 2).loadUintBig(64) }
}

/**
 * liquidate_satisfied query_id:uint64 owner_address:MsgAddressInt liquidator_address:MsgAddressInt transferred_asset_id:uint256
 *   ^[ delta_loan_principal:int64 liquidatable_amount:uint64 protocol_gift:uint64 new_user_loan_principal:int64 collateral_asset_id:uint256
 *   delta_collateral_principal:int64 collateral_reward:uint64 ... ] = InternalMsgBody;
 */
const loadSatisfied = (step: Step) => {
  const s = step.rest().skip(64)
  const borrower = loadAddress(s)
  const more = s.loadRef().slice().skip(64)
  const debt = more.loadUintBig(64)
  const collateral = more.skip(128).loadUintBig(256)
  return { borrower, debt, collateral, reward: more.skip(64).loadUintBig(64) }
}

/** liquidate_unsatisfied ... ^[ transferred_amount:uint64 collateral_asset_id:uint256 min_collateral_amount:uint64 forward_ton_amount:uint64 payload:^Cell error:uint32 ... ] */
const loadReason = (step: Step): string => {
  const s = step.rest().skip(64)
  skipAddress(s)
  skipAddress(s)
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

const resultOf = (asked: ReturnType<typeof loadLiquidate>, found: Found): Result => {
  const contract = found.get('user')?.destination ?? null
  const done = found.get('done')
  if (done !== undefined) return { ...loadSatisfied(done), contract, reason: null }
  const unsatisfied = found.get('unsatisfied')
  const reason =
    contract === null ? 'immediate_rejection' : unsatisfied === undefined ? 'master_not_enough_liquidity' : loadReason(unsatisfied)
  return { ...asked, contract, reward: 0n, reason }
}

export const evaaLiquidation: Matcher = {
  name: 'EVAA liquidation',
  at: [LIQUIDATE, TRANSFERRED],
  around: { each: either(named('user', userCall(LIQUIDATE_USER, { each: outcome })), refused) },
  build(step, found, run) {
    const transfer = isTransfer(step) ? transferOf(step) : undefined
    if (transfer !== undefined && transfer.payloadOp !== LIQUIDATE) return
    const asked = loadLiquidate(transfer === undefined ? step.rest() : transfer.payload!.slice().skip(32))
    const { borrower, contract, collateral, reward, debt, reason } = resultOf(asked, found)
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
