import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import { loadAddressExt } from '../../tlb/address.ts'
import { loadRawAddress } from '../../tlb/raw-address.ts'
import { load, opcode } from './messages.ts'

/* Cocoon: workers run models for clients. Proxies stand between them and pay the workers. */

const LAST_WORKER_PAYOUT = opcode('internal cocoon_last_payout_payload')
const WORKER_REQUEST = opcode('internal cocoon_worker_proxy_request')
export const CLIENT_REQUEST = opcode('internal cocoon_client_proxy_request')

export const excesses = call(opcode('internal cocoon_return_excesses_back'))
export const clientRequest = named('client', call(CLIENT_REQUEST))
export const payout = named('payout', call(opcode('internal cocoon_payout')))

/**
 * A signed body, which the notation alone does not describe. https://github.com/TelegramMessenger/cocoon-contracts
 * payout_payload, last_payout_payload, charge_payload, grant_refund_payload
 *   query_id:uint64 tokens:uint64 expected_address:MsgAddress = SignedPayload;
 * The address is shown as text even if it is external: `<bits>;<hex>`, as in TON Center.
 */
const loadSigned = (step: Step) => {
  const s = step.rest()
  const queryId = s.loadUintBig(64)
  const tokens = s.loadUintBig(64)
  if (s.preloadUint(2) !== 1) return { queryId, tokens, expected: loadRawAddress(s) }
  const { bits, data } = loadAddressExt(s)!
  const value = BigInt(`0x0${Buffer.from(data).toString('hex')}`) >> BigInt((8 - (bits & 7)) & 7)
  return { queryId, tokens, expected: `${bits};${value.toString(16)}` }
}

export const cocoonWorkerPayout: Matcher = {
  at: [opcode('internal cocoon_payout_payload'), LAST_WORKER_PAYOUT],
  around: { each: call(WORKER_REQUEST, { all: [payout, optional(excesses)] }) },
  build(step, found, run) {
    const { queryId, tokens } = loadSigned(step)
    const worker = load('internal cocoon_worker_proxy_request', findCall(step.next, WORKER_REQUEST)!.body)
    const paid = found.get('payout')!
    run.group('cocoon_worker_payout', [step, ...found.steps], {
      source: step.source,
      sourceSecondary: step.destination,
      destination: worker.owner_address,
      amount: paid.message.value,
      data: {
        payout_type: step.op === LAST_WORKER_PAYOUT ? 'last' : 'regular',
        query_id: queryId,
        new_tokens: tokens,
        worker_state: worker.state,
        worker_tokens: worker.tokens,
      },
      success: !paid.aborted,
    })
  },
}

export const cocoonProxyPayout: Matcher = {
  at: [opcode('internal cocoon_ext_proxy_payout_request')],
  around: { all: [payout, excesses] },
  build(step, found, run) {
    const { query_id, send_excesses_to: owner } = load('internal cocoon_ext_proxy_payout_request', step.body)
    const paid = found.get('payout')!
    run.group('cocoon_proxy_payout', [step, ...found.steps], {
      source: step.destination,
      destination: paid.destination,
      destinationSecondary: owner,
      data: { query_id },
      success: !paid.aborted,
    })
  },
}

export const cocoonProxyCharge: Matcher = {
  at: [opcode('internal cocoon_charge_payload')],
  around: { all: [excesses, clientRequest] },
  build(step, found, run) {
    const { queryId, tokens, expected } = loadSigned(step)
    run.group('cocoon_proxy_charge', [step, ...found.steps], {
      source: step.destination,
      destination: found.get('client')!.destination,
      amount: 0n,
      data: { query_id: queryId, new_tokens_used: tokens, expected_address: expected },
      success: !step.aborted,
    })
  },
}

/** grant_refund_payload: the proxy returns to a client the funds that the client did not use. */
export const cocoonGrantRefund: Matcher = {
  at: [opcode('internal cocoon_grant_refund_payload')],
  around: { each: named('client', call(CLIENT_REQUEST, { all: [payout, excesses] })) },
  build(step, found, run) {
    const { queryId, tokens, expected } = loadSigned(step)
    const paid = found.get('payout')!
    run.group('cocoon_grant_refund', [step, ...found.steps], {
      source: step.destination,
      sourceSecondary: found.get('client')!.destination,
      destination: paid.destination,
      amount: paid.message.value,
      data: { query_id: queryId, new_tokens_used: tokens, expected_address: expected },
      success: !paid.aborted,
    })
  },
}

export const cocoonRegisterProxy: Matcher = {
  at: [opcode('internal cocoon_register_proxy')],
  around: { each: excesses },
  build(step, found, run) {
    const data = { query_id: load('internal cocoon_register_proxy', step.body).query_id }
    run.group('cocoon_register_proxy', [step, ...found.steps], { destination: step.destination, data, success: !step.aborted })
  },
}

export const cocoonUnregisterProxy: Matcher = {
  at: [opcode('internal cocoon_unregister_proxy')],
  around: { each: excesses },
  build(step, found, run) {
    const { query_id, seqno } = load('internal cocoon_unregister_proxy', step.body)
    const data = { query_id, seqno }
    run.group('cocoon_unregister_proxy', [step, ...found.steps], { destination: step.destination, data, success: !step.aborted })
  },
}
