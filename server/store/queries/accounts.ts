import { sql } from 'kysely'
import { Lru } from '../../base/memory/lru.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { bytesList } from '../postgres/lists.ts'
import { nameOf } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { fixed } from './fixed.ts'
import { remembered, type View } from './head.ts'
import { anyOf, byPieces, isIn, onPage } from './order.ts'
import { keyOf } from './transaction-keys.ts'

export type AccountRow = Tables['accounts']

/** Largest number of accounts in one answer. */
const MOST = 1000

const BY_ADDRESS = fixed((builder, keys) =>
  builder
    .selectFrom('accounts')
    .selectAll()
    .where(isIn(sql.ref('account'), keys))
    .orderBy('account')
    .limit(MOST),
)

/** Latest states of accounts, by address or by code hash. Unknown accounts are missing from the result. */
export const findAccounts = (
  view: View,
  { address, code_hash }: { readonly address?: readonly AccountId[] | undefined; readonly code_hash?: readonly Uint8Array[] | undefined },
): Promise<AccountRow[]> => {
  if (address && !code_hash) return view.rows(BY_ADDRESS(bytesList(address.map(keyOf))))
  let query = view.sql.selectFrom('accounts').selectAll()
  if (address) query = query.where(anyOf(sql.ref('account'), address.map(keyOf)))
  if (code_hash) query = query.where(anyOf(sql.ref('code_hash'), code_hash))
  return view.rows(query.orderBy('account').limit(MOST))
}

/** Fields of an account for the address book. `domain` is the shortest name that resolves to this account and belongs to it. */
export interface AccountKind {
  readonly code_hash: Buffer | null
  /** Ids of the code's get-methods, if known. */
  readonly methods: readonly number[] | null
  readonly domain: string | null
}

/** Ids of get-methods by code hash (base64). They follow from the code, so they hold for every network. */
const knownMethods = new Lru<string, readonly number[]>({ max: 10_000 })

const METHODS = fixed((builder, hashes) =>
  builder
    .selectFrom('contract_codes')
    .select(['code_hash', 'methods'])
    .where(isIn(sql.ref('code_hash'), hashes)),
)

/** Ids of get-methods by code hash (base64). Codes that the index does not know are missing. Reads those that are not in memory. */
export const methodsOfCodes = async (view: View, hashes: readonly Buffer[]): Promise<ReadonlyMap<string, readonly number[]>> => {
  const found = new Map<string, readonly number[]>()
  const missing = new Map<string, Buffer>()
  for (const hash of hashes) {
    const name = hash.toString('base64')
    const known = knownMethods.get(name)
    if (known) found.set(name, known)
    else missing.set(name, hash)
  }
  if (missing.size === 0) return found
  const rows = await view.rows(METHODS(bytesList([...missing.values()])))
  for (const { code_hash, methods } of rows) {
    const name = code_hash.toString('base64')
    knownMethods.set(name, methods)
    found.set(name, methods)
  }
  return found
}

const DOMAINS = fixed((builder, wallets) =>
  sql<{ wallet: Buffer; domain: string }>`select distinct on (d.wallet) d.wallet, d.domain
        from dns_entries d
        where ${isIn(sql.ref('d.wallet'), wallets)} and (select n.owner from nft_items n where n.account = d.account) = d.wallet
        order by d.wallet, length(d.domain), d.domain`.compile(builder),
)

const CODES = fixed((builder, keys) =>
  builder
    .selectFrom('accounts')
    .select(['account', 'code_hash'])
    .where(isIn(sql.ref('account'), keys)),
)

/** Names of each wallet that are looked at first in a distributed database, and how many times more each further time. */
const FIRST_NAMES = 4
const MORE_NAMES = 16

/** The names at some places of each wallet, which are ordered by length and text. */
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

