import { EMPTY_CELL } from '../samples.ts'
import { decodeBase64 } from './base64.ts'
import { type Field, FieldError, field, quote, unreadable } from './field.ts'
import { readInteger } from './ints.ts'

/** `{"<number>": "<BoC in base64>" | null}`; null removes an entry. The handler gets a map from number (int32) to bytes or undefined. */
export const cellsById = (what: string): Field<ReadonlyMap<number, Uint8Array | undefined>, Readonly<Record<string, string | null>>> =>
  field({
    what,
    example: { '-999': EMPTY_CELL },
    expected: 'an object from parameter number (int32) to a BoC in base64, or null to remove it',
    wire: { type: 'object', additionalProperties: { type: ['string', 'null'], contentEncoding: 'base64' }, minProperties: 1 },
    read: (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FieldError(unreadable)
      const cells = new Map<number, Uint8Array | undefined>()
      for (const [key, text] of Object.entries(value)) {
        const id = readInteger(key)
        const bytes = typeof text === 'string' ? decodeBase64(text) : undefined
        if (id === undefined || id < -(2n ** 31n) || id >= 2n ** 31n)
          throw new FieldError((name) => `${name}: ${quote(key)} is not the number of a parameter`)
        if (text !== null && (bytes === undefined || bytes.length === 0)) throw new FieldError((name) => `failed to parse ${name}.${id}`)
        cells.set(Number(id), bytes)
      }
      if (cells.size === 0) throw new FieldError((name) => `${name} is empty`)
      return cells
    },
  })
