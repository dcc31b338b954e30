import type { Connection } from '../../store/postgres/connection.ts'
import { createBounded } from './bounded.ts'

/** Extra currencies by their number, in their smallest units. */
export type Extra = ReadonlyMap<number, bigint>

/** Extra currencies seen so far, which updates leave out where they stay as they were. */
export interface KnownExtras {
  /** By the hash of their dictionary (32 one-byte characters). */
  get(hash: string): Extra | undefined
  set(hash: string, extra: Extra): void
  /** Those of an account (36 bytes) as the index has them; undefined where it has no such account. */
  stored(account: Buffer): Promise<Extra | undefined>
}

/** Dictionaries kept in memory. */
const KEPT = 10_000

export const createExtras = (connection: Pick<Connection, 'query'>): KnownExtras => {
  const kept = createBounded<Extra>(KEPT)
  return {
    get: kept.get,
    set: (hash, extra) => void kept.set(hash, extra),
    async stored(account) {
      const [row] = await connection.query<{ extra: Readonly<Record<string, string>> | null }>(
        'select balance_extra as extra from accounts where account = $1',
        [account],
      )
      return row && new Map(Object.entries(row.extra ?? {}).map(([id, amount]) => [Number(id), BigInt(amount)]))
    },
  }
}
