import { type Field, FieldError, field, type Say, type WireSchema } from '../field.ts'
import { unconvertibleAt } from './convert.ts'

/** One kind of list element: its reader, what it accepts in words and on the wire. */
export interface Item<T> {
  readonly read: (value: unknown) => T | undefined
  readonly expected: string
  readonly wire: WireSchema
  /** Whether one text may hold several with commas between: addresses and hashes (v3.md 1.4). */
  readonly commas: boolean
}

export interface ListOptions {
  /** Text for a list that is left out or empty, where one is needed. */
  readonly missing?: Say
  /** Most elements. */
  readonly max?: number
  /** Text for a list of more. */
  readonly over?: Say
}

/** Elements of a list before they are read: repeated keys, an array, a lone value; a text that is no element itself is split at its commas. */
const elementsOf = <T>(value: unknown, item: Item<T>): readonly unknown[] => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  return given.flatMap((one) => {
    if (one === '') return []
    if (!item.commas || typeof one !== 'string' || !one.includes(',') || item.read(one) !== undefined) return [one]
    return one.split(',').filter((piece) => piece !== '')
  })
}

/** Most elements of a list: what a statement takes well. */
export const MOST = 1000
/** The same where TON Center's document says so. */
export const MORE = { max: 1024 } as const

/**
 * A list of v3. Empty elements are dropped; a list that holds nothing else is refused: a filter that silently falls away has shown people
 * strangers' balances.
 */
export const v3List = <T>(
  item: Item<T>,
  { missing, max = MOST, over = (name) => `${name} list exceeds maximum length of ${max}` }: ListOptions = {},
): Field<readonly T[], string | readonly string[]> =>
  field({
    expected: `one or more: ${item.expected}${item.commas ? '; as repeated names, as an array or with commas between' : ''}; at most ${max}`,
    wire: { type: 'array', items: item.wire, maxItems: max },
    ...(missing !== undefined && { missing, absence: { stage: 'validate' } as const }),
    read: (value) => {
      const elements = elementsOf(value, item)
      if (elements.length === 0) throw new FieldError(missing ?? unconvertibleAt(0), missing === undefined ? {} : { stage: 'validate' })
      if (elements.length > max) throw new FieldError(over, { stage: 'validate' })
      return elements.map((one, i) => {
        const read = item.read(one)
        if (read === undefined) throw new FieldError(unconvertibleAt(i), { expected: item.expected })
        return read
      })
    },
  })

/** Numbers of any length, as texts of digits. */
export const digits = (refusal: string): Field<readonly string[], string | readonly string[]> =>
  v3List({
    read: (value) => {
      const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
      if (typeof text === 'string' && text.includes(',')) return undefined
      if (typeof text !== 'string' || !/^\d{1,300}$/.test(text)) throw new FieldError(refusal, { stage: 'validate' })
      return String(BigInt(text))
    },
    expected: 'a number in digits',
    wire: { type: 'string', pattern: '^[0-9]+$' },
    commas: true,
  })
