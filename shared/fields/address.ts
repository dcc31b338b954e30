import type { ErrorKind } from '../errors.ts'
import { FRIENDLY } from '../samples.ts'
import { decodeBase64Any, encodeBase64, encodeBase64Url } from './base64.ts'
import { crc16 } from './crc16.ts'
import { type Field, FieldError, field, quote, type Say } from './field.ts'
import { decodeHex, encodeHex } from './hex.ts'

/** An account address, and the form in which it was written. Answers that repeat an address use the caller's form. */
export interface ParsedAddress {
  readonly workchain: number
  readonly hash: Uint8Array
  readonly form: 'raw' | 'friendly'
  /** true for a raw address. */
  readonly bounceable: boolean
  /** false for a raw address. */
  readonly testOnly: boolean
}

const BOUNCEABLE = 0x11
const NON_BOUNCEABLE = 0x51
const TEST_ONLY = 0x80

/**
 * @internal Parses `<workchain>:<64 hex>`. The workchain must fit the friendly form: TON Center's v3 rejects other workchains, and its v2 finds nothing in
 * them.
 */
export const parseRaw = (text: string): ParsedAddress | undefined => {
  const match = /^(-?\d{1,10}):([0-9a-fA-F]{64})$/.exec(text)
  if (match === null || match[1]!.length > 10) return undefined
  const workchain = Number(match[1])
  if (!fitsFriendly({ workchain })) return undefined
  return { workchain: workchain | 0, hash: decodeHex(match[2]!)!, form: 'raw', bounceable: true, testOnly: false }
}

/**
 * @internal Parses 48 characters of base64 or base64url that encode tag, workchain int8, account id and CRC16. A space counts as `+`, because query strings
 * decode `+` to a space.
 */
export const parseFriendly = (text: string): ParsedAddress | undefined => {
  if (text.length !== 48) return undefined
  const bytes = decodeBase64Any(text.replaceAll(' ', '+'))
  if (bytes === undefined || crc16(bytes, 34) !== ((bytes[34]! << 8) | bytes[35]!)) return undefined
  const tag = bytes[0]! & ~TEST_ONLY
  if (tag !== BOUNCEABLE && tag !== NON_BOUNCEABLE) return undefined
  return {
    workchain: (bytes[1]! << 24) >> 24,
    hash: bytes.slice(2, 34),
    form: 'friendly',
    bounceable: tag === BOUNCEABLE,
    testOnly: (bytes[0]! & TEST_ONLY) !== 0,
  }
}

/** Parses any accepted form; undefined for other texts. */
export const parseAddress = (text: string): ParsedAddress | undefined => (text.includes(':') ? parseRaw(text) : parseFriendly(text))

/** Formats `<workchain>:<64 hex>`: upper case for unpackAddress and `account` members, lower case for detectAddress. */
export const formatRaw = (address: { readonly workchain: number; readonly hash: Uint8Array }, letters: 'upper' | 'lower'): string => {
  const hex = encodeHex(address.hash)
  return `${address.workchain}:${letters === 'upper' ? hex.toUpperCase() : hex}`
}

export const friendlyTag = (bounceable: boolean, testOnly: boolean): number =>
  (bounceable ? BOUNCEABLE : NON_BOUNCEABLE) | (testOnly ? TEST_ONLY : 0)

/** Formats the 48-character form; by default bounceable, not test-only and url-safe. Throws RangeError for a workchain that does not fit int8. */
export const formatFriendly = (
  address: { readonly workchain: number; readonly hash: Uint8Array },
  options: { readonly bounceable?: boolean; readonly testOnly?: boolean; readonly urlSafe?: boolean } = {},
): string => {
  if (!fitsFriendly(address)) throw new RangeError(`workchain ${address.workchain} has no friendly form`)
  const bytes = new Uint8Array(36)
  bytes[0] = friendlyTag(options.bounceable ?? true, options.testOnly ?? false)
  bytes[1] = address.workchain & 0xff
  bytes.set(address.hash, 2)
  const crc = crc16(bytes, 34)
  bytes[34] = crc >> 8
  bytes[35] = crc & 0xff
  return (options.urlSafe ?? true) ? encodeBase64Url(bytes) : encodeBase64(bytes)
}

export const fitsFriendly = (address: { readonly workchain: number }): boolean => address.workchain >= -128 && address.workchain <= 127

export const ADDRESS_FORMS = '48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>'

/** Lengths of a friendly address with characters missing or added; shorter and longer texts are something else. */
const isNearly48 = (length: number): boolean => length >= 40 && length <= 56

const faultOf = (text: string): string => {
  if (text.trim() !== text) return '; spaces do not belong to it'
  if (/^[0-9a-fA-F]{64}$/.test(text)) return '; the workchain before the hex digits is missing'
  if (/^[\w+/-]{48}$/.test(text)) return '; the CRC16 of this one is wrong, so a character is mistyped'
  if (/^[\w+/-]+$/.test(text) && isNearly48(text.length)) return `; this one has ${text.length} characters`
  const digits = /^-?\d{1,3}:([0-9a-fA-F]+)$/.exec(text)?.[1]
  if (digits !== undefined && digits.length !== 64) return `; this one has ${digits.length} hex digits`
  if (/^[^:]+\.(ton|t\.me)$/i.test(text)) return '; dnsResolve finds the address of a domain'
  return ''
}

const OBJECT = '; an Address is given by its toString()'

export const addressRefusal = (value: unknown): string => {
  if (typeof value === 'string') return ADDRESS_FORMS + faultOf(value)
  return typeof value === 'object' && value !== null ? ADDRESS_FORMS + OBJECT : ADDRESS_FORMS
}

/**
 * A required address. `what`: its description. `missing`: error text if it is absent. `kind`: kind of that error. `refused`: error text if it is invalid, by default `Failed to parse
 * ton_addr`.
 */
export const address = (
  what: string,
  {
    missing = 'empty address',
    kind = 'INVALID_PARAMS',
    refused,
  }: { readonly missing?: Say; readonly kind?: ErrorKind; readonly refused?: Say } = {},
): Field<ParsedAddress, string> =>
  field({
    what,
    example: FRIENDLY,
    expected: ADDRESS_FORMS,
    wire: { type: 'string', minLength: 48, maxLength: 76 },
    missing,
    absence: { kind },
    read: (value) => {
      if (value === '') throw new FieldError(missing, { kind })
      const parsed = typeof value === 'string' ? parseAddress(value) : undefined
      if (parsed === undefined)
        throw new FieldError(refused ?? `Failed to parse ton_addr: ${quote(value)}`, { expected: addressRefusal(value) })
      return parsed
    },
  })
