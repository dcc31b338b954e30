import { type RawBuilder, sql } from 'kysely'
import type { Params } from '../../../shared/registry.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { nameOf } from '../row-keys.ts'
import { nftCollections, nftItems, nftTransfers } from '../schema/nfts.ts'
import type { Tables } from '../schema/tables.ts'
import { BY_APPEARANCE, is, isAccount, isAny, keyOf, type ListParams, OF_STATE, type StateColumns } from './conditions.ts'
import { lookUp } from './look-up.ts'
import { all, type Condition, limited, orderOf, type Page, withState } from './order.ts'
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
export const findNftCollections = (view: View, params: ListParams<'v3.nft.collections'>): Promise<Page<NftCollectionRow>> => {
  const where = [isAccount('account', params.collection_address), isAccount('owner', params.owner_address)]
  return collections.page(view, COLLECTIONS, { ...params, sort: 'asc' }, where)
}

/** Items have a column last_trans_lt of their own. */
const OF_ITEM_STATE = ['code_hash', 'data_hash'] as const

const items = tokenTable<NftItemRow>(nftItems, OF_ITEM_STATE)

export const collectionsOf = collections.byKey
export const itemsOf = items.byKey

const ITEMS_BY_APPEARANCE = orderOf(nftItems, 'f', BY_APPEARANCE)
const ITEMS_BY_COLLECTION = orderOf(nftItems, 'c', ['collection', 'index', 'account'])
const ITEMS_BY_LT = orderOf(nftItems, 'l', ['last_trans_lt', 'account'])

type ItemParams = ListParams<'v3.nft.items'>

const orderOfItems = (params: ItemParams) => {
  if (params.sort_by_last_transaction_lt) return ITEMS_BY_LT
  return params.owner_address || params.collection_address ? ITEMS_BY_COLLECTION : ITEMS_BY_APPEARANCE
}

/** Reads items: those of an owner or a collection by collection and index, all others by the lt at which the index first saw them. */
export const findNftItems = (view: View, params: ItemParams): Promise<Page<NftItemRow>> => {
  const order = orderOfItems(params)
  const sort = params.sort ?? (order === ITEMS_BY_LT ? 'desc' : 'asc')
  const where = [
    isAccount('account', params.address),
    isAccount(params.include_on_sale ? 'real_owner' : 'owner', params.owner_address),
    isAccount('collection', params.collection_address),
    params.index && sql<boolean>`index = any(${params.index}::numeric[])`,
  ]
  return items.page(view, order, { ...params, sort }, where)
}

const domains = lookUp({ from: 'nft_items', by: 'account', columns: ['account', 'domain'] })

export const domainsOf = async (view: View, items: readonly AccountId[]): Promise<{ account: Buffer; domain: string }[]> =>
  (await domains(view, items.map(keyOf))).flatMap(({ account, domain }) => (domain === null ? [] : [{ account, domain }]))

/** Reads sales by address. Sales at a fixed price come first. */
export const findNftSales = (view: View, addresses: readonly AccountId[]): Promise<NftSaleRow[]> => {
  const found = sql`select * from nft_sales where ${isAny('account', addresses.map(keyOf))}`
  return view.rows(sql<NftSaleRow>`${withState(found, 'nft_sales', OF_STATE)} order by kind, nft_sales.account`)
}

const transfers = transferList(nftTransfers, { from: 'old_owner', to: 'new_owner' })

export const findNftTransfers = (view: View, params: ListParams<'v3.nft.transfers'>): Promise<Page<NftTransferRow>> =>
  transfers(view, params, [isAccount('account', params.item_address), isAccount('collection', params.collection_address)])

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
  const keys = rows.map(({ account }) => account)
  const items = await ownersOfItems(view, keys)
  const owners = new Map(items.map(({ account, owner }) => [nameOf(account), owner]))
  return rows.map((row) => ({ ...row, item_owner: owners.get(nameOf(row.account)) ?? null }))
}

/** Finds the names that resolve to a wallet, or the records of one name. The shortest name comes first. */
export const findNames = (view: View, params: ListParams<'v3.dns.records'>): Promise<DnsRow[]> =>
  findDns(view, [isAccount('wallet', params.wallet), is('domain', params.domain)], sql`length(domain), domain, account`, params)

interface AuctionParams extends Omit<Params<'v3.dns.activeAuctions'>, 'after'> {
  /** Unix seconds. Auctions that end at or before this time are over. */
  readonly now: number
  readonly after?: { readonly end: string; readonly item: Buffer } | undefined
}

export const findAuctions = (view: View, { bidder, state, now, after, ...page }: AuctionParams): Promise<DnsRow[]> => {
  const where = [
    isAccount('bidder', bidder),
    state === 'won' ? sql<boolean>`auction_end <= ${now}` : undefined,
    state === 'bidding' ? sql<boolean>`auction_end > ${now}` : undefined,
    after && sql<boolean>`(auction_end, account) > (${after.end}::bigint, ${after.item}::bytea)`,
  ]
  return findDns(view, where, sql`auction_end, account`, page)
}
