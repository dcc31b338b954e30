import { bareBocText } from '../../actions/boc-and-hex-texts.ts'
import { data, datum, jsonNumber } from '../../actions/details.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, named } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { load, messages, opcode } from './messages.ts'

/* Multisig v2. https://github.com/ton-blockchain/multisig-contract-v2 */

const APPROVE = opcode('internal multisig_approve')
const ACCEPTED = opcode('internal multisig_approve_accepted')
const REJECTED = opcode('internal multisig_approve_rejected')

const signersOf = (order: Address | null, run: MatcherRun): readonly Address[] | undefined =>
  run.facts.get(order ?? '')?.multisigOrder?.signers

const multisigOrder: Matcher = {
  at: [opcode('internal mulisig_new_order')],
  around: { each: named('order', call(opcode('internal multisig_order_init'))) },
  build(step, found, run) {
    const order = found.get('order')!
    const signers = signersOf(order.destination, run)
    if (signers === undefined) return
    const request = load('internal mulisig_new_order', step.body)
    const init = load('internal multisig_order_init', order.body)
    run.group('multisig_create_order', [step, order], {
      source: step.source,
      destination: step.destination,
      destinationSecondary: order.destination,
      accounts: signers,
      data: {
        query_id: request.query_id,
        order_seqno: request.order_seqno,
        is_created_by_signer: request.signer,
        is_signed_by_creator: init.signer_index !== null,
        creator_index: request.index,
        expiration_date: request.expiration_date,
        // Reference 0 is to the signers, reference 1 to the order.
        order_boc: bareBocText(order.body.ref(1)),
      },
    })
  },
}

/** Returns the index of the signer who approves; -1 for a transfer with the comment "approve", which has no index. */
const signerIndex = ({ op, body }: Step): number =>
  op === APPROVE && body.bits >= 32 + 64 + 8 ? load('internal multisig_approve', body).signer_index : -1

const multisigApproval: Matcher = {
  at: [APPROVE, TRANSFER],
  around: { each: either(named('accepted', call(ACCEPTED)), named('rejected', call(REJECTED))) },
  build(step, found, run) {
    const signers = signersOf(step.destination, run)
    if (signers === undefined || (step.op !== APPROVE && commentOf(step) !== 'approve')) return
    const accepted = found.get('accepted')
    const answer = accepted ?? found.get('rejected')!
    run.group('multisig_approve', [step, answer], {
      source: step.source,
      destination: step.destination,
      success: accepted !== undefined,
      accounts: signers,
      data: {
        signer_index: signerIndex(step),
        exit_code: accepted === undefined ? load('internal multisig_approve_rejected', answer.body).exit_code : 0,
      },
    })
  },
}

const multisigExecution: Matcher = {
  at: [opcode('internal multisig_execute')],
  build(step, _found, run) {
    const signers = signersOf(step.source, run)
    if (signers === undefined) return
    const { query_id, order_seqno, expiration_date, approvals_num, signers_hash } = load('internal multisig_execute', step.body)
    run.group('multisig_execute', [step], {
      source: step.source,
      destination: step.destination,
      success: !step.failed,
      accounts: signers,
      data: {
        query_id,
        order_seqno,
        expiration_date,
        approvals_num,
        signers_hash: Buffer.from(signers_hash.data).toString('base64'),
        order_boc: bareBocText(step.body.ref(0)),
      },
    })
  },
}

const ACTION = { since: 2, shortcuts: ['multisig'] } as const

export const multisig: Protocol = {
  messages,
  matchers: { 'before transfers': [multisigOrder, multisigApproval, multisigExecution] },
  actions: {
    multisig_create_order: {
      ...ACTION,
      details: {
        ...data('query_id', 'order_seqno', 'is_created_by_signer', 'is_signed_by_creator'),
        creator_index: jsonNumber(datum),
        expiration_date: jsonNumber(datum),
        order_boc: datum,
        source: 'source',
        destination: 'destination',
        destination_order: 'destinationSecondary',
      },
    },
    multisig_approve: {
      ...ACTION,
      details: { signer_index: jsonNumber(datum), exit_code: jsonNumber(datum), source: 'source', destination: 'destination' },
    },
    multisig_execute: {
      ...ACTION,
      details: {
        ...data('query_id', 'order_seqno'),
        expiration_date: jsonNumber(datum),
        approvals_num: jsonNumber(datum),
        ...data('signers_hash', 'order_boc'),
        source: 'source',
        destination: 'destination',
      },
    },
  },
}
