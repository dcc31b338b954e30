import { type Field, FieldError, field, type Say, type WireSchema } from '../field.ts'
import { unconvertibleAt } from './convert-errors.ts'

export interface Item<T> {
  readonly read: (value: unknown) => T | undefined
  readonly expected: string
  /** Describes what is accepted, for error texts about an invalid value. By default `expected`. */
  readonly refusal?: (value: unknown) => string
  readonly example: unknown
  readonly wire: WireSchema
  /** Splits a text with several elements at its commas. Undefined if commas do not separate elements of this kind. */
  readonly pieces?: (text: string) => readonly string[]
}

/** Maximum number of elements of which a list is made. Every list accepts fewer. */
const MAX_PIECES = 8192

/** Splits a text at its commas and omits empty parts. Stops after MAX_PIECES parts: a text of a megabyte could have half a million. */
export const atCommas = (text: string): readonly string[] => {
  const pieces: string[] = []
  for (let from = 0; from <= text.length && pieces.length <= MAX_PIECES; ) {
    const comma = text.indexOf(',', from)
    const to = comma === -1 ? text.length : comma
    if (to > from) pieces.push(text.slice(from, to))
    from = to + 1
  }
  return pieces
}

export interface ListOptions {
  readonly missing?: Say
  readonly max?: number
  readonly over?: Say
}

/**
 * Splits a list into its unparsed elements. A caller can repeat the query parameter, or give an array, a single value or a text with commas. Stops soon
 * after `max` elements.
 */
const elementsOf = <T>(value: unknown, item: Item<T>, max: number): readonly unknown[] => {
  const elements: unknown[] = []
  for (const one of Array.isArray(value) ? value : [value]) {
    if (one === '') continue
    const pieces = item.pieces === undefined || typeof one !== 'string' || !one.includes(',') ? [one] : item.pieces(one)
    for (const piece of pieces) elements.push(piece)
    if (elements.length > max) break
  }
  return elements
}

/** Default maximum number of elements of a list. One SQL statement handles this many efficiently. */
export const MAX_ELEMENTS = 1000
/** Maximum number of elements of lists whose limit TON Center's document states. */
export const MORE = { max: 1024 } as const

type ListField<T> = Field<T, string | readonly string[]>

/**
 * A list parameter of v3. Empty elements are dropped. A list with only empty elements counts as absent. An empty array is rejected, because it would
 * silently mean "no filter".
 */
export function v3List<T>(what: string, item: Item<T>, options: ListOptions & { readonly missing: Say }): ListField<readonly T[]>
export function v3List<T>(what: string, item: Item<T>, options?: ListOptions): ListField<readonly T[] | undefined>
export function v3List<T>(
  what: string,
  item: Item<T>,
  { missing, max = MAX_ELEMENTS, over = (name) => `${name} list exceeds maximum length of ${max}` }: ListOptions = {},
): ListField<readonly T[] | undefined> {
  return field({
    what,
    example: [item.example],
    expected: `one or more: ${item.expected}${item.pieces ? '; as repeated names, as an array or separated by commas' : ''}; at most ${max}`,
    wire: { type: 'array', items: item.wire, maxItems: max },
    ...(missing !== undefined && { missing, absence: { stage: 'validate' } as const }),
    read: (value) => {
      const elements = elementsOf(value, item, max)
      if (elements.length === 0) {
        if (missing !== undefined) throw new FieldError(missing, { stage: 'validate' })
        if (Array.isArray(value) && value.length === 0) throw new FieldError(unconvertibleAt(0))
        return undefined
      }
      if (elements.length > max) throw new FieldError(over, { stage: 'validate' })
      return elements.map((one, i) => {
        const read = item.read(one)
        if (read === undefined) throw new FieldError(unconvertibleAt(i), { expected: item.refusal?.(one) ?? item.expected })
        return read
      })
    },
  })
}

/** Integers of any length, as decimal texts. */
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
