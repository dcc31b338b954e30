import { Lru } from '../../base/memory/lru.ts'
import { distinct, nameOf } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { lookUp, statement } from './look-up.ts'
import { ownersOfItems } from './nfts.ts'
import type { View } from './view.ts'

/** Fields of an account for the address book. `domain`: the shortest name that resolves to this account and that the account owns. */
export interface AccountKind {
  readonly code_hash: Buffer | null
  /** Ids of the code's get-methods; null if the index has not determined them yet. */
  readonly methods: readonly number[] | null
  readonly domain: string | null
}

/** By `nameOf` of the account key. Accounts that are not indexed are missing. */
export type AccountKinds = ReadonlyMap<string, AccountKind>

/** Maximum number of get-methods of all cached codes together. A code can have 2,047. */
const MAX_METHODS = 1 << 20
/** Get-method ids by code hash (base64). The ids depend on the code alone, so one cache serves all networks. */
const cachedMethods = new Lru<string, readonly number[]>({ max: 10_000, maxSize: MAX_METHODS, sizeCalculation: ({ length }) => length + 1 })

const methods = lookUp({ from: 'contract_codes', by: 'code_hash', columns: ['code_hash', 'methods'] })

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
  for (const row of await methods(view, [...missing.values()])) {
    const name = row.code_hash.toString('base64')
    cachedMethods.set(name, row.methods)
    found.set(name, row.methods)
  }
  return found
}

const codes = lookUp({ from: 'accounts', by: 'account', columns: ['account', 'code_hash'] })

/** Number of names of each wallet that are checked first, and the number for those without a valid one. Not all, because anybody can make names. */
const CHECKED = [4, 1_024]

/** The shortest names of each wallet, the shortest first. */
const NAMES = `select named.* from unnest($1::bytea[]) as wallets (wallet) cross join lateral (
    select account, wallet, domain from dns_entries where wallet = wallets.wallet order by length(domain), domain limit $2) named`
type Name = Tables['dns_entries'] & { readonly wallet: Buffer }

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
  for (const count of CHECKED) {
    if (open.length === 0) break
    const names = await view.rows(statement<Name>(NAMES, [open, count]), 'generic')
    const items = names.map(({ account }) => account)
    const ownerOf = new Map((await ownersOfItems(view, items)).map(({ account, owner }) => [nameOf(account), owner]))
    for (const { account, wallet, domain } of names) {
      const name = nameOf(wallet)
      if (!found.has(name) && !excluded.has(nameOf(account)) && ownerOf.get(nameOf(account))?.equals(wallet)) found.set(name, domain)
    }
    const named = new Set(names.map(({ wallet }) => nameOf(wallet)))
    open = open.filter((key) => named.has(nameOf(key)) && !found.has(nameOf(key)))
  }
  return found
}

/**
 * Reads the address-book fields of accounts. Codes, names and methods are read by separate queries instead of joins: a cluster has them on other shards than
 * the accounts, and the methods of most codes are cached.
 */
export const accountKinds = async (view: View, keys: readonly Buffer[]): Promise<AccountKinds> => {
  const [rows, domains] = await Promise.all([codes(view, keys), domainsOf(view, keys)])
  const methodsOf = await methodsOfCodes(view, distinct(rows.map(({ code_hash }) => code_hash)))
  return new Map(
    rows.map(({ account, code_hash }) => {
      const methods = (code_hash && methodsOf.get(code_hash.toString('base64'))) ?? null
      return [nameOf(account), { code_hash, methods, domain: domains.get(nameOf(account)) ?? null }]
    }),
  )
}
