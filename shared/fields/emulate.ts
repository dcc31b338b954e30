import { EMPTY_CELL, FRIENDLY, HASH } from '../samples.ts'
import { decodeBase64 } from './base64.ts'
import { type Field, FieldError, field, integerOrText, readWith } from './field.ts'
import { hashOf } from './hash.ts'
import { UNSIGNED } from './ints.ts'

/* Parameters of the emulation methods, with TON Center's error texts (emulate/v1). */

const BASE64 = /^[A-Za-z0-9+/]$/

/** Index of the first invalid character of padded standard base64, as Go's decoder counts. */
const brokenAt = (text: string): number => {
  const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length
  for (let i = 0; i < end; i++) if (!BASE64.test(text[i]!)) return i
  return text.length - (text.length % 4)
}

/** Throws FieldError with `what` and TON Center's text. */
const bytesOf = (text: string, what: string): Uint8Array => {
  const decoded = decodeBase64(text)
  if (decoded === undefined) throw new FieldError(`${what}: illegal base64 data at input byte ${brokenAt(text)}`)
  return decoded
}

export const messageBoc = (what: string): Field<Uint8Array, string> =>
  field({
    what,
    example: EMPTY_CELL,
    expected: 'bytes as standard padded base64, at least one',
    wire: { type: 'string', contentEncoding: 'base64' },
    missing: 'boc is required',
    read: (value) => {
      if (typeof value !== 'string') throw new FieldError('invalid boc: a text is expected')
      if (value === '') throw new FieldError('boc is required')
      return bytesOf(value, 'invalid boc')
    },
  })

/** The wallet's address in any form. Validated later, when the wallet is loaded. */
export const sender = (what: string): Field<string, string> =>
  field({
    what,
    example: FRIENDLY,
    expected: 'an address',
    wire: { type: 'string', minLength: 1, maxLength: 200 },
    missing: 'from address is required for emulation',
    read: (value) => {
      if (typeof value !== 'string' || value === '') throw new FieldError('from address is required for emulation')
      if (value.length > 200 || !/^[\x21-\x7e]*$/.test(value)) throw new FieldError('from is not an address')
      return value
    },
  })

const MAX_MESSAGES = 4
const MAX_AMOUNT = 2n ** 64n - 1n

const amountOf = (value: unknown, i: number): bigint => {
  if (value === undefined || value === null || value === '') throw new FieldError(`amount in message at index ${i} cannot be empty`)
  const say = (why: string): FieldError =>
    new FieldError(`invalid amount in message at index ${i}: parsing "${String(value).slice(0, 80)}": ${why}`)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') throw say('a text is expected')
  const text = String(value)
  if (!/^\d{1,80}$/.test(text)) throw say('invalid syntax')
  const amount = BigInt(text)
  if (amount > MAX_AMOUNT) throw say('value out of range')
  return amount
}

const messageOf = (value: unknown, i: number) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FieldError(`message at index ${i} is not an object`)
  const given = value as Readonly<Record<string, unknown>>
  const { address } = given
  if (typeof address !== 'string' || address === '') throw new FieldError(`message at index ${i} cannot be empty`)
  const amount = amountOf(given['amount'], i)
  const cell = (name: 'payload' | 'stateInit'): Uint8Array | undefined => {
    const text = given[name]
    if (text === undefined || text === null || text === '') return undefined
    const what = `invalid message ${name} at index ${i}`
    if (typeof text !== 'string') throw new FieldError(`${what}: a text is expected`)
    return bytesOf(text, what)
  }
  return { address, amount, payload: cell('payload'), stateInit: cell('stateInit') }
}

export type RequestedMessage = Readonly<ReturnType<typeof messageOf>>

export interface MessageIn {
  readonly address: string
  readonly amount: string | number
  readonly payload?: string | null
  readonly stateInit?: string | null
}

/** One to four messages of a TON Connect request. */
export const requestedMessages = (what: string): Field<readonly RequestedMessage[], readonly MessageIn[]> =>
  field({
    what,
    example: [{ address: FRIENDLY, amount: '50000000' }],
    expected: 'one to four objects with address, amount (nanograms, decimal text), payload and stateInit (BoCs as base64, optional)',
    wire: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_MESSAGES,
      items: {
        type: 'object',
        properties: {
          address: { type: 'string' },
          amount: UNSIGNED,
          payload: { type: ['string', 'null'], contentEncoding: 'base64' },
          stateInit: { type: ['string', 'null'], contentEncoding: 'base64' },
        },
        required: ['address', 'amount'],
      },
    },
    missing: 'messages array cannot be empty',
    read: (value) => {
      if (!Array.isArray(value)) throw new FieldError('messages is not an array')
      if (value.length === 0) throw new FieldError('messages array cannot be empty')
      if (value.length > MAX_MESSAGES) throw new FieldError(`messages array cannot contain more than ${MAX_MESSAGES} messages`)
      return value.map(messageOf)
    },
  })

const digitsOf = (value: unknown): string => (['number', 'bigint', 'string'].includes(typeof value) ? String(value) : '')

/** An integer as a JSON number or decimal text. */
const whole = (what: string, most: number, example: number): Field<number, number | string> =>
  field({
    what,
    example,
    expected: `a whole number from 0 to ${most}`,
    wire: integerOrText({ minimum: 0, maximum: most }),
    read: (value) => {
      const text = digitsOf(value)
      const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      if (!(number <= most)) throw new FieldError((name) => `${name} is not a whole number from 0 to ${most}`)
      return number
    },
  })

export const blockSeqno = (what: string): Field<number, number | string> => whole(what, 2 ** 32 - 1, 1000)
export const unixTime = (what: string): Field<number, number | string> => whole(what, 2 ** 32 - 1, 1_790_000_000)

/** Smallest times since 2001 in nanoseconds, microseconds and milliseconds, with the divisor to seconds. The ranges do not overlap. */
const UNITS = [
  [10n ** 18n, 10n ** 9n],
  [10n ** 15n, 10n ** 6n],
  [10n ** 12n, 10n ** 3n],
] as const

/** Unix time in seconds, milliseconds, microseconds or nanoseconds, recognized by the size of the number. The handler gets seconds. */
export const anyTime = (what: string): Field<number, number | string> =>
  field({
    what,
    example: 1_790_000_300,
    expected: 'unix time in seconds, milliseconds, microseconds or nanoseconds',
    wire: { oneOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]+$' }] },
    read: (value) => {
      const text = digitsOf(value)
      if (!/^-?\d{1,19}$/.test(text)) throw new FieldError((name) => `${name} is not a unix time`)
      const time = BigInt(text)
      const [, unit] = UNITS.find(([least]) => time >= least) ?? [0n, 1n]
      const seconds = time / unit
      return Number(seconds < 0n ? 0n : seconds > 0xffff_ffffn ? 0xffff_ffffn : seconds)
    },
  })

export const seed = (what: string): Field<Uint8Array, string> =>
  field({
    what,
    example: HASH,
    expected: '32 bytes as base64, base64url or 64 hex digits',
    wire: { type: 'string' },
    read: readWith(hashOf, (name) => `${name} is not 32 bytes`),
  })
