import { isOfProtocol } from '../../opcode-name.ts'
import { decodedAddress } from '../base/address.ts'
import type { Book, Fields } from '../base/types.ts'

/* Payloads inside bodies. v3 reads them by their opcode alone, and contracts choose small opcodes for themselves. */

const WRAPPERS: readonly unknown[] = ['first_from_either', 'second_from_either', 'something']

const fieldsOf = (value: unknown): Fields | undefined => (typeof value === 'object' && value !== null ? (value as Fields) : undefined)

const typeOf = (value: unknown): string => {
  const fields = fieldsOf(value)
  if (fields && WRAPPERS.includes(fields['@type'])) return typeOf(fields['value'])
  return String(fields?.['@type'] ?? '')
}

/** The accounts that a body may be for: these, and those that it names, such as the recipient of a jetton transfer. */
export const partiesOf = (body: Fields, accounts: readonly (string | null | undefined)[]) => [
  ...accounts,
  ...Object.values(body).map(decodedAddress),
]

/** The members of a body, without what is read in a payload of a protocol if none of `parties` is a contract of that protocol. */
export const withOwnPayloads = (body: Fields, parties: ReturnType<typeof partiesOf>, book: Book): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, isOfProtocol(typeOf(value), parties, book) ? value : { '@type': 'own_protocol' }]),
  )
