import { FRIENDLY, HASH as SAMPLE_HASH } from '../../samples.ts'
import { ADDRESS_FORMS, addressRefusal, type ParsedAddress, parseAddress } from '../address.ts'
import { type Field, FieldError, field, readWith, type Say } from '../field.ts'
import { unconvertible } from './convert-errors.ts'
import { BYTES32_FORMS, bytes32 } from './ids.ts'
import { atCommas, type Item, type ListOptions, v3List } from './list.ts'

const ADDRESS: Item<ParsedAddress> = {
  read: (value) => (typeof value === 'string' ? parseAddress(value) : undefined),
  expected: ADDRESS_FORMS,
  refusal: addressRefusal,
  example: FRIENDLY,
  wire: { type: 'string' },
  pieces: atCommas,
}
const HASH: Item<Uint8Array> = {
  read: bytes32,
  expected: BYTES32_FORMS,
  example: SAMPLE_HASH,
  wire: { type: 'string' },
  pieces: atCommas,
}

export const addresses = (what: string, options: Pick<ListOptions, 'max'> = {}) => v3List(what, ADDRESS, options)
/** A non-empty list of addresses. `missing`: error text if it is absent. */
export const neededAddresses = (what: string, missing: Say, options: ListOptions = {}) => v3List(what, ADDRESS, { ...options, missing })
export const hashes = (what: string, options: Pick<ListOptions, 'max'> = {}) => v3List(what, HASH, options)

/** Addresses in the caller's spelling. Any text is accepted; a text with commas is split only if each part is an address. */
const SPELLING: Item<string> = {
  read: (value) => (typeof value === 'string' ? value : undefined),
  expected: 'an address',
  example: FRIENDLY,
  wire: { type: 'string' },
  pieces: (text) => {
    const pieces = atCommas(text)
    return pieces.length > 0 && pieces.every((piece) => parseAddress(piece) !== undefined) ? pieces : [text]
  },
}

/** A non-empty list of addresses in the caller's spelling, which are the keys of addressBook's answer. */
export const neededSpellings = (what: string, missing: Say, options: ListOptions = {}) => v3List(what, SPELLING, { ...options, missing })

const single = <T>(what: string, item: Item<T>, missing?: Say): Field<T, string> =>
  field({
    ...(missing !== undefined && { missing, absence: { stage: 'validate' } as const }),
    what,
    example: item.example,
    expected: item.expected,
    wire: item.wire,
    read: (value) => {
      const read = item.read(value)
      if (read === undefined) throw new FieldError(unconvertible, { expected: item.refusal?.(value) ?? item.expected })
      return read
    },
  })

/** One address. `missing`: error text if it is required and absent. */
export const v3Address = (what: string, missing?: Say) => single(what, ADDRESS, missing)
export const v3Hash = (what: string) => single(what, HASH)

/** An address, or the word `null` for "no address". */
export const addressOrNone = (what: string): Field<ParsedAddress | 'none', string> =>
  field({
    what,
    example: FRIENDLY,
    expected: `${ADDRESS.expected}; null: there is none`,
    wire: ADDRESS.wire,
    read: readWith((value) => (value === 'null' ? 'none' : ADDRESS.read(value)), unconvertible),
  })
