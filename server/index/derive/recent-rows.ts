import { byteText } from '../../base/memory/byte-text.ts'
import { Lru } from '../../base/memory/lru.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { nameOf } from '../../store/row-keys.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { cells } from '../../store/schema/messages.ts'
import { select } from '../../store/schema/select.ts'
import type { AccountFacts } from './account-facts.ts'

/* Rows that the tables have, from the database or from a cache of the rows that this session has written. */

export type RecentRows = ReturnType<typeof createRecentRows>

const CELL_HASHES = select(cells, ['hash'], 'where hash = any($1::bytea[])')
const DATA_HASHES = select(accounts, ['account', 'data_hash'], 'where account = any($1::bytea[]) and data_boc is not null')
const DATA = select(accounts, ['account', 'data_boc'], 'where account = any($1::bytea[])')

const buffers = (keys: readonly string[]): Buffer[] => keys.map((key) => Buffer.from(key, 'latin1'))

interface CachedData {
  readonly hash: string
  /** A BoC, because a cell of a block keeps the complete block in memory. */
  readonly boc: Uint8Array
}

const CACHE_LIMITS = { accounts: 20_000, bytes: 24 << 20 } as const
/** Estimated bytes per entry in addition to the BoC. */
const OVERHEAD = 200

export const createRecentRows = (connection: Pick<Connection, 'query'>) => {
  const cache = new Lru<string, CachedData>({
    max: CACHE_LIMITS.accounts,
    maxSize: CACHE_LIMITS.bytes,
    sizeCalculation: ({ boc }) => boc.length + OVERHEAD,
  })
  const seenCodes = new Lru<string, true>({ max: CACHE_LIMITS.accounts })

  /** Returns a member of the cached data of accounts by key, and the keys that are not cached. */
  const cachedOf = <K extends keyof CachedData>(member: K, keys: readonly Buffer[]) => {
    const found = new Map<string, CachedData[K]>()
    const unread = keys.filter((key) => {
      const cached = cache.get(nameOf(key))
      if (cached !== undefined) found.set(nameOf(key), cached[member])
      return cached === undefined
    })
    return { found, unread }
  }

  return {
    /** Trace ids of sent messages, by message hash. */
    async senders(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await connection.query<{ msg_hash: Buffer; trace_id: Buffer }>(
        `select m.msg_hash, t.trace_id from messages m join transactions t on t.account = m.tx_account and t.lt = m.tx_lt
       where m.msg_hash = any($1::bytea[]) and m.direction = 1`,
        [buffers(hashes)],
      )
      return new Map(rows.map(({ msg_hash, trace_id }) => [nameOf(msg_hash), nameOf(trace_id)]))
    },
    /** Data hashes of those accounts that have data, by key as 36 one-byte characters. */
    async dataHashes(keys: readonly Buffer[]): Promise<ReadonlyMap<string, string>> {
      const { found, unread } = cachedOf('hash', keys)
      if (unread.length === 0) return found
      for (const { account, data_hash } of await connection.query(DATA_HASHES, [unread])) found.set(nameOf(account), nameOf(data_hash!))
      return found
    },
    /** Data of stored accounts, by key as 36 one-byte characters. As a BoC, because the cells of many large accounts would not fit into memory. */
    async data(keys: readonly Buffer[]): Promise<ReadonlyMap<string, Uint8Array>> {
      const { found, unread } = cachedOf('boc', keys)
      if (unread.length === 0) return found
      for (const { account, data_boc } of await connection.query(DATA, [unread]))
        if (data_boc !== null) found.set(nameOf(account), data_boc)
      return found
    },
    /** Returns those of the code hashes (32 one-byte characters) that are stored. */
    async codes(hashes: readonly string[]): Promise<ReadonlySet<string>> {
      const found = new Set(hashes.filter((hash) => seenCodes.get(hash) !== undefined))
      const open = hashes.filter((hash) => !found.has(hash))
      if (open.length === 0) return found
      for (const { hash } of await connection.query(CELL_HASHES, [buffers(open)])) {
        seenCodes.set(nameOf(hash), true)
        found.add(nameOf(hash))
      }
      return found
    },
    /** Caches the row that is about to be written. Without a BoC the stored data does not change. */
    remember(key: Buffer, { dataHash }: Pick<AccountFacts, 'dataHash'>, boc: Uint8Array | undefined): void {
      const name = nameOf(key)
      const hash = dataHash && byteText(dataHash, 'latin1')
      // Without a BoC and with the same hash, the data did not change and the cached entry stays valid.
      if (boc !== undefined && hash !== undefined) cache.set(name, { hash, boc })
      else if (cache.get(name)?.hash !== hash) cache.delete(name)
    },
  }
}
