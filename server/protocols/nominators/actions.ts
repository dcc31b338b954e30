import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { leftovers } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'

/* https://github.com/ton-blockchain/nominator-pool: comment "d" deposits a stake, comment "w" requests a withdrawal. */

const DEPOSITED = 'nominator_pool_deposit'
const REQUESTED = 'nominator_pool_withdraw_request'
const PROCESS_REQUESTS = 2
const data = { provider: 'nominator' }

const isPool = (step: Step, run: MatcherRun): boolean => run.facts.get(step.destination ?? '')?.nominatorPool === true

const nominatorDeposit: Matcher = {
  at: [TRANSFER],
  build(step, _found, run) {
    if (commentOf(step) !== 'd' || !isPool(step, run)) return
    run.group(DEPOSITED, [step, ...leftovers(step)], {
      type: 'stake_deposit',
      source: step.source,
      destination: step.destination,
      amount: step.message.value,
      data,
      success: !step.failed,
    })
  },
}

/** Returns the amount that a pool paid at once. This is the first of two payments, or a single payment that exceeds the request's value. */
const payoutOf = (step: Step, payments: readonly Step[]): bigint | undefined => {
  const value = (payment: Step | undefined): bigint => payment?.message.value ?? 0n
  if (payments.length === 1) return value(payments[0]) > value(step) ? value(payments[0]) : undefined
  if (payments.length !== 2) return undefined
  return value(payments[0]!.minLt < payments[1]!.minLt ? payments[0] : payments[1])
}

const nominatorWithdrawal: Matcher = {
  at: [TRANSFER],
  build(step, _found, run) {
    if (commentOf(step) !== 'w' || !isPool(step, run)) return
    const payments = step.next.filter(({ kind }) => kind === TRANSFER)
    const amount = payoutOf(step, payments)
    run.group(REQUESTED, [step, ...leftovers(step), ...(payments.length <= 2 ? payments : [])], {
      type: amount === undefined ? 'stake_withdrawal_request' : 'stake_withdrawal',
      source: step.source,
      destination: step.destination,
      ...(amount === undefined ? {} : { amount }),
      data,
      success: !step.failed,
    })
  },
}

/** A message makes the pool pay all requested withdrawals. */
const nominatorPayouts: Matcher = {
  at: [PROCESS_REQUESTS],
  build(step, _found, run) {
    if (!isPool(step, run)) return
    for (const payment of step.next) {
      if (payment.kind !== TRANSFER) continue
      run.group(REQUESTED, [payment], {
        type: 'stake_withdrawal',
        source: payment.destination,
        destination: step.destination,
        amount: payment.message.value,
        data,
      })
    }
  },
}

export const nominators: Protocol = {
  matchers: { 'before transfers': [nominatorDeposit, nominatorWithdrawal, nominatorPayouts] },
}
