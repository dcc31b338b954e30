import type { Slice } from '../cell/slice.ts'
import type { Budget, Shape, Value } from './shape.ts'

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

/**
 * The values of a constructor's fields by name. `@type` is the constructor's name. A field is read at its first use, after all fields before it. So code
 * that needs only some fields of a body does not fail if later fields are missing.
 */
export class Fields {
  declare readonly '@type': string
  readonly [field: string]: Value
  readonly #fields: readonly Field[]
  readonly #s: Slice
  readonly #run: Budget
  /** Values of the fields before the position of `#s`. */
  readonly #values: Value[] = []

  constructor(fields: readonly Field[], s: Slice, run: Budget) {
    this.#fields = fields
    this.#s = s
    this.#run = run
  }

  /** Returns the value of the i-th field. Throws CellError if the slice does not fit the fields' types. */
  static at(of: Fields, i: number): Value {
    const values = of.#values
    while (values.length <= i) {
      const { shape, when } = of.#fields[values.length]!
      values.push(when === undefined || when(of) ? shape.load(of.#s, of.#run) : undefined)
    }
    return values[i]
  }

  /** Reads all fields at once, because the caller reads on in the slice after the record. */
  static readAll(of: Fields): Fields {
    Fields.at(of, of.#fields.length - 1)
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
