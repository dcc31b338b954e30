import { LRUCache } from 'lru-cache'
import type { Sink } from './run.ts'

/*
 * Caches query results. Extensions ask the same for block after block (is this account a jetton wallet?), mostly about the same few accounts. A
 * result stays valid until an extension writes.
 */

export interface Answers {
  read<R>(sink: Sink, text: string, values: readonly unknown[] | undefined): Promise<R[]>
  /** Clears the cache after a write. */
  forget(): void
}

const KEPT = 512
/** Results with more rows, and results of queries with more keys, are not cached. */
const MOST = 64

const keyOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `${value.length}:${value.toString('latin1')}`
  return Array.isArray(value) ? `[${value.map(keyOf).join(',')}]` : String(value)
}

export const createAnswers = (): Answers => {
  const kept = new LRUCache<string, readonly unknown[]>({ max: KEPT })
  return {
    async read<R>(sink: Sink, text: string, values: readonly unknown[] = []) {
      if (values.some((value) => Array.isArray(value) && value.length > MOST)) return await sink.read<R>(text, values)
      const key = `${text}\0${values.map(keyOf).join('\0')}`
      const known = kept.get(key)
      if (known !== undefined) return [...known] as R[]
      const rows = await sink.read<R>(text, values)
      if (rows.length <= MOST) kept.set(key, rows)
      return [...rows]
    },
    forget: () => kept.clear(),
  }
}
