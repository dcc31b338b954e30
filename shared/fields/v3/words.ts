import { type Field, FieldError, field } from '../field.ts'
import { unconvertible } from './convert.ts'

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

/** A boolean in one of the spellings of v3.md 1.4. */
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

/** Direction of a message. */
export const direction = (what: string): Field<'in' | 'out', 'in' | 'out'> =>
  field({
    what,
    example: 'in',
    expected: 'in or out',
    wire: { type: 'string', enum: ['in', 'out'] },
    read: (value) => {
      if (value !== 'in' && value !== 'out') throw new FieldError('direction should be one of: in, out', { stage: 'validate' })
      return value
    },
  })

/** Direction of a transfer; `both` means no filter. */
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

/** Direction in adjacentTransactions, where any other word means no filter (v3.md 2.1). */
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

/** Words that name sets of actions. Any well-formed word is accepted (v3.md 11.22). */
export const actionTypes = (what: string): Field<readonly string[], string | readonly string[]> =>
  field({
    what,
    example: ['latest'],
    expected: 'names of action types or of a version (latest)',
    wire: { type: 'array', items: { type: 'string' } },
    read: (value) => {
      const words: readonly unknown[] = Array.isArray(value) ? value : [value]
      return words.map((word) => {
        if (typeof word !== 'string' || !/^[A-Za-z0-9_.]{0,100}$/.test(word)) throw new FieldError(unconvertible)
        return word
      })
    },
  })
