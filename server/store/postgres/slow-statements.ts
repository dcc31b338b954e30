import { isTracing, traced } from '../../base/tracing/tracer.ts'

/** Reports slow statements: their text, never their parameters. */
export interface SlowQueries {
  /** Duration in milliseconds from which a statement is reported. */
  readonly over: number
  log(statement: { readonly sql: string; readonly ms: number; readonly rows: number | null }): void
}

/** Maximum length of a statement in the log, in characters. Its beginning is enough to identify it. */
const LONGEST = 2_000

/** Runs a statement, and reports it to `slow` if it was slow. A failed or cancelled statement is reported without `rows`. */
export const timed = async <R>(slow: SlowQueries, sql: string, run: () => Promise<R[]>): Promise<R[]> => {
  const began = performance.now()
  let rows: number | null = null
  try {
    const found = await run()
    rows = found.length
    return found
  } finally {
    const ms = performance.now() - began
    if (ms > slow.over) slow.log({ sql: sql.slice(0, LONGEST), ms: Math.round(ms), rows })
  }
}

export const createSlowQueries = (over: number, log: { warn(event: string, fields?: object): void }): SlowQueries | undefined =>
  over === 0 ? undefined : { over, log: (statement) => log.warn('sql.slow', statement) }

/** Short name of a statement for its span: `SELECT transactions`. */
const summaryOf = (operation: string, sql: string): string => {
  const [, table] = /\b(?:from|into|update|copy) "?(\w+)/i.exec(sql) ?? []
  return table === undefined ? operation : `${operation} ${table}`
}

/** Runs a statement in a tracing span. The span has the statement's text, which contains no parameter values. */
export const tracedSql = <T>(sql: string, run: () => Promise<T>): Promise<T> => {
  if (!isTracing()) return run()
  const operation = (/^\W*(\w+)/.exec(sql)?.[1] ?? '').toUpperCase()
  const name = summaryOf(operation, sql)
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.summary': name,
    'db.query.text': sql.slice(0, LONGEST),
  }
  return traced({ name, kind: 'client', attributes }, run)
}
