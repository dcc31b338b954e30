import { type Field, FieldError, field, type Say, type WireSchema } from '../field.ts'
import { unconvertibleAt } from './convert.ts'

/** One kind of list element: its reader, what it accepts in words and on the wire. */
export interface Item<T> {
  readonly read: (value: unknown) => T | undefined
  readonly expected: string
  readonly example: unknown
  readonly wire: WireSchema
  /** Elements of a text that holds several with commas between, where it may (v3.md 1.4). */
  readonly pieces?: (text: string) => readonly string[]
}

/** A text at its commas; of nothing between two of them there is no piece. */
export const atCommas = (text: string): readonly string[] => text.split(',').filter((piece) => piece !== '')

export interface ListOptions {
  /** Text for a list that is left out or empty, where one is needed. */
  readonly missing?: Say
  /** Most elements. */
  readonly max?: number
  /** Text for a list of more. */
  readonly over?: Say
}

/** Elements of a list before they are read: repeated keys, an array, a lone value; a text with commas is what its pieces are. */
const elementsOf = <T>(value: unknown, item: Item<T>): readonly unknown[] => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  return given.flatMap((one): readonly unknown[] => {
    if (one === '') return []
    return item.pieces === undefined || typeof one !== 'string' || !one.includes(',') ? [one] : item.pieces(one)
  })
}

/** Most elements of a list: what a statement takes well. */
export const MOST = 1000
/** The same where TON Center's document says so. */
export const MORE = { max: 1024 } as const

type ListField<T> = Field<T, string | readonly string[]>

/**
 * A list of v3. Empty elements are dropped, and a list that holds nothing else is as good as left out (v3.md 1.4); an array without any element
 * is refused, since one of no address is no address.
 */
export function v3List<T>(what: string, item: Item<T>, options: ListOptions & { readonly missing: Say }): ListField<readonly T[]>
export function v3List<T>(what: string, item: Item<T>, options?: ListOptions): ListField<readonly T[] | undefined>
export function v3List<T>(
  what: string,
  item: Item<T>,
  { missing, max = MOST, over = (name) => `${name} list exceeds maximum length of ${max}` }: ListOptions = {},
): ListField<readonly T[] | undefined> {
  return field({
    what,
    example: [item.example],
    expected: `one or more: ${item.expected}${item.pieces ? '; as repeated names, as an array or with commas between' : ''}; at most ${max}`,
    wire: { type: 'array', items: item.wire, maxItems: max },
    ...(missing !== undefined && { missing, absence: { stage: 'validate' } as const }),
    read: (value) => {
      const elements = elementsOf(value, item)
      if (elements.length === 0) {
        if (missing !== undefined) throw new FieldError(missing, { stage: 'validate' })
        if (Array.isArray(value) && value.length === 0) throw new FieldError(unconvertibleAt(0))
        return undefined
      }
      if (elements.length > max) throw new FieldError(over, { stage: 'validate' })
      return elements.map((one, i) => {
        const read = item.read(one)
        if (read === undefined) throw new FieldError(unconvertibleAt(i), { expected: item.expected })
        return read
      })
    },
  })
}

/** Numbers of any length, as texts of digits. */
export const digits = (what: string, refusal: string): ListField<readonly string[] | undefined> =>
  v3List(what, {
    read: (value) => {
      const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
      if (typeof text === 'string' && text.includes(',')) return undefined
      if (typeof text !== 'string' || !/^\d{1,300}$/.test(text)) throw new FieldError(refusal, { stage: 'validate' })
      return String(BigInt(text))
    },
    expected: 'a number in digits',
    example: '7',
    wire: { type: 'string', pattern: '^[0-9]+$' },
    pieces: atCommas,
  })
