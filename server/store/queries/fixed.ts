import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Compilable, createBuilder, type GenericPlan } from '../postgres/reader.ts'
import type { Tables } from '../schema/tables.ts'

/* Statements with a constant text. They are built once, and planned once per connection: each of these steps takes as long as running a short statement. */

export type Placeholder = RawBuilder<never>

type Value = Buffer | string | number

/** Puts values into a statement that is already built. */
type Fixed<R> = (...values: readonly Value[]) => CompiledQuery<R>

const NUMBER = /\$(\d+)/g

/** Gives each placeholder one number. The builder numbers every use of a placeholder separately. */
const withoutRepeats = <R>({ sql: text, parameters, ...rest }: CompiledQuery<R>): CompiledQuery<R> => {
  const values: unknown[] = []
  const numbers = parameters.map((value) => {
    const repeated = typeof value === 'object' && value !== null ? values.indexOf(value) : -1
    return repeated < 0 ? values.push(value) : repeated + 1
  })
  return { ...rest, sql: text.replace(NUMBER, (_, number: string) => `$${numbers[Number(number) - 1]}`), parameters: values }
}

/** Creates a statement that takes its values in the order of `places`. `build` is called once, at the first use. */
export const fixed = <R>(build: (sql: Kysely<Tables>, ...places: Placeholder[]) => Compilable<R> | CompiledQuery<R>): Fixed<R> => {
  let made: { readonly query: CompiledQuery<R>; readonly order: readonly (number | { readonly constant: unknown })[] } | undefined
  const make = (): NonNullable<typeof made> => {
    // The compiled query has its parameters in the order of their use. Unique marker objects show which parameter belongs where.
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
