import { EMPTY_CELL } from '../samples.ts'
import { decodeBase64Any } from './base64.ts'
import { type Field, FieldError, field, unreadable } from './field.ts'
import { readInteger } from './ints.ts'

/* Parameters of v4 that have their own form in the URL path. */

/** Maximum number of configuration parameters in one call. TON's networks have about 50. */
const MAX_IDS = 256
const INT32 = 2n ** 31n

const readId = (value: unknown): number => {
  const id = readInteger(typeof value === 'string' ? value.trim() : value)
  if (id === undefined || id < -INT32 || id >= INT32) throw new FieldError(unreadable)
  return Number(id)
}

/** Numbers of configuration parameters: a list, or one text with commas. */
export const configIds = (what: string): Field<readonly number[], readonly (number | string)[] | number | string> =>
  field({
    what,
    example: [0, 15],
    expected: `numbers of configuration parameters (32-bit integers), separated by commas, at most ${MAX_IDS}`,
    wire: { type: 'array', items: { type: 'integer', format: 'int32' }, maxItems: MAX_IDS },
    read: (value) => {
      const given: readonly unknown[] = Array.isArray(value) ? value : [value]
      if (given.length > MAX_IDS) throw new FieldError(unreadable)
      const ids = given.flatMap((each) => (typeof each === 'string' ? each.split(',', MAX_IDS + 1) : [each]))
      if (ids.length > MAX_IDS) throw new FieldError(unreadable)
      return ids.map(readId)
    },
  })

const MAX_ARGS = 12 << 10

/** A regular expression such as /=+$/ would begin again at each `=` of a text that ends otherwise. */
const withoutPadding = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '=') end--
  return text.slice(0, end)
}

/** Arguments of a get-method: a VmStack as a BoC in base64 or base64url, at most MAX_ARGS characters because they are a part of the URL. */
export const stackBoc = (what: string): Field<Uint8Array, string> =>
  field({
    what,
    example: EMPTY_CELL,
    expected: `a VmStack as a BoC, in base64 or base64url, at most ${MAX_ARGS} characters`,
    wire: { type: 'string', contentEncoding: 'base64', maxLength: MAX_ARGS },
    read: (value) => {
      if (typeof value === 'string' && value.length > MAX_ARGS)
        throw new FieldError((name) => `${name} is over ${MAX_ARGS} characters; runGetMethod takes more`, { kind: 'URI_TOO_LONG' })
      const boc = typeof value === 'string' ? decodeBase64Any(withoutPadding(value)) : undefined
      if (boc === undefined) throw new FieldError(unreadable)
      return boc
    },
  })
