import { HASH_HEX } from '../../samples.ts'
import { type Field, field, readWith } from '../field.ts'
import { parseHash } from '../hash.ts'
import { decodeHex } from '../hex.ts'

export const BYTES32_FORMS = '32 bytes as 64 hex digits (0x before them or not), base64 or base64url'

export const bytes32 = (value: unknown): Uint8Array | undefined => {
  if (typeof value !== 'string') return undefined
  return /^0[xX][0-9a-fA-F]{64}$/.test(value) ? decodeHex(value.slice(2)) : parseHash(value)
}

/** 32 bytes that are not a hash: a validator's public key or ADNL address. */
export const id32 = (what: string): Field<Uint8Array, string> =>
  field({
    what,
    example: HASH_HEX,
    expected: BYTES32_FORMS,
    wire: { type: 'string', minLength: 43, maxLength: 66 },
    read: readWith(bytes32, (name) => `${name} must be a 32-byte value in hex, base64 or base64url format`, 'validate'),
  })
