import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Compilable, createBuilder, type GenericPlan } from '../postgres/reader.ts'
import type { Tables } from '../schema/tables.ts'

/* Statements whose text is always the same. They are built once, and planned once for a connection: either takes as long as to run one. */

/** The place of a value in a statement. */
export type Placeholder = RawBuilder<never>

type Value = Buffer | string | number

/** A statement that is built already, for its values. */
type Fixed<R> = (...values: readonly Value[]) => CompiledQuery<R>

const NUMBER = /\$(\d+)/g

/** The same statement with one number for each place, however often it is used. The builder numbers each use. */
const withoutRepeats = <R>({ sql: text, parameters, ...rest }: CompiledQuery<R>): CompiledQuery<R> => {
  const values: unknown[] = []
  const numbers = parameters.map((value) => {
    const repeated = typeof value === 'object' && value !== null ? values.indexOf(value) : -1
    return repeated < 0 ? values.push(value) : repeated + 1
  })
  return { ...rest, sql: text.replace(NUMBER, (_, number: string) => `$${numbers[Number(number) - 1]}`), parameters: values }
}

/** A statement whose values are given in the order of the places. `build` is called once, at the first use. */
export const fixed = <R>(build: (sql: Kysely<Tables>, ...places: Placeholder[]) => Compilable<R> | CompiledQuery<R>): Fixed<R> => {
  let made: { readonly query: CompiledQuery<R>; readonly order: readonly (number | { readonly constant: unknown })[] } | undefined
  const make = (): NonNullable<typeof made> => {
    // The builder keeps the order of the values, and these identify each value.
    const marks = Array.from({ length: build.length - 1 }, (_, i) => Object.freeze({ place: i }))
    const built = build(createBuilder(), ...marks.map((mark) => sql<never>`${mark}`))
    const query = withoutRepeats('sql' in built ? built : built.compile())
    const order = query.parameters.map((value) => {
      const at = marks.indexOf(value as (typeof marks)[number])
      return at < 0 ? { constant: value } : at
    })
    return { query, order }
  }
  return (...values) => {
    if (values.length !== build.length - 1) throw new Error(`a statement of ${build.length - 1} values got ${values.length}`)
    made ??= make()
    const parameters = made.order.map((of) => (typeof of === 'number' ? values[of] : of.constant))
    const query: CompiledQuery<R> & GenericPlan = { ...made.query, parameters, isGenericPlan: true }
    return query
  }
}
