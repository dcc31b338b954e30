import { ENCRYPTED_COMMENT } from '../../../actions/comment-text.ts'
import type { AccountFacts, Facts } from '../../../actions/facts.ts'
import type { RequiredFacts } from '../../../actions/required-facts.ts'
import type { Address, Trace } from '../../../actions/trace.ts'
import { portionsOf } from '../../../base/memory/portions.ts'
import { inOwnTurn, mapWithPauses, runSteps } from '../../../base/yield.ts'
import { parseBocRootSteps } from '../../../cell/boc.ts'
import type { Cell } from '../../../cell/cell.ts'
import { requiredFacts } from '../../../protocols/index.ts'
import { poolFacts as jvaultPoolFacts, stakeWalletFacts } from '../../../protocols/jvault/actions.ts'
import { MULTISIG_ROLES, SALE_AUCTION, SALE_FIXED } from '../../../store/codes.ts'
import { keyOfRaw, nameOf, rawOfKey } from '../../../store/row-keys.ts'
import type { accounts } from '../../../store/schema/accounts.ts'
import { contractCodes } from '../../../store/schema/contracts.ts'
import { jettonMasters, jettonWallets } from '../../../store/schema/jettons.ts'
import { nftItems, nftSales } from '../../../store/schema/nfts.ts'
import { type Select, select } from '../../../store/schema/select.ts'
import { nominatorPools } from '../../../store/schema/staking.ts'
import type { AccountTable, ReadRow } from '../../../store/schema/table.ts'
import { multisigMembers, multisigOrders } from '../../../store/schema/wallets.ts'
import { createAccountRows, type RowsByAccount } from '../account-rows.ts'
import type { MethodAnswer } from '../topic.ts'
import { createDataReader, poolFacts, withData } from './pool-facts.ts'

const FACT_TABLES = [jettonMasters, jettonWallets, nftItems, nftSales, nominatorPools, multisigOrders, multisigMembers] as const

type Read = <R>(query: Select<R> | string, values: readonly unknown[]) => Promise<R[]>

export interface WithCode {
  readonly key: Buffer
  readonly codeHash: Buffer
}

const CODES_WITH_METHOD = select(contractCodes, ['code_hash'], 'where code_hash = any($1::bytea[]) and $2::int = any(methods)')

/** Returns those accounts whose code has the get-method `method`, according to the tables. */
export const havingMethodIn =
  (read: Read): FactSource['havingMethod'] =>
  async (accounts, method) => {
    const codes = await read(CODES_WITH_METHOD, [accounts.map(({ codeHash }) => codeHash), method])
    const having = new Set(codes.map(({ code_hash }) => nameOf(code_hash)))
    return accounts.filter(({ codeHash }) => having.has(nameOf(codeHash)))
  }

export interface FactSource {
  havingMethod<A extends WithCode>(accounts: readonly A[], method: number): Promise<readonly A[]>
  /** Returns a function that lists the accounts with rows in a table. */
  owners(keys: readonly Buffer[]): Promise<(of: AccountTable) => readonly Buffer[]>
  accountRows<T extends AccountTable>(of: T, keys: readonly Buffer[]): Promise<RowsByAccount<T>>
  /** Hashes of code and data, and also the data if `wants` is `data`, in the order of the keys. */
  contents(keys: readonly Buffer[], wants: 'code' | 'data'): Promise<readonly AccountContent[]>
  /** Runs a get-method; undefined if the account does not exist. Missing in a source without a TVM. */
  run?(key: Buffer, method: string): Promise<MethodAnswer | undefined>
}

/** Maximum number of accounts whose rows are cached. Each request makes a source, and allocating a large cache takes milliseconds. */
const MAX_ACCOUNTS = 512

export const sourceOfTables = (read: Read, contents: FactSource['contents']): FactSource => {
  const accountRows = createAccountRows(FACT_TABLES, MAX_ACCOUNTS)
  return {
    havingMethod: havingMethodIn(read),
    owners: (keys) => accountRows.owners({ read }, keys),
    accountRows: (of, keys) => accountRows.rows({ read }, of, keys),
    contents,
  }
}

export interface AccountContent {
  readonly codeHash?: Buffer | undefined
  readonly dataHash?: Buffer | undefined
  readonly data?: Cell | undefined
}

type ContentRow = Pick<ReadRow<typeof accounts>, 'account' | 'code_hash' | 'data_hash' | 'data_boc'>

/** Reads data in turns: the data of one account can have 65,536 cells, and the traces of a block can lead to the data of many accounts. */
export const contentsOfRows = async (
  keys: readonly Buffer[],
  rows: readonly ContentRow[],
  wants: 'code' | 'data',
): Promise<readonly AccountContent[]> => {
  const byKey = new Map(rows.map((row) => [row.account.toString('latin1'), row]))
  const contents: AccountContent[] = []
  for (const key of keys) {
    const row = byKey.get(key.toString('latin1'))
    const data = wants === 'data' && row?.data_boc ? await runSteps(parseBocRootSteps(row.data_boc)) : undefined
    contents.push({ codeHash: row?.code_hash ?? undefined, dataHash: row?.data_hash ?? undefined, data })
  }
  return contents
}

