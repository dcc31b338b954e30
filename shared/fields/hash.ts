import { HASH } from '../samples.ts'
import { parseAddress } from './address.ts'
import { decodeBase64, decodeBase64Any } from './base64.ts'
import { type Field, FieldError, field, readWith, type Say, unreadable } from './field.ts'
import { decodeHex } from './hex.ts'

/** Parses 44 characters of padded base64 or base64url, 43 characters of unpadded base64url, or 64 hex digits. The result is 32 bytes. */
export const parseHash = (text: string): Uint8Array | undefined => {
  const bytes = read(text)
  return bytes?.length === 32 ? bytes : undefined
}

const read = (text: string): Uint8Array | undefined => {
  if (text.length === 64) return decodeHex(text)
  if (text.length === 43) return decodeUrlSafe(text)
  if (text.length !== 44 || !text.endsWith('=')) return undefined
  return decodeBase64(text.replaceAll(' ', '+')) ?? decodeUrlSafe(text.slice(0, 43))
}

const decodeUrlSafe = (text: string): Uint8Array | undefined => (/[+/]/.test(text) ? undefined : decodeBase64Any(text))

const FORMS = '32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits'
const WIRE = { type: 'string', minLength: 43, maxLength: 64 }

export const hashOf = (value: unknown): Uint8Array | undefined => (typeof value === 'string' ? parseHash(value) : undefined)

export const hash = (what: string, texts: { readonly refused?: (value: unknown) => Say } = {}): Field<Uint8Array, string> =>
  field({
    what,
    example: HASH,
    expected: FORMS,
    wire: WIRE,
    read: (value) => readWith(hashOf, texts.refused?.(value))(value),
  })

/** The empty text counts as absent. */
export const optionalHash = (what: string) =>
  field<Uint8Array | undefined, string>({
    what,
    example: HASH,
    expected: FORMS,
    wire: WIRE,
    read: (value) => (value === '' ? undefined : readWith(hashOf)(value)),
  }).optional()

/** An account id, as a hash or as an address in any form: where a page of a block's transactions starts. The workchain of the address is ignored. */
export const optionalAccountId = (what: string) =>
  field<Uint8Array | undefined, string>({
    what,
    example: HASH,
    expected: `account id: ${FORMS}, or an address`,
    wire: { type: 'string', minLength: 43, maxLength: 76 },
    read: (value) => {
      if (value === '') return undefined
      const id = typeof value === 'string' ? (parseHash(value) ?? parseAddress(value)?.hash) : undefined
      if (id === undefined) throw new FieldError(unreadable)
      return id
    },
  }).optional()
