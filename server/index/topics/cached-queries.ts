import { Lru } from '../../base/memory/lru.ts'
import type { Table } from '../../store/schema/table.ts'
import type { Sink } from './run-topics.ts'

/*
 * Topics run the same queries for block after block, mostly with the same keys (such as the get-methods of a code). A cached result is valid until a table
 * in its query is written.
 */

/** Maximum number of cached results of a query. The number of queries needs no limit, because their texts are constants of the topics. */
const MAX_RESULTS = 512
/** Maximum number of rows of a cached result, and of keys of its query. */
const MAX_ROWS = 64
/** Maximum size of all cached results of a query. A row of contract_codes can have 2,047 get-methods. */
const MAX_SIZE = 1 << 20

interface CachedQuery {
  readonly results: Lru<string, readonly unknown[]>
  /** Words of the query's text, among them the names of its tables. */
  readonly words: ReadonlySet<string>
}

const keyOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `${value.length}:${value.toString('latin1')}`
  return Array.isArray(value) ? `[${value.map(keyOf).join(',')}]` : String(value)
}

/** The number of values, those in lists too, and bytes of Buffers. */
const sizeOf = (value: unknown): number => {
  if (Buffer.isBuffer(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.values(value).reduce((sum, each) => sum + sizeOf(each), 1) : 1
}

export const createCachedQueries = () => {
  const queries = new Map<string, CachedQuery>()

  const queryOf = (text: string): CachedQuery => {
    const query = queries.get(text) ?? {
      results: new Lru<string, readonly unknown[]>({ max: MAX_RESULTS, maxSize: MAX_SIZE, sizeCalculation: sizeOf }),
      words: new Set(text.match(/\w+/g)),
    }
    queries.set(text, query)
    return query
  }

  return {
    async read<R>(sink: Sink, text: string, values: readonly unknown[] = []): Promise<R[]> {
      if (values.some((value) => Array.isArray(value) && value.length > MAX_ROWS)) return await sink.read<R>(text, values)
      const { results } = queryOf(text)
      const key = values.map(keyOf).join('\0')
      const cached = results.get(key)
      if (cached !== undefined) return [...cached] as R[]
      const rows = await sink.read<R>(text, values)
      if (rows.length <= MAX_ROWS) results.set(key, rows)
      return [...rows]
    },
    /** Clears the results of queries that read one of these tables, or all results. */
    forget(written?: readonly Pick<Table, 'name'>[]): void {
      for (const { results, words } of queries.values())
        if (written === undefined || written.some(({ name }) => words.has(name))) results.clear()
    },
  }
}
