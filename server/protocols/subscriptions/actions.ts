import { unlessNull } from '../../actions/details.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { findCall } from '../../actions/step.ts'
import { messages, opcode } from './messages.ts'

/* Plugins of wallets v4. https://github.com/ton-blockchain/wallet-contract */

const PAYMENT_REQUEST = opcode('internal payment_request')
const PAYMENT = opcode('internal subscription_payment')
const DESTRUCT = opcode('internal wallet_plugin_destruct')

/** payment_request query_id:uint64 amount:CurrencyCollection = InternalMsgBody; */
const subscription: Matcher = {
  at: [opcode('internal payment_confirmed')],
  around: { each: call(PAYMENT), before: optional(call(PAYMENT_REQUEST)) },
  build(step, found, run) {
    const request = findCall(found.steps, PAYMENT_REQUEST)
    run.group('subscribe', [step, ...found.steps], {
      source: step.source,
      destination: findCall(found.steps, PAYMENT)!.destination,
      destinationSecondary: step.destination,
      amount: request === undefined ? step.message.value : request.rest().skip(64).loadCoins(),
      success: request?.failed !== true,
    })
  },
}

const unsubscription: Matcher = {
  at: [DESTRUCT],
  around: { each: optional(call(DESTRUCT)) },
  build(step, found, run) {
    run.group('unsubscribe', [step, ...found.steps], {
      source: step.source,
      destination: findCall(found.steps, DESTRUCT)?.destination ?? null,
      destinationSecondary: step.destination,
    })
  },
}

export const subscriptions: Protocol = {
  messages,
  matchers: { operations: [subscription, unsubscription] },
  actions: {
    subscribe: {
      since: 1,
      details: { subscriber: 'source', beneficiary: unlessNull('destination'), subscription: 'destinationSecondary', amount: 'amount' },
    },
    unsubscribe: {
      since: 1,
      details: {
        subscriber: 'source',
        beneficiary: unlessNull('destination'),
        subscription: 'destinationSecondary',
        amount: unlessNull('amount'),
      },
    },
  },
}
