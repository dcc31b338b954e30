import { bareBocText } from '../../actions/boc-and-hex-texts.ts'
import { datum } from '../../actions/details.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, named } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { loadMessage } from '../../tlb/message/message.ts'
import { loadRawAddress, rawAddress } from '../../tlb/raw-address.ts'
import { messages, opcode } from './messages.ts'

/* Vesting wallet. https://github.com/ton-blockchain/vesting-contract */

/** Returns whether the wallet sent the requested message. Its answer does not show this, because the wallet answers in any case. */
const wasSent = (step: Step, destination: Address | null, body: Cell): boolean =>
  step.nodes[0]!.tx.outMessages.some((sent) => sent.destination === destination && sent.body.hashKey() === body.hashKey())

/** vesting_send_message query_id:uint64 send_mode:uint8 message:^(MessageRelaxed Any) = InternalMsgBody; */
const vestingSend: Matcher = {
  at: [opcode('internal vesting_send_message')],
  around: { each: named('response', call(opcode('internal vesting_send_message_response'))) },
  build(step, found, run) {
    const s = step.rest()
    const queryId = s.loadUintBig(64)
    const cell = s.skip(8).loadRef()
    const { info, body } = loadMessage(cell)
    if (info.type !== 'internal') return
    const { dest, value } = info
    const destination = dest.type === 'std' ? rawAddress(dest.workchain, dest.hash) : null
    run.group('vesting_send_message', [step, found.get('response')!], {
      source: step.source,
      destination: step.destination,
      destinationSecondary: destination,
      success: wasSent(step, destination, body),
      amount: value.grams,
      data: { query_id: queryId, message_boc: bareBocText(cell) },
    })
  },
}

/** vesting_add_white_list query_id:uint64 address:MsgAddress next:^(the same) ... = InternalMsgBody; */
const addressesOf = (step: Step): Address[] => {
  const addresses: Address[] = []
  let s = step.rest().skip(64)
  for (;;) {
    const address = loadRawAddress(s)
    if (address !== null) addresses.push(address)
    if (s.remainingRefs === 0) return addresses
    s = s.loadRef().slice()
  }
}

const vestingWhitelist: Matcher = {
  at: [opcode('internal vesting_add_white_list')],
  around: { each: named('response', call(opcode('internal vesting_add_white_list_response'))) },
  build(step, found, run) {
    run.group('vesting_add_whitelist', [step, found.get('response')!], {
      source: step.source,
      destination: step.destination,
      data: { query_id: step.rest().loadUintBig(64), accounts_added: addressesOf(step) },
    })
  },
}

export const vesting: Protocol = {
  messages,
  matchers: { 'before transfers': [vestingSend, vestingWhitelist] },
  actions: {
    vesting_send_message: {
      since: 2,
      shortcuts: ['vesting'],
      details: {
        query_id: datum,
        message_boc: datum,
        source: 'source',
        vesting: 'destination',
        destination: 'destinationSecondary',
        amount: 'amount',
      },
    },
    vesting_add_whitelist: {
      since: 2,
      shortcuts: ['vesting'],
      details: { query_id: datum, accounts_added: datum, source: 'source', vesting: 'destination' },
    },
  },
}
