import { attempt } from '../../../cell/error.ts'
import type { NOMINATOR_EVENTS, POOL_VALIDATOR_EVENTS } from '../../../store/codes.ts'
import { accountKey } from '../../../store/row-keys.ts'
import type { poolNominatorEvents, poolValidatorEvents } from '../../../store/schema/staking.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { ELECTOR_OPS } from '../../../tlb/contracts/elector.ts'
import type { Nominator } from '../../../tlb/contracts/nominator-pool.ts'
import { MASTERCHAIN } from '../../../tlb/ids.ts'
import type { PlacedTransaction } from '../topic.ts'
import type { Order, Pool } from './apply-to-pool.ts'

/* Changes of a pool's stakes and deposits by one transaction. */

/** A pool before and after one transaction. */
export interface Step {
  readonly placed: PlacedTransaction
  readonly order: Order | undefined
  readonly before: Pool
  readonly after: Pool
}

interface Change {
  readonly kind: (typeof NOMINATOR_EVENTS)[number]
  readonly amount: bigint
  readonly before: Nominator
  readonly after: Nominator
}

const NOTHING: Nominator = { amount: 0n, pendingDeposit: 0n }

const isReturn = (order: Order | undefined): boolean => order?.fromElector === true && order.op === ELECTOR_OPS.recoverStakeOk

/** Lists the reward before the activation of pending deposits, so that the amounts of the reward show the stake that earned it. */
const rewards = (before: Nominator, after: Nominator): Change[] => {
  const earned = after.amount + after.pendingDeposit - before.amount - before.pendingDeposit
  const rewarded = { amount: before.amount + earned, pendingDeposit: before.pendingDeposit }
  return [
    ...(earned === 0n ? [] : [{ kind: 'reward', amount: earned, before, after: rewarded } as const]),
    ...(after.pendingDeposit < before.pendingDeposit
      ? [{ kind: 'pending_deposit_activation', amount: before.pendingDeposit - after.pendingDeposit, before: rewarded, after } as const]
      : []),
  ]
}

const moves = (before: Nominator, after: Nominator, isRequest: boolean): Change[] => {
  const moved = after.amount + after.pendingDeposit - before.amount - before.pendingDeposit
  if (moved > 0n) return [{ kind: 'deposit', amount: moved, before, after }]
  if (moved < 0n) return [{ kind: 'withdrawal', amount: -moved, before, after }]
  return isRequest ? [{ kind: 'withdrawal_request', amount: 0n, before, after }] : []
}

export const nominatorRows = ({ placed, order, before, after }: Step, mcSeqno: number): readonly WriteRow<typeof poolNominatorEvents>[] => {
  if (before.nominators === after.nominators && before.withdrawRequests === after.withdrawRequests) return []
  const { account, tx, hash } = placed
  const rows: WriteRow<typeof poolNominatorEvents>[] = []
  for (const id of [...new Set([...before.nominators.keys(), ...after.nominators.keys()])].sort()) {
    const [old, now] = [before.nominators.get(id) ?? NOTHING, after.nominators.get(id) ?? NOTHING]
    const [hadRequest, hasRequest] = [before.withdrawRequests.has(id), after.withdrawRequests.has(id)]
    const changes = isReturn(order) ? rewards(old, now) : moves(old, now, hasRequest && !hadRequest)
    for (const change of changes) {
      rows.push({
        pool: account,
        lt: tx.lt,
        event_index: rows.length,
        hash,
        mc_seqno: mcSeqno,
        utime: tx.now,
        nominator: accountKey(0, Buffer.from(id, 'hex')),
        type: change.kind,
        amount: change.amount,
        balance_before: change.before.amount,
        balance_after: change.after.amount,
        pending_before: change.before.pendingDeposit,
        pending_after: change.after.pendingDeposit,
        withdraw_before: hadRequest,
        withdraw_after: hasRequest,
      })
    }
  }
  return rows
}

const DEPOSIT_VALIDATOR = 4
const WITHDRAW_VALIDATOR = 5

const kindOf = (order: Order | undefined, moved: bigint): (typeof POOL_VALIDATOR_EVENTS)[number] | undefined => {
  if (order === undefined || moved === 0n) return undefined
  if (isReturn(order)) return moved > 0n ? 'reward' : 'penalty'
  if (order.op === DEPOSIT_VALIDATOR) return 'deposit'
  return order.op === WITHDRAW_VALIDATOR ? 'withdrawal' : undefined
}

export const validatorRows = ({ placed, order, before, after }: Step, mcSeqno: number): readonly WriteRow<typeof poolValidatorEvents>[] => {
  const { account, tx, hash } = placed
  const moved = after.validatorAmount - before.validatorAmount
  const kind = kindOf(order, moved)
  if (order === undefined || kind === undefined) return []
  return [
    {
      pool: account,
      lt: tx.lt,
      hash,
      mc_seqno: mcSeqno,
      utime: tx.now,
      validator: accountKey(MASTERCHAIN, after.config.validatorAddress),
      type: kind,
      amount: moved < 0n ? -moved : moved,
      balance_before: before.validatorAmount,
      balance_after: after.validatorAmount,
      query_id: attempt(() => order.body().loadUintBig(64)),
      cycle_start: before.stakeAt === 0 ? undefined : before.stakeAt,
      reward_share: after.config.validatorRewardShare,
    },
  ]
}
