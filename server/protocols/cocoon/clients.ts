import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import { loadRefundGranted } from './bodies.ts'
import { load, opcode } from './messages.ts'
import { CLIENT_REQUEST, clientRequest, excesses, payout } from './workers-and-proxies.ts'

const TOP_UP = opcode('internal cocoon_ext_client_top_up')
const REGISTER = opcode('internal cocoon_owner_client_register')
const CHANGE_SECRET = opcode('internal cocoon_owner_client_change_secret_hash')
const REQUEST_REFUND = opcode('internal cocoon_owner_client_request_refund')
const INCREASE_STAKE = opcode('internal cocoon_owner_client_increase_stake')
const WITHDRAW = opcode('internal cocoon_owner_client_withdraw')
const WALLET_SEND = 0x9c69f376

const both = [excesses, clientRequest]

export const cocoonTopUp: Matcher = {
  at: [TOP_UP],
  around: { each: named('proxy', call(CLIENT_REQUEST, { all: [excesses] })) },
  build(step, found, run) {
    const { query_id, top_up_amount: amount, send_excesses_to: owner } = load('internal cocoon_ext_client_top_up', step.body)
    run.group('cocoon_client_top_up', [step, ...found.steps], {
      source: owner,
      destination: step.destination,
      destinationSecondary: found.get('proxy')!.destination,
      amount,
      data: { query_id },
      success: !step.aborted,
    })
  },
}

export const cocoonRegister: Matcher = {
  at: [REGISTER],
  around: { all: both },
  build(step, found, run) {
    const { query_id, nonce, send_excesses_to: owner } = load('internal cocoon_owner_client_register', step.body)
    run.group('cocoon_client_register', [step, ...found.steps], {
      source: owner,
      destination: step.destination,
      data: { query_id, nonce },
      success: !step.aborted,
    })
  },
}

export const cocoonSecretHash: Matcher = {
  at: [CHANGE_SECRET],
  around: { all: both },
  build(step, found, run) {
    const { query_id, new_secret_hash, send_excesses_to: owner } = load('internal cocoon_owner_client_change_secret_hash', step.body)
    run.group('cocoon_client_change_secret_hash', [step, ...found.steps], {
      source: owner,
      destination: step.destination,
      data: { query_id, new_secret_hash: new_secret_hash.toString(16) },
      success: !step.aborted,
    })
  },
}

export const cocoonRequestRefund: Matcher = {
  at: [REQUEST_REFUND],
  around: { before: optional(named('wallet', call(WALLET_SEND))), all: both },
  build(step, found, run) {
    const { query_id, send_excesses_to: owner } = load('internal cocoon_owner_client_request_refund', step.body)
    run.group('cocoon_client_request_refund', [step, ...found.steps], {
      source: owner,
      destination: step.destination,
      data: { query_id, via_wallet: found.get('wallet') !== undefined },
      success: !step.aborted,
    })
  },
}

export const cocoonIncreaseStake: Matcher = {
  at: [INCREASE_STAKE],
  around: { all: both },
  build(step, found, run) {
    const { query_id, new_stake: amount, send_excesses_to: owner } = load('internal cocoon_owner_client_increase_stake', step.body)
    run.group('cocoon_client_increase_stake', [step, ...found.steps], {
      source: owner,
      destination: step.destination,
      amount,
      data: { query_id, new_stake: amount },
      success: !step.aborted,
    })
  },
}

export const cocoonWithdraw: Matcher = {
  at: [WITHDRAW],
  around: { each: named('request', call(CLIENT_REQUEST, { all: [optional(excesses), payout] })) },
  build(step, found, run) {
    const { query_id, send_excesses_to: owner } = load('internal cocoon_owner_client_withdraw', step.body)
    const amount = loadRefundGranted(found.get('request')!)
    run.group('cocoon_client_withdraw', [step, ...found.steps], {
      source: owner,
      destination: step.destination,
      amount,
      data: { query_id, withdraw_amount: amount },
      success: !step.aborted,
    })
  },
}
