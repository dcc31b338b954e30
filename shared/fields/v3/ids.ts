import { HASH_HEX } from '../../samples.ts'
import { type Field, FieldError, field } from '../field.ts'
import { parseHash } from '../hash.ts'
import { decodeHex } from '../hex.ts'

/** 32 bytes that are not a hash: a validator's public key or ADNL address. */
export const id32 = (what: string): Field<Uint8Array, string> =>
  field({
    what,
    example: HASH_HEX,
    expected: '32 bytes as 64 hex digits (0x before them or not), base64 or base64url',
    wire: { type: 'string', minLength: 43, maxLength: 66 },
    read: (value) => {
      const text = typeof value === 'string' ? value : ''
      const bytes = /^0[xX][0-9a-fA-F]{64}$/.test(text) ? decodeHex(text.slice(2)) : parseHash(text)
      if (bytes === undefined) {
        throw new FieldError((name) => `${name} must be a 32-byte value in hex, base64 or base64url format`, { stage: 'validate' })
      }
      return bytes
    },
  })

export const oneOf = <W extends string>(what: string, words: readonly [W, ...W[]]): Field<W, W> =>
  field({
    what,
    example: words[0],
    expected: words.join(', '),
    wire: { type: 'string', enum: words },
    read: (value) => {
      const word = words.find((each) => each === value)
      if (word === undefined) throw new FieldError((name) => `${name} must be one of: ${words.join(', ')}`, { stage: 'validate' })
      return word
    },
  })