type MutableFacts = { -readonly [K in keyof AccountFacts]: AccountFacts[K] }
type Found = Map<Address, MutableFacts>

const raw = (key: Buffer | null): Address | null => (key === null || key.length === 0 ? null : rawOfKey(key))

const of = (found: Found, key: Buffer): MutableFacts => {
  const address = rawOfKey(key)
  const facts = found.get(address) ?? {}
  found.set(address, facts)
  return facts
}

const readWallet = (facts: MutableFacts, { owner, jetton }: ReadRow<typeof jettonWallets>): void => {
  facts.jettonWallet = { owner: rawOfKey(owner), jetton: rawOfKey(jetton) }
}

/** Maximum number of characters of an item's link. Longer ones are left out: a contract can make 8,192 characters of a few cells. */
const MAX_URI = 1_024

const readItem = (
  facts: MutableFacts,
  { index, collection, owner, content }: ReadRow<typeof nftItems>,
  codeHash: Buffer | undefined,
): void => {
  const { uri } = JSON.parse(content) as { readonly uri?: unknown }
  facts.nftItem = {
    index: BigInt(index),
    collection: raw(collection),
    owner: raw(owner),
    uri: typeof uri === 'string' && uri.length <= MAX_URI ? uri : null,
    codeHash: codeHash?.toString('base64') ?? null,
  }
}

const readSale = (facts: MutableFacts, { kind, details, ...row }: ReadRow<typeof nftSales>): void => {
  if (kind !== SALE_FIXED && kind !== SALE_AUCTION) return
  const parties = { marketplace: raw(row.marketplace), item: raw(row.item), seller: raw(row.seller) }
  const { full_price: price, last_bid: lastBid } = JSON.parse(details) as Readonly<Record<string, string | undefined>>
  if (kind === SALE_FIXED) facts.nftSale = { ...parties, price: BigInt(price ?? 0) }
  else facts.nftAuction = { ...parties, lastBid: BigInt(lastBid ?? 0) }
}

const ORDER_SIGNER = MULTISIG_ROLES.indexOf('order_signer')

const readOrder = (facts: MutableFacts, members: readonly ReadRow<typeof multisigMembers>[]): void => {
  const signers = members.filter(({ role }) => role === ORDER_SIGNER).sort((a, b) => a.place - b.place)
  facts.multisigOrder = { signers: signers.map(({ member }) => rawOfKey(member)) }
}

/**
 * Maximum number of accounts whose rows are read together. An item has up to 32 KiB of content, and an order 256 signers, so the rows of all accounts of a trace
 * would fill the memory.
 */
const AT_ONCE = { rows: 10_000, items: 256, orders: 64 } as const

const readEach = async <T extends AccountTable>(
  source: FactSource,
  of: T,
  keys: readonly Buffer[],
  take: (key: Buffer, rows: readonly ReadRow<T>[]) => void,
  atOnce: number = AT_ONCE.rows,
): Promise<void> => {
  for (const portion of portionsOf(keys, atOnce)) {
    const rows = await source.accountRows(of, portion)
    await mapWithPauses(portion, (key) => take(key, rows.get(key.toString('latin1')) ?? []))
  }
}

/** Returns those accounts that are orders of multisigs. */
const factsOfAccounts = async (source: FactSource, keys: readonly Buffer[], found: Found): Promise<readonly Buffer[]> => {
  const owners = await source.owners(keys)
  for (const key of owners(nominatorPools)) of(found, key).nominatorPool = true
  await readEach(source, jettonWallets, owners(jettonWallets), (key, [row]) => row && readWallet(of(found, key), row))
  await readEach(source, nftSales, owners(nftSales), (key, [row]) => row && readSale(of(found, key), row))
  const items = owners(nftItems)
  const contents = items.length === 0 ? [] : await source.contents(items, 'code')
  const codes = new Map(items.map((key, i) => [key, contents[i]?.codeHash]))
  await readEach(source, nftItems, items, (key, [row]) => row && readItem(of(found, key), row, codes.get(key)), AT_ONCE.items)
  return owners(multisigOrders)
}

/** Maximum number of orders of a trace whose signers are facts. All signers are stored with the trace, and a contract can name them in a few cells. */
const MAX_ORDERS = 100

/** Returns the first MAX_ORDERS of a trace. A lock wallet of JVault that is an order beside the trace is none of them: no action shows its signers. */
const firstOrders = ({ accounts }: RequiredFacts, orders: ReadonlySet<Address>): ReadonlySet<Address> =>
  new Set(orders.size === 0 ? [] : [...accounts].filter((address) => orders.has(address)).slice(0, MAX_ORDERS))

