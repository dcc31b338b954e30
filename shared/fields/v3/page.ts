import { type Field, FieldError, field, integerOrText, readText } from '../field.ts'
import { readInteger } from '../ints.ts'
import { unconvertible } from './convert-errors.ts'
import { v3Int } from './numbers.ts'

/* limit, offset and sort of v3's lists. tonway adds `cursor` and `as_of`, which keep pages stable while the chain grows. */

const WIDEST = 2n ** 63n
const SIGNED_OR_EMPTY = '^[+-]?[0-9]*$'

const count = (value: unknown): bigint => {
  const n = value === '' ? 0n : readInteger(value)
  if (n === undefined || n >= WIDEST || n < -WIDEST) throw new FieldError(unconvertible)
  return n
}

/** Maximum number of rows in a page. Values below 1 count as 1; values above `max` are rejected. */
const limit = (max: number): Field<number, number | string> =>
  field({
    what: 'Maximum number of rows.',
    example: 10,
    expected: `1 to ${max}; less counts as 1`,
    wire: integerOrText({ format: 'int32', maximum: max }, SIGNED_OR_EMPTY),
    read: (value) => {
      const n = count(value)
      if (n > max) throw new FieldError(`limit is not allowed: ${n} > ${max}`, { stage: 'validate' })
      return n < 1n ? 1 : Number(n)
    },
  })

/** Maximum offset. No table has more rows. */
const FARTHEST = 2n ** 53n - 1n

/** Number of rows to skip. Values below 0 count as 0. */
const offset = (): Field<number, number | string> =>
  field({
    what: 'How many rows to skip. For deep pages use `cursor`, which stays fast.',
    example: 0,
    expected: 'a whole number; below 0 counts as 0',
    wire: integerOrText({ format: 'int64' }, SIGNED_OR_EMPTY),
    read: (value) => {
      const n = count(value)
      return n < 0n ? 0 : Number(n > FARTHEST ? FARTHEST : n)
    },
  })

const DIRECTIONS: Readonly<Record<string, 'asc' | 'desc'>> = { asc: 'asc', a: 'asc', desc: 'desc', d: 'desc' }

/** `asc` or `desc`, in any case. */
const sort = (what = 'Oldest or smallest first (asc), or newest or largest first (desc).'): Field<'asc' | 'desc', string> =>
  field({
    what,
    example: 'desc',
    expected: 'asc or desc',
    wire: { type: 'string' },
    read: (value) => {
      const word = typeof value === 'string' ? value.toLowerCase() : ''
      if (!Object.hasOwn(DIRECTIONS, word)) throw new FieldError('wrong value for sort parameter', { stage: 'validate' })
      return DIRECTIONS[word]!
    },
  })

/** `next_cursor` of the previous page. The empty text means the first page. */
const cursor = (): Field<string, string> =>
  field({
    what: 'Where the page begins. Without it the answer has no `next_cursor`.',
    example: '',
    expected: 'the empty text for the first page, then the `next_cursor` of the page before',
    wire: { type: 'string', maxLength: 200 },
    read: readText((given) => /^[A-Za-z0-9_-]{0,200}$/.test(given), 'invalid cursor', 'validate'),
  })

/** limit and offset, for lists with a fixed order. `sort` is accepted and ignored. */
export const paged = (max: number, rows = 10) => ({
  limit: limit(max).default(rows),
  offset: offset().default(0),
  sort: sort('Accepted and ignored: the list has one order.').optional(),
})

/** limit, offset, sort and `cursor`, for lists of current states. These rows have no masterchain block, so there is no `as_of`. */
export const ordered = (max = 1000, rows = 10) => ({ ...walked(max, rows), sort: sort().default('desc') })

/** limit, offset, sort and `cursor`, with `as_of`, which omits rows of later masterchain blocks. */
export const sorted = (max = 1000, rows = 10) => ({
  ...ordered(max, rows),
  as_of: v3Int('Masterchain seqno: no rows of later blocks, so that pages stay the same.').optional(),
})

/** limit, offset and `cursor`, for lists with a fixed order. `sort` is accepted and ignored. */
export const walked = (max = 1000, rows = 10) => ({ ...paged(max, rows), cursor: cursor().optional() })
