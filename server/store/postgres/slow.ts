/** Tells of statements that took too long: their text, never their values. */
export interface SlowQueries {
  /** Milliseconds. */
  readonly over: number
  tell(statement: { readonly sql: string; readonly ms: number; readonly rows: number | null }): void
}

/** The beginning of a statement says which it is. */
const LONGEST = 2_000

/** Runs a statement under the watch of `slow`; undefined watches nothing. One that failed or was given up has no `rows`. */
export const watched = async <T extends { readonly rowCount: number | null }>(
  slow: SlowQueries | undefined,
  sql: string,
  run: () => Promise<T>,
): Promise<T> => {
  if (slow === undefined) return run()
  const began = performance.now()
  let rows: number | null = null
  try {
    const result = await run()
    rows = result.rowCount
    return result
  } finally {
    const ms = performance.now() - began
    if (ms > slow.over) slow.tell({ sql: sql.slice(0, LONGEST), ms: Math.round(ms), rows })
  }
}

/** As the settings say; 0 milliseconds is never. */
export const createSlowQueries = (over: number, log: { warn(event: string, fields?: object): void }): SlowQueries | undefined =>
  over === 0 ? undefined : { over, tell: (statement) => log.warn('sql.slow', statement) }
