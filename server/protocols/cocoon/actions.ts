import { data, datum, type Fields, jsonNumber } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { cocoonIncreaseStake, cocoonRegister, cocoonRequestRefund, cocoonSecretHash, cocoonTopUp, cocoonWithdraw } from './clients.ts'
import { messages } from './messages.ts'
import {
  cocoonGrantRefund,
  cocoonProxyCharge,
  cocoonProxyPayout,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonWorkerPayout,
} from './workers-and-proxies.ts'

const PAYMENT: Fields = { source: 'source', destination: 'destination', amount: 'amount' }

const ACTION = { since: 4, shortcuts: ['cocoon'] } as const

export const cocoon: Protocol = {
  messages,
  matchers: {
    operations: [
      ...[cocoonWorkerPayout, cocoonProxyPayout, cocoonProxyCharge, cocoonTopUp],
      ...[cocoonRegisterProxy, cocoonUnregisterProxy, cocoonRegister, cocoonSecretHash],
      ...[cocoonRequestRefund, cocoonGrantRefund, cocoonIncreaseStake, cocoonWithdraw],
    ],
  },
  actions: {
    cocoon_worker_payout: {
      ...ACTION,
      details: { ...data('payout_type', 'query_id', 'new_tokens'), worker_state: jsonNumber(datum), worker_tokens: datum, ...PAYMENT },
    },
    cocoon_proxy_payout: { ...ACTION, details: { query_id: datum, source: 'source', destination: 'destination' } },
    cocoon_proxy_charge: {
      ...ACTION,
      details: { ...data('query_id', 'new_tokens_used', 'expected_address'), source: 'source', destination: 'destination' },
    },
    cocoon_client_top_up: { ...ACTION, details: { query_id: datum, ...PAYMENT } },
    cocoon_register_proxy: { ...ACTION, details: { query_id: datum, destination: 'destination' } },
    cocoon_unregister_proxy: { ...ACTION, details: { query_id: datum, seqno: jsonNumber(datum), destination: 'destination' } },
    cocoon_client_register: { ...ACTION, details: { query_id: datum, nonce: datum, source: 'source', destination: 'destination' } },
    cocoon_client_change_secret_hash: {
      ...ACTION,
      details: { query_id: datum, new_secret_hash: datum, source: 'source', destination: 'destination' },
    },
    cocoon_client_request_refund: {
      ...ACTION,
      details: { query_id: datum, via_wallet: datum, source: 'source', destination: 'destination' },
    },
    cocoon_grant_refund: { ...ACTION, details: { ...data('query_id', 'new_tokens_used', 'expected_address'), ...PAYMENT } },
    cocoon_client_increase_stake: { ...ACTION, details: { query_id: datum, new_stake: datum, ...PAYMENT } },
    cocoon_client_withdraw: { ...ACTION, details: { query_id: datum, withdraw_amount: datum, ...PAYMENT } },
  },
}
