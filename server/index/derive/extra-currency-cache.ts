import { Lru } from '../../base/memory/lru.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { select } from '../../store/schema/select.ts'

/** Amounts in smallest units, by currency id. */
export type Extra = ReadonlyMap<number, bigint>

export type ExtraCurrencies = ReturnType<typeof createExtras>

const EXTRA = select(accounts, ['balance_extra'], 'where account = $1')

const MAX_CACHED = 10_000

export const createExtras = (connection: Pick<Connection, 'query'>) => {
  const cache = new Lru<string, Extra>({ max: MAX_CACHED })
  return {
    /** Returns extra currencies by the hash of their dictionary (32 one-byte characters). */
    get: (hash: string): Extra | undefined => cache.get(hash),
    set: (hash: string, extra: Extra): void => void cache.set(hash, extra),
    /** Amounts in the stored row of an account (key of 36 bytes); undefined if there is no row. */
    async stored(account: Buffer): Promise<Extra | undefined> {
      const [row] = await connection.query(EXTRA, [account])
      return row && new Map(Object.entries(row.balance_extra ?? {}).map(([id, amount]) => [Number(id), BigInt(amount)]))
    },
  }
}