const readStakeWallets = createDataReader(stakeWalletFacts)
const readJvaultPools = createDataReader(jvaultPoolFacts)

/** Adds facts about JVault: a stake wallet's data has the address of its pool, and the pool's data has the jetton wallet with the stakes. */
const jvault = async (source: FactSource, wallets: readonly Buffer[], found: Found): Promise<void> => {
  if (wallets.length === 0) return
  const pools: Buffer[] = []
  await readStakeWallets(source, await withData(source, wallets), (wallet, facts) => {
    of(found, wallet).jvaultStakeWallet = facts
    pools.push(keyOfRaw(facts.pool))
  })
  const locks: Buffer[] = []
  await readJvaultPools(source, await withData(source, pools), (pool, facts) => {
    of(found, pool).jvaultPool = facts
    locks.push(keyOfRaw(facts.lockWallet))
  })
  await factsOfAccounts(source, locks, found)
}

/** Opcodes of transfers with or without a comment. These opcodes mean the same for all accounts. */
const COMMENTS: ReadonlySet<number | null> = new Set([null, 0, ENCRYPTED_COMMENT])

const isPlain = ({ transactions }: Trace): boolean =>
  transactions.every(
    ({ inMessage, outMessages }) =>
      outMessages.every(({ opcode, destination }) => destination === null || COMMENTS.has(opcode)) &&
      (inMessage === undefined || inMessage.source === null || COMMENTS.has(inMessage.opcode)),
  )

/**
 * Returns whether the facts of a trace have to be looked up. A trace of one transaction always needs facts: if a wallet rejected an external message, the
 * messages that the external message requests are classified.
 */
export const needsFacts = (trace: Trace): boolean => trace.transactions.length === 1 || !isPlain(trace)

/** Returns the facts for the classification of each trace, in the order of the traces, from the current state of `source`. */
export const findFacts = async (source: FactSource, traces: readonly Trace[]): Promise<readonly Facts[]> => {
  const required: (RequiredFacts | undefined)[] = []
  const accounts = new Set<Address>()
  const stakeWallets = new Set<Address>()
  const pools = new Set<Address>()
  for (const trace of traces) {
    const each = (await inOwnTurn(() => needsFacts(trace))) ? await runSteps(requiredFacts(trace)) : undefined
    required.push(each)
    for (const address of each?.accounts ?? []) accounts.add(address)
    for (const address of each?.stakeWallets ?? []) stakeWallets.add(address)
    for (const address of each?.pools ?? []) pools.add(address)
  }
  const found: Found = new Map()
  const orders = new Set<Address>()
  for (const some of portionsOf([...accounts], AT_ONCE.rows))
    for (const order of await factsOfAccounts(source, some.map(keyOfRaw), found)) orders.add(rawOfKey(order))
  const ordersOf = required.map((each) => each && firstOrders(each, orders))
  const chosen = [...new Set(ordersOf.flatMap((each) => [...(each ?? [])]))].map(keyOfRaw)
  await readEach(source, multisigMembers, chosen, (key, members) => readOrder(of(found, key), members), AT_ONCE.orders)
  await jvault(source, [...stakeWallets].map(keyOfRaw), found)
  await poolFacts(source, [...pools].map(keyOfRaw), (pool, facts) => Object.assign(of(found, pool), facts))
  return await mapWithPauses(required.entries(), ([i, each]) => (each === undefined ? new Map() : factsOf(each, found, ordersOf[i]!)))
}

/** Maximum number of characters of all links of a trace, as JSON: a control character has six. The links after them are left out. */
const MAX_URIS = 2 << 20

const createLimit = (orders: ReadonlySet<Address>) => {
  let uris = MAX_URIS
  return (address: Address, facts: AccountFacts): AccountFacts => {
    const { nftItem, multisigOrder, ...rest } = facts
    if (nftItem?.uri) uris -= JSON.stringify(nftItem.uri).length
    const isLeftOut = multisigOrder !== undefined && !orders.has(address)
    if (uris >= 0 && !isLeftOut) return facts
    return {
      ...rest,
      nftItem: nftItem && { ...nftItem, uri: uris < 0 ? null : nftItem.uri },
      multisigOrder: isLeftOut ? undefined : multisigOrder,
    }
  }
}

const factsOf = ({ accounts, stakeWallets, pools }: RequiredFacts, found: Found, orders: ReadonlySet<Address>): Facts => {
  const facts = new Map<Address, AccountFacts>()
  const limited = createLimit(orders)
  const add = (address: Address | undefined): AccountFacts | undefined => {
    const ofAccount = address === undefined ? undefined : found.get(address)
    if (ofAccount !== undefined && !facts.has(address!)) facts.set(address!, limited(address!, ofAccount))
    return ofAccount
  }
  for (const address of accounts) add(address)
  for (const pool of pools) add(pool)
  for (const address of stakeWallets) add(add(add(address)?.jvaultStakeWallet?.pool)?.jvaultPool?.lockWallet)
  return facts
}
