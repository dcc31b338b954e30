import { Lru } from '../../base/memory/lru.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { nameOf } from '../../store/row-keys.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { cells } from '../../store/schema/messages.ts'
import { select } from '../../store/schema/select.ts'
import type { AccountFacts } from './account-facts.ts'
import { hashName } from './hash-name.ts'

/* Rows that the tables have, from the database or from a cache of the rows that this session has written. */

export interface RecentRows {
  /** Data hashes of those accounts that have data, by key as 36 one-byte characters. */
  dataHashes(keys: readonly Buffer[]): Promise<ReadonlyMap<string, string>>
  /** Data of stored accounts, by key as 36 one-byte characters. As a BoC, because the cells of many large accounts would not fit into memory. */
  data(keys: readonly Buffer[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Returns those of the code hashes (32 one-byte characters) that are stored. */
  codes(hashes: readonly string[]): Promise<ReadonlySet<string>>
  /** Caches the row that is about to be written. Without a BoC the stored data does not change. */
  remember(key: Buffer, facts: Pick<AccountFacts, 'dataHash'>, boc: Uint8Array | undefined): void
  /** Trace ids of sent messages, by message hash. */
  senders(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>
}

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

export const createRecentRows = (connection: Pick<Connection, 'query'>): RecentRows => {
  const cache = new Lru<string, CachedData>({
    max: CACHE_LIMITS.accounts,
    maxSize: CACHE_LIMITS.bytes,
    sizeCalculation: ({ boc }) => boc.length + OVERHEAD,
  })
  const seenCodes = new Lru<string, true>({ max: CACHE_LIMITS.accounts })

  return {
    async senders(hashes) {
      const rows = await connection.query<{ msg_hash: Buffer; trace_id: Buffer }>(
        `select m.msg_hash, t.trace_id from messages m join transactions t on t.account = m.tx_account and t.lt = m.tx_lt
       where m.msg_hash = any($1::bytea[]) and m.direction = 1`,
        [buffers(hashes)],
      )
      return new Map(rows.map(({ msg_hash, trace_id }) => [nameOf(msg_hash), nameOf(trace_id)]))
    },
    async dataHashes(keys) {
      const found = new Map<string, string>()
      const open = keys.filter((key) => {
        const cached = cache.get(nameOf(key))
        if (cached !== undefined) found.set(nameOf(key), cached.hash)
        return cached === undefined
      })
      if (open.length === 0) return found
      for (const { account, data_hash } of await connection.query(DATA_HASHES, [open])) found.set(nameOf(account), nameOf(data_hash!))
      return found
    },
    async data(keys) {
      const found = new Map<string, Uint8Array>()
      const open = keys.filter((key) => {
        const cached = cache.get(nameOf(key))
        if (cached !== undefined) found.set(nameOf(key), cached.boc)
        return cached === undefined
      })
      if (open.length === 0) return found
      for (const { account, data_boc } of await connection.query(DATA, [open])) if (data_boc !== null) found.set(nameOf(account), data_boc)
      return found
    },
    async codes(hashes) {
      const found = new Set(hashes.filter((hash) => seenCodes.get(hash) !== undefined))
      const open = hashes.filter((hash) => !found.has(hash))
      if (open.length === 0) return found
      for (const { hash } of await connection.query(CELL_HASHES, [buffers(open)])) {
        seenCodes.set(nameOf(hash), true)
        found.add(nameOf(hash))
      }
      return found
    },
    remember(key, { dataHash }, boc) {
      const name = nameOf(key)
      const hash = dataHash && hashName(dataHash)
      // Without a BoC and with the same hash, the data did not change and the cached entry stays valid.
      if (boc !== undefined && hash !== undefined) cache.set(name, { hash, boc })
      else if (cache.get(name)?.hash !== hash) cache.delete(name)
    },
  }
}
