import type { CompiledQuery } from 'kysely'
import type { Compilable, Reader } from '../../server/store/pool.ts'

/* A reader that explains each statement before it runs it: for tests of plans. */

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly Plan[]
}

/** Tables that a plan reads from end to end. */
const scans = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scans),
]

/** Rows that a plan took from each table, where it was run. */
const taken = (plan: Plan, into: Map<string, number> = new Map()): ReadonlyMap<string, number> => {
  const table = plan['Relation Name']
  const rows = (plan['Actual Rows'] ?? 0) * (plan['Actual Loops'] ?? 0)
  if (table !== undefined) into.set(table, (into.get(table) ?? 0) + rows)
  for (const part of plan.Plans ?? []) taken(part, into)
  return into
}

const isCompiled = <R>(query: Compilable<R> | CompiledQuery<R>): query is CompiledQuery<R> => 'sql' in query

/** A statement that was run: its text, the tables that its plan reads from end to end, how many rows it took from each, and how many it brought. */
export interface Explained {
  readonly sql: string
  readonly scanned: readonly string[]
  readonly taken: ReadonlyMap<string, number>
  readonly rows: number
}

/** The same reads; `tell` hears of each statement. `run`: plans are carried out, so that rows taken are known. */
export const explaining = (reader: Reader, tell: (statement: Explained) => void, { run: analyze = false } = {}): Reader => ({
  ...reader,
  snapshot: (run, signal) =>
    reader.snapshot(
      (ask) =>
        run(async (query, planned) => {
          const compiled = isCompiled(query) ? query : query.compile()
          const [explained] = await ask<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
            ...compiled,
            sql: `explain (analyze ${analyze}, format json) ${compiled.sql}`,
          } as CompiledQuery<never>)
          const found = await ask(query, planned)
          const plan = explained!['QUERY PLAN'][0]!.Plan
          tell({ sql: compiled.sql, scanned: scans(plan), taken: taken(plan), rows: found.length })
          return found
        }),
      signal,
    ),
})
