import { computed, datum, datumOf, type Fields, unlessNull } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { tag } from '../../decode/notation.ts'
import { messages } from './messages.ts'

const CALL: Fields = {
  opcode: unlessNull(computed(({ opcode }) => (opcode === null ? null : `0x${tag(opcode)}`))),
  source: unlessNull('source'),
  destination: unlessNull('destination'),
  value: unlessNull('value'),
}
const extraCurrencies = computed(({ extraCurrencies: currencies }) =>
  Object.fromEntries([...(currencies ?? [])].map(([id, amount]) => [String(id), amount])),
)

/** Actions of single messages. No matcher makes them: a message becomes such an action if no matcher has grouped it. */
export const basic: Protocol = {
  messages,
  actions: {
    call_contract: { since: 1, details: { ...CALL, extra_currencies: extraCurrencies } },
    contract_deploy: { since: 1, details: CALL },
    ton_transfer: {
      since: 1,
      details: {
        source: 'source',
        destination: 'destination',
        value: 'value',
        value_extra_currencies: extraCurrencies,
        comment: datumOf('content'),
        encrypted: datum,
      },
    },
    tick_tock: { since: 1, details: {} },
    unknown: { since: 2 },
    // Clients may request these types, but no matcher makes them yet.
    change_wallet_key: { since: 5 },
    gasless_request: { since: 5 },
  },
}
