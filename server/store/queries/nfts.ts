import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { nameOf } from '../row-keys.ts'
import { nftCollections, nftItems, nftTransfers } from '../schema/nfts.ts'
import type { Tables } from '../schema/tables.ts'
import { BY_APPEARANCE, type Ids, is, isAccount, isAny, keyOf, OF_STATE, type StateColumns, type WindowFilter } from './conditions.ts'
import { lookUp } from './look-up.ts'
import { all, type Condition, limited, orderOf, type Page, type PageParams, withState } from './order.ts'
import { tokenTable } from './token-tables.ts'
import { transferList } from './transfers-and-burns.ts'
import type { View } from './view.ts'

export type NftCollectionRow = Tables['nft_collections'] & StateColumns
export type NftItemRow = Tables['nft_items'] & StateColumns
export type NftSaleRow = Tables['nft_sales'] & StateColumns
export type NftTransferRow = Tables['nft_transfers']
export type DnsRow = Tables['dns_entries'] & { readonly item_owner: Buffer | null }

const COLLECTIONS = orderOf(nftCollections, 'f', BY_APPEARANCE)
const collections = tokenTable<NftCollectionRow>(nftCollections, OF_STATE)

/** Reads collections in the order in which the index first saw them. */
export const findNftCollections = (
  view: View,
  filter: { readonly collection_address?: Ids; readonly owner_address?: Ids },
  page: PageParams,
): Promise<Page<NftCollectionRow>> => {
  const where = [isAccount('account', filter.collection_address), isAccount('owner', filter.owner_address)]
  return collections.page(view, COLLECTIONS, page, where)
}

/** Items have a column last_trans_lt of their own. */
const OF_ITEM_STATE = ['code_hash', 'data_hash'] as const

const items = tokenTable<NftItemRow>(nftItems, OF_ITEM_STATE)

export const collectionsOf = collections.byKey
export const itemsOf = items.byKey

const ITEMS_BY_APPEARANCE = orderOf(nftItems, 'f', BY_APPEARANCE)
const ITEMS_BY_COLLECTION = orderOf(nftItems, 'c', ['collection', 'index', 'account'])
const ITEMS_BY_LT = orderOf(nftItems, 'l', ['last_trans_lt', 'account'])

export interface NftItemFilter {
  readonly address?: Ids
  readonly owner_address?: Ids
  readonly collection_address?: Ids
  readonly index?: readonly string[] | undefined
  readonly include_on_sale?: boolean | undefined
  readonly sort_by_last_transaction_lt?: boolean | undefined
}

const orderOfItems = (filter: NftItemFilter) => {
  if (filter.sort_by_last_transaction_lt) return ITEMS_BY_LT
  return filter.owner_address || filter.collection_address ? ITEMS_BY_COLLECTION : ITEMS_BY_APPEARANCE
}

/** Reads items: those of an owner or a collection by collection and index, all others by the lt at which the index first saw them. */
export const findNftItems = (
  view: View,
  filter: NftItemFilter,
  page: Omit<PageParams, 'sort'> & { readonly sort?: PageParams['sort'] | undefined },
): Promise<Page<NftItemRow>> => {
  const order = orderOfItems(filter)
  const sort = page.sort ?? (order === ITEMS_BY_LT ? 'desc' : 'asc')
  const where = [
    isAccount('account', filter.address),
    isAccount(filter.include_on_sale ? 'real_owner' : 'owner', filter.owner_address),
    isAccount('collection', filter.collection_address),
    filter.index && sql<boolean>`index = any(${filter.index}::numeric[])`,
  ]
  return items.page(view, order, { ...page, sort }, where)
}

const domains = lookUp({ from: 'nft_items', by: 'account', columns: ['account', 'domain'] })

export const domainsOf = async (view: View, items: readonly AccountId[]): Promise<{ account: Buffer; domain: string }[]> =>
  (await domains(view, items.map(keyOf))).flatMap(({ account, domain }) => (domain === null ? [] : [{ account, domain }]))

/** Reads sales by address. Sales at a fixed price come first. */
export const findNftSales = (view: View, addresses: readonly AccountId[]): Promise<NftSaleRow[]> => {
  const found = sql`select * from nft_sales where ${isAny('account', addresses.map(keyOf))}`
  return view.rows(sql<NftSaleRow>`${withState(found, 'nft_sales', OF_STATE)} order by kind, nft_sales.account`)
}

export interface NftTransferFilter extends WindowFilter {
  readonly owner_address?: Ids
  readonly item_address?: Ids
  readonly collection_address?: AccountId | undefined
  readonly direction?: 'in' | 'out' | undefined
}

const transfers = transferList(nftTransfers, { from: 'old_owner', to: 'new_owner' })

export const findNftTransfers = (view: View, filter: NftTransferFilter, page: PageParams): Promise<Page<NftTransferRow>> =>
  transfers(view, filter, page, [isAccount('account', filter.item_address), isAccount('collection', filter.collection_address)])

export const ownersOfItems = lookUp({ from: 'nft_items', by: 'account', columns: ['account', 'owner'] })

/**
 * Reads DNS names and adds the owners of their items. The owners are read separately, because on a cluster items are on shards and names on the
 * coordinator.
 */
const findDns = async (
  view: View,
  where: readonly Condition[],
  order: RawBuilder<unknown>,
  page: { readonly limit: number; readonly offset: number },
): Promise<DnsRow[]> => {
  const found = sql<Tables['dns_entries']>`select * from dns_entries where ${all(where)} order by ${order} ${limited(page)}`
  const rows = await view.rows(found)
  const items = await ownersOfItems(
    view,
    rows.map(({ account }) => account),
  )
  const owners = new Map(items.map(({ account, owner }) => [nameOf(account), owner]))
  return rows.map((row) => ({ ...row, item_owner: owners.get(nameOf(row.account)) ?? null }))
}

/** Finds the names that resolve to a wallet, or the records of one name. The shortest name comes first. */
export const findNames = (
  view: View,
  filter: { readonly wallet?: AccountId | undefined; readonly domain?: string | undefined },
  page: { readonly limit: number; readonly offset: number },
): Promise<DnsRow[]> =>
  findDns(view, [isAccount('wallet', filter.wallet), is('domain', filter.domain)], sql`length(domain), domain, account`, page)

export interface AuctionFilter {
  readonly bidder: AccountId
  readonly state: 'all' | 'won' | 'bidding'
  /** Unix seconds. Auctions that end at or before this time are over. */
  readonly now: number
  readonly after?: { readonly end: string; readonly item: Buffer } | undefined
}

/** Auctions of names by their highest bidder, ordered by end time. */
export const findAuctions = (
  view: View,
  { bidder, state, now, after }: AuctionFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<DnsRow[]> => {
  const where = [
    isAccount('bidder', bidder),
    state === 'won' ? sql<boolean>`auction_end <= ${now}` : undefined,
    state === 'bidding' ? sql<boolean>`auction_end > ${now}` : undefined,
    after && sql<boolean>`(auction_end, account) > (${after.end}::bigint, ${after.item}::bytea)`,
  ]
  return findDns(view, where, sql`auction_end, account`, page)
}
