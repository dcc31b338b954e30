import type { MethodDef } from '../../shared/method.ts'

/* What the rows of an answer cost: the database reads them, the event loop writes them, and memory holds them until the reader has them. */

/** Characters of an answer's JSON that cost one unit, counted when it is made. */
const TEXT_OF_UNIT = 256 << 10
/** Rows that cost one unit of a limit, beside what the method itself costs. */
const ROWS_OF_UNIT = 100
/** Rows of a page from which on its answer is a large one. */
const LARGE = 100
/** Rows that a trace counts for: a tree of transactions. */
const OF_TRACE = 10

/** Rows that a call asks for by its `limit`, read or not; 0 where it does not say so, or its method has no pages. */
const rowsAsked = ({ page }: MethodDef, params: unknown): number => {
  if (page === undefined || typeof params !== 'object' || params === null) return 0
  const { limit } = params as { readonly limit?: unknown }
  // Parameters are not read yet: anything may stand here.
  if (typeof limit !== 'number' && typeof limit !== 'string') return 0
  const rows = Math.min(Number(limit), page.max)
  if (!(rows > 0)) return 0
  return page.rows === 'traces' ? rows * OF_TRACE : rows
}

/** Units of a limit that the rows of a call cost. */
export const unitsOfRows = (def: MethodDef, params: unknown): number => Math.floor(rowsAsked(def, params) / ROWS_OF_UNIT)

/** Units that `more` characters cost one who was answered `before` already by the same request. */
export const unitsOfText = (before: number, more: number): number =>
  Math.floor((before + more) / TEXT_OF_UNIT) - Math.floor(before / TEXT_OF_UNIT)

/** Whether the answer of a call to the index may be so large that few of them are made at a time. */
export const isLargePage = (def: MethodDef, params: unknown): boolean => def.needs === 'index' && rowsAsked(def, params) > LARGE
