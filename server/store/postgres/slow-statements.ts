/** Reports statements that took too long: their text, never their values. */
export interface SlowQueries {
  /** Milliseconds from which a statement is reported. */
  readonly over: number
  tell(statement: { readonly sql: string; readonly ms: number; readonly rows: number | null }): void
}

/** Characters of a statement in the log. Its beginning is enough to identify it. */
const LONGEST = 2_000

/** Runs a statement and reports it to `slow` if it took long. Without `slow` it only runs. A failed or cancelled statement is reported without `rows`. */
export const timed = <R>(slow: SlowQueries | undefined, sql: string, run: () => Promise<R[]>): Promise<R[]> => {
  if (slow === undefined) return run()
  const began = performance.now()
  const end = (rows: number | null): void => {
    const ms = performance.now() - began
    if (ms > slow.over) slow.tell({ sql: sql.slice(0, LONGEST), ms: Math.round(ms), rows })
  }
  return run().then(
    (found) => {
      end(found.length)
      return found
    },
    (error: unknown) => {
      end(null)
      throw error
    },
  )
}

/** Reporter by the settings; 0 milliseconds means that nothing is reported. */
export const createSlowQueries = (over: number, log: { warn(event: string, fields?: object): void }): SlowQueries | undefined =>
  over === 0 ? undefined : { over, tell: (statement) => log.warn('sql.slow', statement) }
