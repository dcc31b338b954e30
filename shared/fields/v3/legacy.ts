import { EMPTY_CELL } from '../../samples.ts'
import { address, type ParsedAddress } from '../address.ts'
import { decodeBase64 } from '../base64.ts'
import { type Field, FieldError, field, quote, type Say } from '../field.ts'
import { parseInt257, type StackArgument } from '../stack.ts'
import { unconvertible } from './convert-errors.ts'

/* Parameters of v3's legacy methods. A missing parameter is answered with 401, an invalid parameter with 422. */

const absent = (text: string) => ({ missing: text, absence: { kind: 'MISSING_INPUT' } }) as const
const missing = (text: string): never => {
  throw new FieldError(text, { kind: 'MISSING_INPUT' })
}

/** A required address in any form. `text`: error text if it is absent. */
export const neededAddress = (what: string, text: string): Field<ParsedAddress, string> =>
  address(what, { missing: text, kind: 'MISSING_INPUT', refused: unconvertible })

/** Required bytes as standard base64. `text`: error text if they are absent. */
export const neededBytes = (what: string, text: string): Field<Uint8Array, string> =>
  field({
    ...absent(text),
    what,
    example: EMPTY_CELL,
    expected: 'bytes as standard padded base64, at least one',
    wire: { type: 'string', contentEncoding: 'base64', minLength: 1 },
    read: (value) => {
      if (value === '') missing(text)
      const decoded = typeof value === 'string' ? decodeBase64(value) : undefined
      if (decoded === undefined || decoded.length === 0) throw new FieldError(unconvertible)
      return decoded
    },
  })

export const neededMethod = (what: string, text: string): Field<string, string> =>
  field({
    ...absent(text),
    what,
    example: 'seqno',
    expected: 'name of a get-method',
    wire: { type: 'string', minLength: 1, maxLength: 255 },
    read: (value) => {
      if (value === '') missing(text)
      if (typeof value !== 'string' || value.length > 255) throw new FieldError(unconvertible)
      return value
    },
  })

export interface V3StackEntryIn {
  readonly type: 'num' | 'cell' | 'slice'
  readonly value: string
}

/** tonlib's limit for an input stack. */
const MAX_LENGTH = 8000

const at =
  (index: number, what: string): Say =>
  () =>
    `stack entry ${index}: ${what}`

const argument = (entry: unknown, index: number): StackArgument => {
  const { type, value } = typeof entry === 'object' && entry !== null ? (entry as { type?: unknown; value?: unknown }) : {}
  if (type === undefined) throw new FieldError(at(index, 'an object with type and value is expected'))
  if (type === 'num') {
    const number = typeof value === 'string' ? parseInt257(value) : undefined
    if (number === undefined) throw new FieldError(at(index, `invalid number ${quote(value)}`))
    return { type, value: number }
  }
  if (type === 'cell' || type === 'slice') {
    const boc = typeof value === 'string' ? decodeBase64(value) : undefined
    if (boc === undefined || boc.length === 0) throw new FieldError(at(index, `invalid ${type}, a BoC in base64 is expected`))
    return { type, boc }
  }
  throw new FieldError(`unsupported stack parameter type: ${typeof type === 'string' ? type.slice(0, 100) : quote(type)}`, {
    kind: 'CHAIN',
  })
}

/** Arguments as `{type, value}`. The first is pushed first. */
export const v3Stack = (what: string): Field<readonly StackArgument[], readonly V3StackEntryIn[]> =>
  field({
    what,
    example: [{ type: 'num', value: '0x1f' }],
    expected: 'an array of {type, value} with types num (decimal or 0x text), cell and slice (BoC in base64)',
    wire: {
      type: 'array',
      items: {
        type: 'object',
        properties: { type: { type: 'string', enum: ['num', 'cell', 'slice'] }, value: { type: 'string' } },
        required: ['type', 'value'],
      },
    },
    read: (value) => {
      if (!Array.isArray(value) || value.length > MAX_LENGTH) throw new FieldError(unconvertible)
      return value.map(argument)
    },
  })
