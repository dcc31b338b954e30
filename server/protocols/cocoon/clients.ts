import type { Columns, Values } from '../../actions/action.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { load, loadIf, opcode } from './messages.ts'
import { CLIENT_REQUEST, clientRequest, excesses, payout } from './workers-and-proxies.ts'

const WALLET_SEND = 0x9c69f376

const both = [excesses, clientRequest]

/** The columns of a request that an owner sends to his client's contract. The owner gets the excesses. */
const requestColumns = (step: Step, owner: Address | null, data: Values): Columns => ({
  source: owner,
  destination: step.destination,
  data,
  success: !step.aborted,
})

export const cocoonTopUp: Matcher = {
  at: [opcode('internal cocoon_ext_client_top_up')],
  around: { each: named('proxy', call(CLIENT_REQUEST, { all: [excesses] })) },
  build(step, found, run) {
    const { query_id, top_up_amount: amount, send_excesses_to: owner } = load('internal cocoon_ext_client_top_up', step.body)
    const { destination: destinationSecondary } = found.get('proxy')!
    const columns = { ...requestColumns(step, owner, { query_id }), destinationSecondary, amount }
    run.group('cocoon_client_top_up', [step, ...found.steps], columns)
  },
}

export const cocoonRegister: Matcher = {
  at: [opcode('internal cocoon_owner_client_register')],
  around: { all: both },
  build(step, found, run) {
    const { query_id, nonce, send_excesses_to: owner } = load('internal cocoon_owner_client_register', step.body)
    run.group('cocoon_client_register', [step, ...found.steps], requestColumns(step, owner, { query_id, nonce }))
  },
}

export const cocoonSecretHash: Matcher = {
  at: [opcode('internal cocoon_owner_client_change_secret_hash')],
  around: { all: both },
  build(step, found, run) {
    const { query_id, new_secret_hash, send_excesses_to: owner } = load('internal cocoon_owner_client_change_secret_hash', step.body)
    const data = { query_id, new_secret_hash: new_secret_hash.toString(16) }
    run.group('cocoon_client_change_secret_hash', [step, ...found.steps], requestColumns(step, owner, data))
  },
}

export const cocoonRequestRefund: Matcher = {
  at: [opcode('internal cocoon_owner_client_request_refund')],
  around: { before: optional(named('wallet', call(WALLET_SEND))), all: both },
  build(step, found, run) {
    const { query_id, send_excesses_to: owner } = load('internal cocoon_owner_client_request_refund', step.body)
    const data = { query_id, via_wallet: found.get('wallet') !== undefined }
    run.group('cocoon_client_request_refund', [step, ...found.steps], requestColumns(step, owner, data))
  },
}

export const cocoonIncreaseStake: Matcher = {
  at: [opcode('internal cocoon_owner_client_increase_stake')],
  around: { all: both },
  build(step, found, run) {
    const { query_id, new_stake: amount, send_excesses_to: owner } = load('internal cocoon_owner_client_increase_stake', step.body)
    const columns = { ...requestColumns(step, owner, { query_id, new_stake: amount }), amount }
    run.group('cocoon_client_increase_stake', [step, ...found.steps], columns)
  },
}

export const cocoonWithdraw: Matcher = {
  at: [opcode('internal cocoon_owner_client_withdraw')],
  around: { each: named('request', call(CLIENT_REQUEST, { all: [optional(excesses), payout] })) },
  build(step, found, run) {
    const { query_id, send_excesses_to: owner } = load('internal cocoon_owner_client_withdraw', step.body)
    const { payload } = load('internal cocoon_client_proxy_request', found.get('request')!.body)
    // 0 if the request grants no refund.
    const amount = loadIf('internal cocoon_client_proxy_refund_granted', payload)?.coins ?? 0n
    const columns = { ...requestColumns(step, owner, { query_id, withdraw_amount: amount }), amount }
    run.group('cocoon_client_withdraw', [step, ...found.steps], columns)
  },
}
