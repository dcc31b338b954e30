import { type Field, FieldError, field, readWith, type Say, unreadable } from './field.ts'

const TRUE = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const FALSE = new Set(['n', 'no', 'f', 'false', 'off', '0'])

/** A boolean, a number (0 is false), or a word in any case: y yes t true on 1 / n no f false off 0. */
export const bool = (what: string): Field<boolean, boolean | number | string> =>
  field({
    what,
    example: true,
    expected: 'true or false (also y yes t on 1 / n no f off 0)',
    wire: { oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string' }] },
    read: (value) => {
      if (typeof value === 'boolean') return value
      if (typeof value === 'number') return value !== 0
      const word = typeof value === 'string' ? value.toLowerCase() : ''
      if (TRUE.has(word)) return true
      if (FALSE.has(word)) return false
      throw new FieldError(unreadable)
    },
  })

/** Only a JSON boolean (ignore_chksig of estimateFee). */
export const jsonBool = (what: string, refusal: Say = unreadable): Field<boolean, boolean> =>
  field({
    what,
    example: true,
    expected: 'JSON true or false',
    wire: { type: 'boolean' },
    read: readWith((value) => (typeof value === 'boolean' ? value : undefined), refusal),
  })
