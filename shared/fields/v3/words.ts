import { type Field, FieldError, field, oneOf } from '../field.ts'
import { unconvertible } from './convert-errors.ts'
import { atCommas } from './list.ts'

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

/** A boolean in one of TON Center's spellings. */
export const v3Bool = (what: string): Field<boolean, boolean | string> =>
  field({
    what,
    example: true,
    expected: 'true or false (also 1 t T TRUE True, 0 f F FALSE False)',
    wire: { oneOf: [{ type: 'boolean' }, { type: 'string' }] },
    read: (value) => {
      if (value === true || (typeof value === 'string' && TRUE.has(value))) return true
      if (value === false || (typeof value === 'string' && FALSE.has(value))) return false
      throw new FieldError(unconvertible)
    },
  })

export const direction = (what: string) => oneOf(what, ['in', 'out'], 'direction should be one of: in, out', { expected: 'in or out' })

/** Direction of a transfer. `both` means no filter. */
export const side = (what: string): Field<'in' | 'out' | undefined, 'in' | 'out' | 'both'> =>
  field({
    what,
    example: 'out',
    expected: 'in, out or both',
    wire: { type: 'string', enum: ['in', 'out', 'both'] },
    read: (value) => {
      if (value === 'both') return undefined
      if (value !== 'in' && value !== 'out') throw new FieldError('direction should be one of: in, out, both', { stage: 'validate' })
      return value
    },
  })

/** Direction for adjacentTransactions, where any word but `in` and `out` means no filter. */
export const looseDirection = (what: string): Field<'in' | 'out' | undefined, string> =>
  field({
    what,
    example: 'out',
    expected: 'in or out; anything else: both',
    wire: { type: 'string' },
    read: (value) => {
      if (typeof value !== 'string') throw new FieldError(unconvertible)
      return value === 'in' || value === 'out' ? value : undefined
    },
  })

const TYPE = /^[A-Za-z0-9_.]{1,100}$/
/** More than all action types that exist. */
const MAX_TYPES = 1000

/** Names of action types. Any syntactically valid word is accepted. */
const typeNames = (what: string, example: string, expected: string): Field<readonly string[] | undefined, string | readonly string[]> =>
  field({
    what,
    example: [example],
    expected: `${expected}; as repeated names, as an array or separated by commas`,
    wire: { type: 'array', items: { type: 'string' } },
    read: (value) => {
      const words: unknown[] = []
      for (const one of Array.isArray(value) ? value : [value]) {
        for (const word of typeof one === 'string' ? atCommas(one) : [one]) words.push(word)
        if (words.length > MAX_TYPES) break
      }
      if (words.length > MAX_TYPES)
        throw new FieldError((name) => `${name} list exceeds maximum length of ${MAX_TYPES}`, { stage: 'validate' })
      for (const word of words) {
        if (typeof word !== 'string') throw new FieldError(unconvertible)
        if (!TYPE.test(word)) throw new FieldError((name) => `${name} contains invalid characters`, { stage: 'validate' })
      }
      return words.length === 0 ? undefined : (words as readonly string[])
    },
  })

export const actionTypes = (what: string): ReturnType<typeof typeNames> => typeNames(what, 'ton_transfer', 'names of action types')

/** Types of actions that the caller supports: names, or versions that stand for a set of names. */
export const supportedActionTypes = (
  what = 'Which types of actions the caller knows. An action of another type is answered as its parts. The types of the first version are always known.',
): ReturnType<typeof typeNames> => typeNames(what, 'latest', 'names of action types or of a version (v1 to v5, latest)')
