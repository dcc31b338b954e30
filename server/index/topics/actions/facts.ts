import type { AccountFacts, Facts } from '../../../actions/facts.ts'
import { poolFacts, stakeWalletFacts } from '../../../actions/staking/jvault.ts'
import type { Address, Trace } from '../../../actions/trace.ts'
import { type Wanted, wantedFacts } from '../../../actions/wanted.ts'
import type { Cell } from '../../../cell/cell.ts'
import { MULTISIG_ROLES, SALE_AUCTION, SALE_FIXED } from '../../../store/codes.ts'
import { keyOfRaw, rawOfKey } from '../../../store/keys.ts'
import type { MethodAnswer } from '../topic.ts'
import { poolFacts as factsOfPools } from './pool-facts.ts'

/* Facts about the accounts of traces, from the rows of the other topics. */

/** Where facts are read from. */
export interface FactSource {
  /** Queries the tables of topics. */
  rows<R>(text: string, values: readonly unknown[]): Promise<R[]>
  /** Code hashes or data of accounts, in the order of the keys. */
  contents(keys: readonly Buffer[], wants: 'code' | 'data'): Promise<readonly AccountContent[]>
  /** Runs a get-method of an account; undefined if there is no such account. Left out by a source without a TVM. */
  run?(key: Buffer, method: string): Promise<MethodAnswer | undefined>
}

export interface AccountContent {
  /** 32 bytes. */
  readonly codeHash?: Buffer | undefined
  readonly data?: Cell | undefined
}

type Known = { -readonly [K in keyof AccountFacts]: AccountFacts[K] }
type Found = Map<Address, Known>

const raw = (key: Buffer | null): Address | null => (key === null || key.length === 0 ? null : rawOfKey(key))

const of = (found: Found, key: Buffer): Known => {
  const address = rawOfKey(key)
  const known = found.get(address) ?? {}
  found.set(address, known)
  return known
}

const jettonWallets = async (source: FactSource, keys: readonly Buffer[], found: Found): Promise<void> => {
  const rows = await source.rows<{ account: Buffer; owner: Buffer; jetton: Buffer }>(
    'select account, owner, jetton from jetton_wallets where account = any($1::bytea[])',
    [keys],
  )
  for (const { account, owner, jetton } of rows) of(found, account).jettonWallet = { owner: rawOfKey(owner), jetton: rawOfKey(jetton) }
}

interface ItemRow {
  readonly account: Buffer
  readonly index: string
  readonly collection: Buffer
  readonly owner: Buffer | null
  readonly content: string
}

const nftItems = async (source: FactSource, keys: readonly Buffer[], found: Found): Promise<void> => {
  const rows = await source.rows<ItemRow>(
    'select account, index, collection, owner, content from nft_items where account = any($1::bytea[])',
    [keys],
  )
  if (rows.length === 0) return
  const contents = await source.contents(
    rows.map(({ account }) => account),
    'code',
  )
  for (const [i, { account, index, collection, owner, content }] of rows.entries()) {
    const { uri } = JSON.parse(content) as { readonly uri?: unknown }
    of(found, account).nftItem = {
      index: BigInt(index),
      collection: raw(collection),
      owner: raw(owner),
      uri: typeof uri === 'string' ? uri : null,
      codeHash: contents[i]?.codeHash?.toString('base64') ?? null,
    }
  }
}

interface SaleRow {
  readonly account: Buffer
  readonly kind: number
  readonly item: Buffer | null
  readonly seller: Buffer | null
  readonly marketplace: Buffer | null
  readonly details: string
}

const sales = async (source: FactSource, keys: readonly Buffer[], found: Found): Promise<void> => {
  const rows = await source.rows<SaleRow>(
    `select account, kind, item, seller, marketplace, details from nft_sales
     where account = any($1::bytea[]) and kind in (${SALE_FIXED}, ${SALE_AUCTION})`,
    [keys],
  )
  for (const { account, kind, details, ...row } of rows) {
    const parties = { marketplace: raw(row.marketplace), item: raw(row.item), seller: raw(row.seller) }
    const { full_price: price, last_bid: lastBid } = JSON.parse(details) as Readonly<Record<string, string | undefined>>
    const known = of(found, account)
    if (kind === SALE_FIXED) known.nftSale = { ...parties, price: BigInt(price ?? 0) }
    else known.nftAuction = { ...parties, lastBid: BigInt(lastBid ?? 0) }
  }
}

const ORDER_SIGNER = MULTISIG_ROLES.indexOf('order_signer')

