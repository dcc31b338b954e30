import type { Slice } from '../cell/slice.ts'
import type { Budget, Shape } from './shape.ts'
import type { Value } from './values.ts'

export interface Field {
  readonly name: string
  readonly shape: Shape
  /** Returns whether the field is present, from the numbers in earlier fields. */
  readonly when?: (fields: Readonly<Record<string, Value>>) => boolean
  /** True if the field is a number that decides whether another field is present. */
  readonly decides?: boolean
  /** Field names of a record that has no name itself. Code reads these fields as fields of the outer record. */
  readonly inner?: readonly string[]
}

/** Stands for the value of a field that was skipped and is not yet read. */
const PASSED = Symbol('passed')

/**
 * The values of a constructor's fields by name. `@type` is the constructor's name. A field is read at its first use. So code that needs only some
 * fields of a body does not fail if later fields are missing.
 */
export class Fields {
  declare readonly '@type': string
  readonly [field: string]: Value
  readonly #fields: readonly Field[]
  readonly #start: Slice
  readonly #s: Slice
  readonly #run: Budget
  /** Values of the fields before the position of `#s`. A skipped field has PASSED. */
  readonly #values: (Value | typeof PASSED)[] = []

  constructor(fields: readonly Field[], s: Slice, run: Budget) {
    this.#fields = fields
    this.#start = s.clone()
    this.#s = s
    this.#run = run
  }

  /** Moves `s` past the i-th field. Returns its value if it had to be loaded for that, otherwise PASSED. */
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

  /** Reads a skipped field, starting again at the first field. This is rare: code mostly reads fields in their order. */
  #again(i: number): Value {
    const s = this.#start.clone()
    for (let next = 0; next < i; next++) this.#pass(next, s)
    return this.#load(i, s)
  }

  /** Returns the value of the i-th field. Throws CellError if the slice does not fit the field's type. */
  static at(of: Fields, i: number): Value {
    const values = of.#values
    if (i >= values.length) {
      for (let next = values.length; next < i; next++) values.push(of.#pass(next, of.#s))
      values.push(of.#load(i, of.#s))
    } else if (values[i] === PASSED) values[i] = of.#again(i)
    return values[i] as Value
  }

  /** Reads all fields at once, because the caller reads on in the slice after the record. */
  static readAll(of: Fields): Fields {
    for (let next = of.#values.length; next < of.#fields.length; next++) of.#values.push(of.#load(next, of.#s))
    return of
  }
}

export type Opener = (s: Slice, run: Budget) => Fields

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
