import type { Slice } from '../cell/slice.ts'
import type { Budget, Shape } from './shape.ts'
import type { Value } from './values.ts'

/** A field of a record. */
export interface Field {
  readonly name: string
  readonly shape: Shape
  /** Whether the field is present. Depends on the numbers before it. */
  readonly when?: (fields: Readonly<Record<string, Value>>) => boolean
  /** Whether the field is a number that another field depends on. */
  readonly decides?: boolean
  /** The names of the fields of a record without a name: code reads them as fields of the record around it. */
  readonly inner?: readonly string[]
}

/** A field that was passed, and not read yet. */
const PASSED = Symbol('passed')

/**
 * The values of a constructor's fields, by name; `@type` is the constructor's name. A field is read at its first use: code that needs some fields of
 * a body does not read the others, and does not fail if later ones are missing.
 */
export class Fields {
  declare readonly '@type': string
  readonly [field: string]: Value
  readonly #fields: readonly Field[]
  readonly #start: Slice
  readonly #s: Slice
  readonly #run: Budget
  /** As far as `#s` was moved. */
  readonly #values: (Value | typeof PASSED)[] = []

  constructor(fields: readonly Field[], s: Slice, run: Budget) {
    this.#fields = fields
    this.#start = s.clone()
    this.#s = s
    this.#run = run
  }

  /** Moves `s` past the i-th field. */
  #pass(i: number, s: Slice): Value | typeof PASSED {
    const { shape, when, decides } = this.#fields[i]!
    if (when !== undefined && !when(this)) return undefined
    if (shape.skip === undefined || decides) return shape.load(s, this.#run)
    shape.skip(s)
    return PASSED
  }

  #load(i: number, s: Slice): Value {
    const { shape, when } = this.#fields[i]!
    return when === undefined || when(this) ? shape.load(s, this.#run) : undefined
  }

  /** Reads a field that was passed, from the start again: code seldom asks for fields in another order than theirs. */
  #again(i: number): Value {
    const s = this.#start.clone()
    for (let next = 0; next < i; next++) this.#pass(next, s)
    return this.#load(i, s)
  }

  /** The value of the i-th field. Throws CellError if the slice holds something else. */
  static at(of: Fields, i: number): Value {
    const values = of.#values
    if (i >= values.length) {
      for (let next = values.length; next < i; next++) values.push(of.#pass(next, of.#s))
      values.push(of.#load(i, of.#s))
    } else if (values[i] === PASSED) values[i] = of.#again(i)
    return values[i] as Value
  }

  /** Reads all fields: something else follows in the slice. */
  static readAll(of: Fields): Fields {
    for (let next = of.#values.length; next < of.#fields.length; next++) of.#values.push(of.#load(next, of.#s))
    return of
  }
}

/** Makes the values of one constructor from a slice. */
export type Opener = (s: Slice, run: Budget) => Fields

/** A class of its own for each constructor, with a getter for each field. */
export const openerOf = (name: string, fields: readonly Field[]): Opener => {
  const View = class extends Fields {}
  const define = (field: string, get: (this: Fields) => Value): void => {
    if (!Object.hasOwn(View.prototype, field)) Object.defineProperty(View.prototype, field, { get })
  }
  Object.defineProperty(View.prototype, '@type', { value: name })
  for (const [i, { name: field }] of fields.entries())
    define(field, function () {
      return Fields.at(this, i)
    })
  for (const [i, { inner = [] }] of fields.entries()) {
    for (const below of inner)
      define(below, function () {
        return (Fields.at(this, i) as Fields | null)?.[below]
      })
  }
  return (s, run) => new View(fields, s, run)
}
