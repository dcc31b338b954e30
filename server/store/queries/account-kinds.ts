import { sql } from 'kysely'
import { Lru } from '../../base/memory/lru.ts'
import { bytesList } from '../postgres/lists.ts'
import { distinct, nameOf } from '../row-keys.ts'
import { fixed } from './fixed.ts'
import { isIn } from './order.ts'
import { remembered, type View } from './view.ts'

/** Fields of an account for the address book. `domain`: the shortest name that resolves to this account and that the account owns. */
export interface AccountKind {
  readonly code_hash: Buffer | null
  /** Ids of the code's get-methods; null if the index has not determined them yet. */
  readonly methods: readonly number[] | null
  readonly domain: string | null
}

/** Get-method ids by code hash (base64). The ids depend on the code alone, so one cache serves all networks. */
const cachedMethods = new Lru<string, readonly number[]>({ max: 10_000 })

const METHODS = fixed((builder, hashes) =>
  builder
    .selectFrom('contract_codes')
    .select(['code_hash', 'methods'])
    .where(isIn(sql.ref('code_hash'), hashes)),
)

/** Reads ids of get-methods by code hash (base64). Codes that are not indexed are missing from the result. */
export const methodsOfCodes = async (view: View, hashes: readonly Buffer[]): Promise<ReadonlyMap<string, readonly number[]>> => {
  const found = new Map<string, readonly number[]>()
  const missing = new Map<string, Buffer>()
  for (const hash of hashes) {
    const name = hash.toString('base64')
    const cached = cachedMethods.get(name)
    if (cached) found.set(name, cached)
    else missing.set(name, hash)
  }
  if (missing.size === 0) return found
  const missingHashes = [...missing.values()]
  const rows = await view.rows(METHODS(bytesList(missingHashes)))
  for (const { code_hash, methods } of rows) {
    const name = code_hash.toString('base64')
    cachedMethods.set(name, methods)
    found.set(name, methods)
  }
  return found
}

const CODES = fixed((builder, keys) =>
  builder
    .selectFrom('accounts')
    .select(['account', 'code_hash'])
    .where(isIn(sql.ref('account'), keys)),
)

/** Number of names per wallet that are checked first, and the factor by which the number grows with each further query. */
const FIRST_NAMES = 4
const MORE_NAMES = 16

/** Names of each wallet, ordered by length and text: those after position `from`, up to position `to`. */
const NAMES = fixed((builder, wallets, from, to) =>
  sql<{ account: Buffer; wallet: Buffer; domain: string }>`select account, wallet, domain from (
      select account, wallet, domain, row_number() over (partition by wallet order by length(domain), domain) as place
      from dns_entries where ${isIn(sql.ref('wallet'), wallets)}) named
    where place > ${from} and place <= ${to} order by wallet, place`.compile(builder),
)

const OWNERS = fixed((builder, items) =>
  builder
    .selectFrom('nft_items')
    .select(['account', 'owner'])
    .where(isIn(sql.ref('account'), items)),
)

/**
 * Returns the shortest name of each wallet, by account key (latin1), among the names that resolve to the wallet and whose item the wallet owns. The owner
 * is looked up by the account of the item, because a join would read all items of an owner for every name, and some owners have thousands. `without`: items
 * whose names are ignored.
 */
export const domainsOf = async (
  view: View,
  keys: readonly Buffer[],
  without: readonly Buffer[] = [],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const excluded = new Set(without.map(nameOf))
  let open = keys
  for (let from = 0, count = FIRST_NAMES; open.length > 0; from += count, count *= MORE_NAMES) {
    const names = await view.rows(NAMES(bytesList(open), from, from + count))
    if (names.length === 0) break
    const owners = await view.rows(OWNERS(bytesList(names.map(({ account }) => account))))
    const ownerOf = new Map(owners.map(({ account, owner }) => [account.toString('latin1'), owner]))
    const seen = new Map<string, number>()
    for (const { account, wallet, domain } of names) {
      const name = wallet.toString('latin1')
      seen.set(name, (seen.get(name) ?? 0) + 1)
      if (!found.has(name) && !excluded.has(nameOf(account)) && ownerOf.get(account.toString('latin1'))?.equals(wallet))
        found.set(name, domain)
    }
    // Wallets that still lack a valid name and may have further names.
    open = open.filter((key) => {
      const name = key.toString('latin1')
      return seen.get(name) === count && !found.has(name)
    })
  }
  return found
}

/**
 * Reads the address-book fields of accounts by `nameOf` of the account key; null for an account that is not in the index. Codes, names and methods are read by separate queries instead of joins: a cluster has them on other shards
 * than the accounts, and the methods of most codes are cached.
 */
const readKinds = async (view: View, keys: readonly Buffer[]): Promise<ReadonlyMap<string, AccountKind | null>> => {
  const kinds = new Map<string, AccountKind | null>(keys.map((key) => [nameOf(key), null]))
  if (keys.length === 0) return kinds
  const [rows, domains] = await Promise.all([view.rows(CODES(bytesList(keys))), domainsOf(view, keys)])
  const methods = await methodsOfCodes(view, distinct(rows.map(({ code_hash }) => code_hash)))
  for (const { account, code_hash } of rows)
    kinds.set(nameOf(account), {
      code_hash,
      methods: (code_hash && methods.get(code_hash.toString('base64'))) ?? null,
      domain: domains.get(nameOf(account)) ?? null,
    })
  return kinds
}

/**
 * Returns the address-book fields of indexed accounts, which are cached until the next head. `keys` and the result are by `nameOf` of the account key.
 */
export const accountKinds = async (view: View, keys: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, AccountKind>> => {
  const cache = remembered<AccountKind | null>(view, 'kinds')
  const missing = new Map<string, Buffer>()
  const found = new Map<string, AccountKind>()
  for (const [name, key] of keys) {
    const kind = cache.get(name)
    if (kind) found.set(name, kind)
    else if (kind === undefined) missing.set(name, key)
  }
  const read = await readKinds(view, [...missing.values()])
  for (const [name, kind] of read) if (kind) found.set(name, kind)
  view.whenConsistent(() => {
    // The methods of a new code may be determined without a new block, so an account whose methods are missing is not cached.
    for (const [name, kind] of read) if (kind === null || kind.code_hash === null || kind.methods !== null) cache.set(name, kind)
  })
  return found
}
