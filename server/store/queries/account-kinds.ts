import { sql } from 'kysely'
import { Lru } from '../../base/memory/lru.ts'
import { DIRECTION_IN } from '../codes.ts'
import { bytesList } from '../postgres/lists.ts'
import { nameOf } from '../row-keys.ts'
import { fixed } from './fixed.ts'
import { remembered, type View } from './head.ts'
import { isIn } from './order.ts'
import { FEW, keyLists, messagesKeyed, type TransactionKey } from './transactions/keys.ts'

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
  const wanted = [...missing.values()]
  const rows = await view.shards(METHODS(bytesList(wanted)), 'once', wanted)
  for (const { code_hash, methods } of rows) {
    const name = code_hash.toString('base64')
    knownMethods.set(name, methods)
    found.set(name, methods)
  }
  return found
}

/** The shortest name of the account `a`. The owner is looked up by the name's own account: a join would read all items of an owner, and some have thousands. */
const DOMAIN = sql<string | null>`(select d.domain from dns_entries d where d.wallet = a.account
  and (select n.owner from nft_items n where n.account = d.account) = d.wallet order by length(d.domain), d.domain limit 1)`

/** The methods of the code of the account `a`. */
const METHODS_OF_CODE = sql<readonly number[] | null>`(select c.methods from contract_codes c where c.code_hash = a.code_hash)`

type KindRow = AccountKind & { readonly account: Buffer }

/** Largest number of accounts whose names and methods are looked up in one statement: about those of FEW messages. */
const FEW_ACCOUNTS = 2 * FEW

const KINDS = fixed((builder, keys) =>
  sql<KindRow>`select a.account, a.code_hash, ${METHODS_OF_CODE} as methods, ${DOMAIN} as domain from accounts a
    where ${isIn(sql.ref('a.account'), keys)}`.compile(builder),
)

/** The other side of a message of a transaction: who sent the one that it received, or gets the one that it sent. */
const OTHER_SIDE = sql`case direction when ${sql.lit(DIRECTION_IN)} then source else destination end`

/** Accounts that transactions name: their own, and the other sides of their messages. `offset 0`: each is found by its key, whatever the plan is made for. */
const KINDS_AROUND = fixed((builder, accounts, lts) =>
  sql<KindRow & { readonly is_known: boolean }>`select p.account, a.account is not null as is_known, a.code_hash, a.methods, a.domain from (
      select unnest(${accounts}::bytea[]) as account union select ${OTHER_SIDE} from messages where ${messagesKeyed([accounts, lts], false)}) p
    left join lateral (select a.account, a.code_hash, ${METHODS_OF_CODE} as methods, ${DOMAIN} as domain from accounts a where a.account = p.account offset 0) a on true
    where p.account is not null`.compile(builder),
)

