import { Lru } from '../../base/memory/lru.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { nameOf } from '../../store/row-keys.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { cells } from '../../store/schema/messages.ts'
import { select } from '../../store/schema/select.ts'
import type { StoredAccounts, StoredContents } from './accounts.ts'
import { hashName } from './hash-name.ts'

/* Rows that the tables have, from the database or from a cache of the rows that this session has written. */

export interface RecentRows extends StoredAccounts {
  /** Trace ids of sent messages, by message hash. */
  senders(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const CELLS = select(cells, ['hash', 'boc'], 'where hash = any($1::bytea[])')
const CELL_HASHES = select(cells, ['hash'], 'where hash = any($1::bytea[])')
const DATA_HASHES = select(accounts, ['account', 'data_hash'], 'where account = any($1::bytea[]) and data_boc is not null')
const CONTENTS = select(accounts, ['account', 'data_boc', 'code_hash'], 'where account = any($1::bytea[])')

const buffers = (keys: readonly string[]): Buffer[] => keys.map((key) => Buffer.from(key, 'latin1'))

interface CachedData {
  readonly hash: string
  /** A BoC, because a cell of a block keeps the complete block in memory. */
  readonly boc: Uint8Array
}

const CACHE_LIMITS = { accounts: 20_000, bytes: 24 << 20, codes: 2_000, codeBytes: 16 << 20 } as const
/** Estimated bytes per entry in addition to the BoC. */
const OVERHEAD = 200
/** Estimated memory of cells per byte of their BoC. */
const CELL_WEIGHT = 3

export const createRecentRows = (connection: Pick<Connection, 'query'>): RecentRows => {
  const cache = new Lru<string, CachedData>({
    max: CACHE_LIMITS.accounts,
    maxSize: CACHE_LIMITS.bytes,
    sizeCalculation: ({ boc }) => boc.length + OVERHEAD,
  })
  const codeOf = new Lru<string, string>({ max: CACHE_LIMITS.accounts })
  const codes = new Lru<string, { readonly code: Cell; readonly bytes: number }>({
    max: CACHE_LIMITS.codes,
    maxSize: CACHE_LIMITS.codeBytes,
    sizeCalculation: ({ bytes }) => bytes,
  })
  const seenCodes = new Lru<string, true>({ max: CACHE_LIMITS.accounts })

  const readCodes = async (hashes: Iterable<string>): Promise<void> => {
    const missing = [...new Set(hashes)].filter((hash) => codes.get(hash) === undefined)
    if (missing.length === 0) return
    const rows = await connection.query(CELLS, [buffers(missing)])
    for (const { hash, boc } of rows) codes.set(nameOf(hash), { code: parseBocRoot(boc), bytes: boc.length * CELL_WEIGHT })
  }

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
    async contents(keys) {
      const found = new Map<string, StoredContents>()
      const codeHashes = new Map<string, string>()
      const open = keys.filter((key) => {
        const name = nameOf(key)
        const cached = cache.get(name)
        if (cached === undefined) return true
        found.set(name, { data: cached.boc })
        const code = codeOf.get(name)
        if (code !== undefined) codeHashes.set(name, code)
        return false
      })
      if (open.length > 0) {
        for (const { account, data_boc, code_hash } of await connection.query(CONTENTS, [open])) {
          found.set(nameOf(account), { data: data_boc ?? undefined })
          if (code_hash !== null) codeHashes.set(nameOf(account), nameOf(code_hash))
        }
      }
      await readCodes(codeHashes.values())
      for (const [name, hash] of codeHashes) {
        const [contents, code] = [found.get(name), codes.get(hash)]
        if (contents !== undefined && code !== undefined) contents.code = code.code
      }
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
    remember(key, { dataHash, codeHash }, boc) {
      const name = nameOf(key)
      if (codeHash !== undefined) codeOf.set(name, hashName(codeHash))
      const hash = dataHash && hashName(dataHash)
      // Without a BoC and with the same hash, the data did not change and the cached entry stays valid.
      if (boc !== undefined && hash !== undefined) cache.set(name, { hash, boc })
      else if (cache.get(name)?.hash !== hash) cache.delete(name)
    },
  }
}
