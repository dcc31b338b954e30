import { Lru } from '../../base/memory/lru.ts'
import type { Table } from '../../store/schema/table.ts'
import type { Sink } from './run-topics.ts'

/*
 * Topics run the same queries for block after block, mostly with the same keys (such as the get-methods of a code). A cached result is valid until a table
 * in its query is written.
 */

export interface CachedQueries {
  read<R>(sink: Sink, text: string, values: readonly unknown[] | undefined): Promise<R[]>
  /** Clears the results of queries that read one of these tables, or all results. */
  forget(written?: readonly Pick<Table, 'name'>[]): void
}

/** Maximum number of cached results of a query. The number of queries needs no limit, because their texts are constants of the topics. */
const MAX_RESULTS = 512
/** Maximum number of rows of a cached result, and of keys of its query. */
const MAX_ROWS = 64

type Results = Lru<string, readonly unknown[]>

const keyOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `${value.length}:${value.toString('latin1')}`
  return Array.isArray(value) ? `[${value.map(keyOf).join(',')}]` : String(value)
}

const isNamedIn =
  (text: string) =>
  ({ name }: Pick<Table, 'name'>): boolean =>
    new RegExp(`\\b${name}\\b`).test(text)

export const createCachedQueries = (): CachedQueries => {
  const queries = new Map<string, Results>()
  /** The cached results to clear after a write, by the list of written tables. `of`: number of queries when this was computed. */
  const outdated = new WeakMap<readonly Pick<Table, 'name'>[], { readonly of: number; readonly results: readonly Results[] }>()

  const resultsOf = (text: string): Results => {
    const results = queries.get(text) ?? new Lru({ max: MAX_RESULTS })
    queries.set(text, results)
    return results
  }

  /** Returns the cached results of queries that read a written table. They are computed again when there is a new query. */
  const outdatedBy = (written: readonly Pick<Table, 'name'>[]): readonly Results[] => {
    const existing = outdated.get(written)
    if (existing?.of === queries.size) return existing.results
    const results = [...queries].filter(([text]) => written.some(isNamedIn(text))).map(([, of]) => of)
    outdated.set(written, { of: queries.size, results })
    return results
  }

  return {
    async read<R>(sink: Sink, text: string, values: readonly unknown[] = []) {
      if (values.some((value) => Array.isArray(value) && value.length > MAX_ROWS)) return await sink.read<R>(text, values)
      const results = resultsOf(text)
      const key = values.map(keyOf).join('\0')
      const cached = results.get(key)
      if (cached !== undefined) return [...cached] as R[]
      const rows = await sink.read<R>(text, values)
      if (rows.length <= MAX_ROWS) results.set(key, rows)
      return [...rows]
    },
    forget(written) {
      for (const results of written === undefined ? queries.values() : outdatedBy(written)) results.clear()
    },
  }
}