const orders = async (source: FactSource, keys: readonly Buffer[], found: Found): Promise<void> => {
  const rows = await source.rows<{ account: Buffer; member: Buffer | null }>(
    `select o.account, m.member from multisig_orders o left join multisig_members m on m.account = o.account and m.role = ${ORDER_SIGNER}
     where o.account = any($1::bytea[]) order by o.account, m.place`,
    [keys],
  )
  for (const { account, member } of rows) {
    const known = of(found, account)
    const signers = known.multisigOrder?.signers ?? []
    known.multisigOrder = { signers: member === null ? signers : [...signers, rawOfKey(member)] }
  }
}

const nominatorPools = async (source: FactSource, keys: readonly Buffer[], found: Found): Promise<void> => {
  const rows = await source.rows<{ pool: Buffer }>('select pool from nominator_pools where pool = any($1::bytea[])', [keys])
  for (const { pool } of rows) of(found, pool).nominatorPool = true
}

/** A JVault stake wallet names its pool, and the pool names the jetton wallet that holds the stakes. */
const jvault = async (source: FactSource, wallets: readonly Buffer[], found: Found): Promise<void> => {
  if (wallets.length === 0) return
  const read = await source.contents(wallets, 'data')
  const pools: Buffer[] = []
  for (const [i, wallet] of wallets.entries()) {
    const data = read[i]?.data
    const facts = data && stakeWalletFacts(data)
    if (facts === undefined) continue
    of(found, wallet).jvaultStakeWallet = facts
    pools.push(keyOfRaw(facts.pool))
  }
  const states = await source.contents(pools, 'data')
  const locks: Buffer[] = []
  for (const [i, pool] of pools.entries()) {
    const data = states[i]?.data
    const facts = data && poolFacts(data)
    if (facts === undefined) continue
    of(found, pool).jvaultPool = facts
    locks.push(keyOfRaw(facts.lockWallet))
  }
  if (locks.length > 0) await jettonWallets(source, locks, found)
}

/** Opcodes of plain transfers, with or without a comment. Their meaning does not depend on the accounts. */
const COMMENTS: ReadonlySet<number | null> = new Set([null, 0, 0x2167da4b])

const isPlain = ({ transactions }: Trace): boolean =>
  transactions.every(
    ({ inMessage, outMessages }) =>
      outMessages.every(({ opcode, destination }) => destination === null || COMMENTS.has(opcode)) &&
      (inMessage === undefined || inMessage.source === null || COMMENTS.has(inMessage.opcode)),
  )

/**
 * Whether the facts of a trace have to be looked up. A trace of one transaction always needs them: if a wallet rejected an external message, the
 * messages that it requested are classified.
 */
const needsFacts = (trace: Trace): boolean => trace.transactions.length === 1 || !isPlain(trace)

/** The facts that the classification of each trace needs, as `source` has them now. In the order of the traces. */
export const findFacts = async (source: FactSource, traces: readonly Trace[]): Promise<readonly Facts[]> => {
  const wanted = traces.map((trace) => (needsFacts(trace) ? wantedFacts(trace) : undefined))
  const accounts = new Set<Address>()
  const stakeWallets = new Set<Address>()
  const pools = new Set<Address>()
  for (const each of wanted) {
    for (const address of each?.accounts ?? []) accounts.add(address)
    for (const address of each?.stakeWallets ?? []) stakeWallets.add(address)
    for (const address of each?.pools ?? []) pools.add(address)
  }
  if (accounts.size === 0) return traces.map(() => new Map())
  const keys = [...accounts].map(keyOfRaw)
  const found: Found = new Map()
  await Promise.all([jettonWallets, nftItems, sales, orders, nominatorPools].map((read) => read(source, keys, found)))
  await jvault(source, [...stakeWallets].map(keyOfRaw), found)
  await factsOfPools(source, [...pools].map(keyOfRaw), (pool, known) => Object.assign(of(found, pool), known))
  return wanted.map((each) => (each === undefined ? new Map() : factsOf(each, found)))
}

/** The facts about the accounts of one trace, and about the accounts that those facts lead to. */
const factsOf = ({ accounts, stakeWallets, pools }: Wanted, found: Found): Facts => {
  const facts = new Map<Address, AccountFacts>()
  const add = (address: Address | undefined): AccountFacts | undefined => {
    const known = address === undefined ? undefined : found.get(address)
    if (known !== undefined) facts.set(address!, known)
    return known
  }
  for (const address of accounts) add(address)
  for (const pool of pools) add(pool)
  for (const address of stakeWallets) add(add(add(address)?.jvaultStakeWallet?.pool)?.jvaultPool?.lockWallet)
  return facts
}
