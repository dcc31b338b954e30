import type { CompiledQuery } from 'kysely'
import type { Compilable, Reader } from '../../server/store/pool.ts'

/* A reader that explains each statement before it runs it: for tests of plans. */

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** Tables that a plan reads from end to end. */
const scans = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scans),
]

const isCompiled = <R>(query: Compilable<R> | CompiledQuery<R>): query is CompiledQuery<R> => 'sql' in query

/** A statement that was run: its text, the tables that its plan reads from end to end, and how many rows it brought. */
export interface Explained {
  readonly sql: string
  readonly scanned: readonly string[]
  readonly rows: number
}

/** The same reads; `tell` hears of each statement. */
export const explaining = (reader: Reader, tell: (statement: Explained) => void): Reader => ({
  ...reader,
  snapshot: (run, signal) =>
    reader.snapshot(
      (ask) =>
        run(async (query, planned) => {
          const compiled = isCompiled(query) ? query : query.compile()
          const [explained] = await ask<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
            ...compiled,
            sql: `explain (format json) ${compiled.sql}`,
          } as CompiledQuery<never>)
          const found = await ask(query, planned)
          tell({ sql: compiled.sql, scanned: scans(explained!['QUERY PLAN'][0]!.Plan), rows: found.length })
          return found
        }),
      signal,
    ),
})