const DOMAINS = fixed((builder, wallets, without) =>
  sql<{ wallet: Buffer; domain: string }>`select distinct on (d.wallet) d.wallet, d.domain
        from dns_entries d
        where ${isIn(sql.ref('d.wallet'), wallets)} and d.account <> all(${without}::bytea[]) and (select n.owner from nft_items n where n.account = d.account) = d.wallet
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
const domainsInSteps = async (view: View, keys: readonly Buffer[], without: readonly Buffer[]): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const excluded = new Set(without.map(nameOf))
  let open = keys
  for (let from = 0, count = FIRST_NAMES; open.length > 0; from += count, count *= MORE_NAMES) {
    const names = await view.late(NAMES(bytesList(open), from, from + count))
    if (names.length === 0) break
    const items = names.map(({ account }) => account)
    const owners = await view.shards(OWNERS(bytesList(items)), 'once', items)
    const ownerOf = new Map(owners.map(({ account, owner }) => [account.toString('latin1'), owner]))
    const seen = new Map<string, number>()
    for (const { account, wallet, domain } of names) {
      const name = wallet.toString('latin1')
      seen.set(name, (seen.get(name) ?? 0) + 1)
      if (!found.has(name) && !excluded.has(nameOf(account)) && ownerOf.get(account.toString('latin1'))?.equals(wallet))
        found.set(name, domain)
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
 * account: a join would read all items of the owner for every name, and some owners have thousands. `without`: items whose names do not count.
 */
export const domainsOf = async (
  view: View,
  keys: readonly Buffer[],
  without: readonly Buffer[] = [],
): Promise<ReadonlyMap<string, string>> => {
  if (view.isDistributed) return await domainsInSteps(view, keys, without)
  const rows = await view.rows(DOMAINS(bytesList(keys), bytesList(without)))
  return new Map(rows.map(({ wallet, domain }) => [wallet.toString('latin1'), domain]))
}

/** Codes of accounts that are read together with other rows. */
export type Codes = () => Promise<readonly Pick<KindRow, 'account' | 'code_hash'>[]>

/** Kinds of accounts by their keys' `nameOf`; null: the index does not know the account. */
export type AccountKinds = ReadonlyMap<string, AccountKind | null>

/**
 * Rows of accounts in statements by account, by name or by code alone. For a distributed database, which could not join them, and for many accounts: most of them
 * have one of a few codes, whose methods are in memory.
 */
const kindsInSteps = async (view: View, keys: readonly Buffer[], codes?: Codes): Promise<readonly KindRow[]> => {
  const list = bytesList(keys)
  const [rows, domains] = await Promise.all([codes ? codes() : view.shards(CODES(list), 'once', keys), domainsOf(view, keys)])
  const hashes = new Map(rows.flatMap(({ code_hash }) => (code_hash === null ? [] : [[nameOf(code_hash), code_hash] as const])))
  const methods = await methodsOfCodes(view, [...hashes.values()])
  return rows.map(({ account, code_hash }) => ({
    account,
    code_hash,
    methods: (code_hash && methods.get(code_hash.toString('base64'))) ?? null,
    domain: domains.get(nameOf(account)) ?? null,
  }))
}

/** Kinds of accounts, read. null: the index does not know the account. `codes`: those of these accounts, and maybe of others. */
export const readKinds = async (view: View, keys: readonly Buffer[], codes?: Codes): Promise<AccountKinds> => {
  const kinds = new Map<string, AccountKind | null>(keys.map((key) => [nameOf(key), null]))
  if (keys.length === 0) return kinds
  const rows =
    view.isDistributed || keys.length > FEW_ACCOUNTS ? await kindsInSteps(view, keys, codes) : await view.rows(KINDS(bytesList(keys)))
  for (const row of rows) if (kinds.has(nameOf(row.account))) kinds.set(nameOf(row.account), row)
  return kinds
}

/**
 * Kinds of the accounts that transactions name, by the keys of the transactions: so they can be asked for together with the messages. The messages are read
 * once more for that, so this is for a few transactions. Not for a distributed database, which could not join them.
 */
export const kindsAround = async (view: View, keys: readonly TransactionKey[]): Promise<AccountKinds> => {
  const rows = await view.rows(KINDS_AROUND(...keyLists(keys)))
  return new Map(rows.map((row) => [nameOf(row.account), row.is_known ? row : null]))
}

/** Kinds of accounts that are not remembered, to be read together with other rows of an answer. Keys that are null are skipped. */
export const kindsBeside = (view: View, keys: Iterable<Buffer | null>): Promise<AccountKinds> => {
  const known = remembered<AccountKind | null>(view, 'kinds')
  const missing = new Map<string, Buffer>()
  for (const key of keys) if (key && !known.has(nameOf(key))) missing.set(nameOf(key), key)
  return readKinds(view, [...missing.values()])
}

/** What a caller reads of accounts, so that it is not read again. */
export interface KindsRead {
  readonly beside?: AccountKinds | undefined
  readonly codes?: Codes | undefined
}

/**
 * Fields of accounts for the address book, those of known accounts. They are remembered until the next head. Keys and result are by the key's `nameOf`.
 * `beside`: what was read together with the rows of the answer. `codes`: those of these accounts.
 */
export const accountKinds = async (
  view: View,
  keys: ReadonlyMap<string, Buffer>,
  { beside, codes }: KindsRead = {},
): Promise<ReadonlyMap<string, AccountKind>> => {
  const known = remembered<AccountKind | null>(view, 'kinds')
  const missing = new Map<string, Buffer>()
  const found = new Map<string, AccountKind>()
  for (const [name, key] of keys) {
    let kind = known.get(name)
    if (kind === undefined) kind = beside?.get(name)
    if (kind) found.set(name, kind)
    else if (kind === undefined) missing.set(name, key)
  }
  const read = await readKinds(view, [...missing.values()], codes)
  for (const [name, kind] of read) if (kind) found.set(name, kind)
  view.keep(() => {
    // The methods of a code can become known without a new block.
    for (const [name, kind] of [...read, ...(beside ?? [])])
      if (kind === null || kind.code_hash === null || kind.methods !== null) known.set(name, kind)
  })
  return found
}
