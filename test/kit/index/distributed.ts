import type { CompiledQuery } from 'kysely'
import { builder, type Query, type Reader, type RunQuery } from '../../../server/store/postgres/reader.ts'
import { citusFaults } from './citus-rules.ts'

/** The same rows, but the row of the published head says that the database is distributed. */
const saying = <R>(rows: R[]): R[] =>
  rows.map((row) => (typeof row === 'object' && row !== null && 'isDistributed' in row ? { ...row, isDistributed: true } : row))

/** The same reader, for whose answers the database counts as a Citus cluster. `tell` gets the text of each statement. */
export const asDistributed = (reader: Reader, tell: (sql: string) => void): Reader => {
  const told = <R>(query: Query<R>): CompiledQuery<R> => {
    const compiled = 'compile' in query ? query.compile(builder) : query
    tell(compiled.sql)
    return compiled
  }
  return {
    ...reader,
    rows: async (query, signal) => saying(await reader.rows(told(query), signal)),
    snapshot: (run, signal) =>
      reader.snapshot((ask) => {
        const asked: RunQuery = async (query, planned) => saying(await ask(told(query), planned))
        return run(asked)
      }, signal),
  }
}

/** Collects why Citus would refuse statements; each text is checked once. */
export const createFaultList = () => {
  const seen = new Set<string>()
  const found: string[] = []
  return {
    found,
    check(sql: string): void {
      if (seen.has(sql)) return
      seen.add(sql)
      for (const fault of citusFaults(sql)) found.push(`${fault}: ${sql}`)
    },
    checked: () => seen.size,
  }
}
