import { bareBocText } from '../../actions/answer-texts.ts'
import { data, datum, jsonNumber } from '../../actions/details.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, named } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { messages, opcode } from './messages.ts'

/* https://github.com/ton-blockchain/multisig-contract-v2 */

const NEW_ORDER = opcode('internal mulisig_new_order')
const INIT_ORDER = opcode('internal multisig_order_init')
const APPROVE = opcode('internal multisig_approve')
const ACCEPTED = opcode('internal multisig_approve_accepted')
const REJECTED = opcode('internal multisig_approve_rejected')
const EXECUTE = opcode('internal multisig_execute')

const signersOf = (order: Address | null, run: MatcherRun): readonly Address[] | undefined =>
  run.facts.get(order ?? '')?.multisigOrder?.signers

/**
 * new_order query_id:uint64 order_seqno:uint256 signer:(## 1) index:uint8 expiration_date:uint48 order:^Order = InternalMsgBody;
 * init query_id:uint64 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) expiration_date:uint48 order:^Order
 *   approve_on_init:(## 1) signer_index:approve_on_init?uint8 = InternalMsgBody;
 */
const multisigOrder: Matcher = {
  name: 'multisig order',
  at: [NEW_ORDER],
  around: { each: named('order', call(INIT_ORDER)) },
  build(step, found, run) {
    const order = found.get('order')!
    const signers = signersOf(order.destination, run)
    if (signers === undefined) return
    const s = step.rest()
    const queryId = s.loadUintBig(64)
    const seqno = s.loadUintBig(256)
    const isSigner = s.loadBit()
    const index = s.loadUint(8)
    const init = order.rest().skip(64 + 8)
    init.loadRef()
    init.skip(48)
    const order_boc = bareBocText(init.loadRef())
    run.group('multisig_create_order', [step, order], {
      source: step.source,
      destination: step.destination,
      destinationSecondary: order.destination,
      accounts: signers,
      data: {
        query_id: queryId,
        order_seqno: seqno,
        is_created_by_signer: isSigner,
        is_signed_by_creator: init.loadBit(),
        creator_index: index,
        expiration_date: s.loadUint(48),
        order_boc,
      },
    })
  },
}

/** approve query_id:uint64 signer_index:uint8, or a transfer with the comment "approve", which has no index (-1). */
const signerIndex = (step: Step): number => {
  const s = step.rest()
  return step.op === APPROVE && s.remainingBits >= 72 ? s.skip(64).loadUint(8) : -1
}

/** approve_rejected query_id:uint64 exit_code:uint32 = InternalMsgBody; */
const multisigApproval: Matcher = {
  name: 'multisig approval',
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
        exit_code: accepted === undefined ? answer.rest().skip(64).loadUint(32) : 0,
      },
    })
  },
}

/**
 * execute query_id:uint64 order_seqno:uint256 expiration_date:uint48 approvals_num:uint8 signers_hash:bits256
 *   order:^Order = InternalMsgBody;
 */
const multisigExecution: Matcher = {
  name: 'multisig execution',
  at: [EXECUTE],
  build(step, _found, run) {
    const signers = signersOf(step.source, run)
    if (signers === undefined) return
    const s = step.rest()
    run.group('multisig_execute', [step], {
      source: step.source,
      destination: step.destination,
      success: !step.failed,
      accounts: signers,
      data: {
        query_id: s.loadUintBig(64),
        order_seqno: s.loadUintBig(256),
        expiration_date: s.loadUint(48),
        approvals_num: s.loadUint(8),
        signers_hash: Buffer.from(s.loadBytes(32)).toString('base64'),
        order_boc: bareBocText(s.loadRef()),
      },
    })
  },
}

const ACTION = { since: 2, shortcuts: ['multisig'] } as const

export const multisig: Protocol = {
  name: 'multisig',
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
        query_id: datum,
        order_seqno: datum,
        expiration_date: jsonNumber(datum),
        approvals_num: jsonNumber(datum),
        signers_hash: datum,
        order_boc: datum,
        source: 'source',
        destination: 'destination',
      },
    },
  },
}
