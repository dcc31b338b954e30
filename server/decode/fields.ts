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

/**
 * The values of a constructor's fields, by name; `@type` is the constructor's name. A field is read when it is asked for, together with those before
 * it: code that needs the first fields of a body does not pay for the others, and does not mind if they are missing.
 */
export class Fields {
  declare readonly '@type': string
  readonly [field: string]: Value
  readonly #fields: readonly Field[]
  readonly #s: Slice
  readonly #run: Budget
  readonly #values: Value[] = []

  constructor(fields: readonly Field[], s: Slice, run: Budget) {
    this.#fields = fields
    this.#s = s
    this.#run = run
  }

  /** The value of the i-th field. Throws CellError if the slice holds something else. */
  static at(of: Fields, i: number): Value {
    const values = of.#values
    for (let next = values.length; next <= i; next++) {
      const { shape, when } = of.#fields[next]!
      values.push(when === undefined || when(of) ? shape.load(of.#s, of.#run) : undefined)
    }
    return values[i]
  }

  /** Reads all fields: something else follows in the slice. */
  static readAll(of: Fields): Fields {
    Fields.at(of, of.#fields.length - 1)
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
