import { type ActionType, unlessNull } from '../../actions/details.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import type { Address } from '../../actions/trace.ts'
import { ELECTOR_OPS } from '../../tlb/contracts/elector.ts'
import { messages } from './messages.ts'

/* Validator stakes. https://github.com/ton-blockchain/ton/blob/master/crypto/smartcont/elector-code.fc */

const ELECTOR: Address = '-1:3333333333333333333333333333333333333333333333333333333333333333'

const electionDeposit: Matcher = {
  at: [ELECTOR_OPS.newStake],
  around: { each: optional(named('confirmed', call(ELECTOR_OPS.newStakeOk, { strict: true }))) },
  build(step, found, run) {
    if (step.destination !== ELECTOR) return
    const success = found.get('confirmed') !== undefined
    run.group('election_deposit', [step, ...found.steps], { source: step.source, amount: step.message.value, success })
  },
}

const electionRecovery: Matcher = {
  at: [ELECTOR_OPS.recoverStake],
  around: { each: optional(named('paid', call(ELECTOR_OPS.recoverStakeOk, { strict: true }))) },
  build(step, found, run) {
    if (step.destination !== ELECTOR) return
    const paid = found.get('paid')
    const amount = paid?.message.value ?? null
    run.group('election_recover', [step, ...found.steps], { source: step.source, amount, success: paid !== undefined })
  },
}

const STAKE: ActionType = { since: 1, details: { stake_holder: 'source', amount: unlessNull('amount') } }

export const elections: Protocol = {
  messages,
  matchers: { operations: [electionDeposit, electionRecovery] },
  actions: { election_deposit: STAKE, election_recover: STAKE },
}