/** domainsOf for a distributed database. */
const domainsInSteps = async (view: View, keys: readonly Buffer[]): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
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
      if (!found.has(name) && ownerOf.get(account.toString('latin1'))?.equals(wallet)) found.set(name, domain)
    }
    // Wallets that may have further names.
    open = open.filter((key) => {
      const name = key.toString('latin1')
      return seen.get(name) === count && !found.has(name)
    })
  }
  return found
}

/**
 * The shortest name of each wallet, by account key (latin1), among the names that resolve to it and belong to it. The owner is looked up by the name's own
 * account: a join would read all items of the owner for every name, and some owners have thousands.
 */
const domainsOf = async (view: View, keys: readonly Buffer[], list: Buffer): Promise<ReadonlyMap<string, string>> => {
  if (view.isDistributed) return await domainsInSteps(view, keys)
  const rows = await view.rows(DOMAINS(list))
  return new Map(rows.map(({ wallet, domain }) => [wallet.toString('latin1'), domain]))
}

/** Reads kinds of accounts. The statements are by account or by code alone: a distributed database could not join them. Most often there are two, sent together. */
const readKinds = async (view: View, keys: readonly Buffer[]): Promise<Map<string, AccountKind>> => {
  if (keys.length === 0) return new Map()
  const list = bytesList(keys)
  const [rows, domains] = await Promise.all([view.rows(CODES(list)), domainsOf(view, keys, list)])
  const hashes = new Map(rows.flatMap(({ code_hash }) => (code_hash === null ? [] : [[nameOf(code_hash), code_hash] as const])))
  const methods = await methodsOfCodes(view, [...hashes.values()])
  const ofCode = new Map([...hashes].map(([name, hash]) => [name, methods.get(hash.toString('base64')) ?? null]))
  const kinds = new Map<string, AccountKind>()
  for (const { account, code_hash } of rows) {
    const name = nameOf(account)
    kinds.set(name, { code_hash, methods: code_hash && ofCode.get(nameOf(code_hash))!, domain: domains.get(name) ?? null })
  }
  return kinds
}

/** Fields of accounts for the address book, those of known accounts. They are remembered until the next head. Keys and result are by the key's `nameOf`. */
export const accountKinds = async (view: View, keys: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, AccountKind>> => {
  /** null: the index does not know the account. */
  const known = remembered<AccountKind | null>(view, 'kinds')
  const missing: Buffer[] = []
  const names: string[] = []
  const found = new Map<string, AccountKind>()
  for (const [name, key] of keys) {
    const kind = known.get(name)
    if (kind) found.set(name, kind)
    else if (kind === undefined) {
      missing.push(key)
      names.push(name)
    }
  }
  const read = await readKinds(view, missing)
  view.keep(() => {
    for (const name of names) {
      const kind = read.get(name)
      // The methods of a code can become known without a new block.
      if (kind === undefined || kind.code_hash === null || kind.methods !== null) known.set(name, kind ?? null)
    }
  })
  if (found.size === 0) return read
  for (const [name, kind] of read) found.set(name, kind)
  return found
}

/** Accounts by balance, largest first. */
export const richest = (view: View, limit: number, offset: number): Promise<Pick<AccountRow, 'account' | 'balance'>[]> => {
  const query = view.sql.selectFrom('accounts').select(['account', 'balance']).orderBy(sql`balance desc, account desc`)
  return view.rows(onPage(query, { limit, offset }))
}

const CELLS = fixed((builder, hashes) =>
  builder
    .selectFrom('cells')
    .select(['hash', 'boc'])
    .where(isIn(sql.ref('hash'), hashes)),
)

/** BoCs of bodies, initial states and codes by cell hash (base64); unknown hashes are missing from the result. */
export const cellsOf = async (view: View, hashes: Iterable<Buffer>): Promise<ReadonlyMap<string, Buffer>> => {
  const wanted = new Map<string, Buffer>()
  for (const hash of hashes) wanted.set(hash.toString('base64'), hash)
  const rows = await byPieces([...wanted.values()], (piece) => view.rows(CELLS(bytesList(piece))))
  return new Map(rows.map((row) => [row.hash.toString('base64'), row.boc]))
}
