import { type SelectQueryBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { nameOf } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { byAppearance, OF_STATE, type StateColumns } from './conditions.ts'
import {
  afterCursor,
  anyOf,
  byPieces,
  bytesPart,
  numberPart,
  numericPart,
  type Order,
  onPage,
  orderBy,
  type Page,
  type PageParams,
  readPage,
} from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import { inWindow, isOne, ofOwners, orderOfTransfers, type TransferWindow } from './transfers-and-burns.ts'
import type { View } from './view.ts'

export type NftCollectionRow = Tables['nft_collections'] & StateColumns
export type NftItemRow = Tables['nft_items'] & StateColumns
export type NftSaleRow = Tables['nft_sales'] & StateColumns
export type NftTransferRow = Tables['nft_transfers']
export type DnsRow = Tables['dns_entries'] & { readonly item_owner: Buffer | null }

type Ids = readonly AccountId[] | undefined

const collections = (view: View, found: SelectQueryBuilder<Tables, 'nft_collections', Tables['nft_collections']>) =>
  view.sql
    .selectFrom(found.as('nft_collections'))
    .innerJoin('accounts', 'accounts.account', 'nft_collections.account')
    .selectAll('nft_collections')
    .select(OF_STATE)

const BY_APPEARANCE = byAppearance<NftCollectionRow>('nft_collections')

/** Reads collections in the order in which the index first saw them. */
export const findNftCollections = (
  view: View,
  filter: { readonly collection_address?: Ids; readonly owner_address?: Ids },
  page: PageParams,
): Promise<Page<NftCollectionRow>> =>
  readPage(BY_APPEARANCE, page, (piece) => {
    const after = afterCursor(BY_APPEARANCE, piece)
    const order = orderBy(BY_APPEARANCE, piece.sort)
    let query = view.sql.selectFrom('nft_collections').selectAll()
    if (after) query = query.where(after)
    if (filter.collection_address) query = query.where(isOne('nft_collections.account', filter.collection_address))
    if (filter.owner_address) query = query.where(isOne('owner', filter.owner_address))
    return view.rows(collections(view, onPage(query.orderBy(order), piece)).orderBy(order))
  })

/** Reads collections by account key. Keys of the result are in base64. */
export const collectionsOf = async (view: View, keys: readonly Buffer[]): Promise<ReadonlyMap<string, NftCollectionRow>> => {
  const requested = new Map(keys.map((key) => [key.toString('base64'), key]))
  if (requested.size === 0) return new Map()
  const found = view.sql
    .selectFrom('nft_collections')
    .selectAll()
    .where(anyOf(sql.ref('nft_collections.account'), [...requested.values()]))
  const rows = await view.rows(collections(view, found))
  return new Map(rows.map((row) => [row.account.toString('base64'), row]))
}

const items = (view: View, found: SelectQueryBuilder<Tables, 'nft_items', Tables['nft_items']>) =>
  view.sql
    .selectFrom(found.as('nft_items'))
    .innerJoin('accounts', 'accounts.account', 'nft_items.account')
    .selectAll('nft_items')
    .select(['accounts.code_hash', 'accounts.data_hash'])

const itemAccount = bytesPart<NftItemRow>(sql.ref('nft_items.account'), 36, (row) => row.account)
const ITEMS_BY_APPEARANCE = byAppearance<NftItemRow>('nft_items')
const ITEMS_BY_COLLECTION: Order<NftItemRow> = {
  name: 'c',
  parts: [
    {
      column: sql.ref('collection'),
      write: (row) => row.collection.toString('base64url'),
      read: (text) => {
        const bytes = Buffer.from(text, 'base64url')
        return (bytes.length === 0 || bytes.length === 36) && bytes.toString('base64url') === text ? bytes : undefined
      },
    },
    numericPart(sql.ref('index'), (row) => row.index),
    itemAccount,
  ],
}
const ITEMS_BY_LT: Order<NftItemRow> = {
  name: 'l',
  parts: [numberPart(sql.ref('nft_items.last_trans_lt'), (row) => row.last_trans_lt), itemAccount],
}

export interface NftItemFilter {
  readonly address?: Ids
  readonly owner_address?: Ids
  readonly collection_address?: Ids
  readonly index?: readonly string[] | undefined
  readonly include_on_sale?: boolean | undefined
  readonly sort_by_last_transaction_lt?: boolean | undefined
}

/** Reads items: those of an owner or a collection by collection and index, all others by the lt at which the index first saw them. */
export const findNftItems = (
  view: View,
  filter: NftItemFilter,
  page: Omit<PageParams, 'sort'> & { readonly sort?: PageParams['sort'] | undefined },
): Promise<Page<NftItemRow>> => {
  const byLt = filter.sort_by_last_transaction_lt === true
  const listed = filter.owner_address !== undefined || filter.collection_address !== undefined
  const order = byLt ? ITEMS_BY_LT : listed ? ITEMS_BY_COLLECTION : ITEMS_BY_APPEARANCE
  return readPage(order, { ...page, sort: page.sort ?? (byLt ? 'desc' : 'asc') }, (piece) => {
    const after = afterCursor(order, piece)
    const ordered = orderBy(order, piece.sort)
    let query = view.sql.selectFrom('nft_items').selectAll()
    if (after) query = query.where(after)
    if (filter.address) query = query.where(isOne('nft_items.account', filter.address))
    if (filter.owner_address) query = query.where(isOne(filter.include_on_sale ? 'real_owner' : 'owner', filter.owner_address))
    if (filter.collection_address) query = query.where(isOne('collection', filter.collection_address))
    if (filter.index) query = query.where(sql<boolean>`index = any(${filter.index}::numeric[])`)
    return view.rows(items(view, onPage(query.orderBy(ordered), piece)).orderBy(ordered))
  })
}

/** Reads items by account key. Keys of the result are in base64. */
export const itemsOf = async (view: View, keys: readonly Buffer[]): Promise<ReadonlyMap<string, NftItemRow>> => {
  const requested = new Map(keys.map((key) => [key.toString('base64'), key]))
  if (requested.size === 0) return new Map()
  const found = view.sql
    .selectFrom('nft_items')
    .selectAll()
    .where(anyOf(sql.ref('nft_items.account'), [...requested.values()]))
  const rows = await view.rows(items(view, found))
  return new Map(rows.map((row) => [row.account.toString('base64'), row]))
}

export const domainsOf = async (view: View, items: readonly AccountId[]): Promise<{ account: Buffer; domain: string }[]> =>
  view.rows(
    view.sql
      .selectFrom('nft_items')
      .select(['account', 'domain'])
      .where(anyOf(sql.ref('nft_items.account'), items.map(keyOf)))
      .where('domain', 'is not', null)
      .$narrowType<{ domain: string }>(),
  )

/** Reads sales by address. Sales at a fixed price come first. */
export const findNftSales = (view: View, addresses: readonly AccountId[]): Promise<NftSaleRow[]> =>
  view.rows(
    view.sql
      .selectFrom('nft_sales')
      .innerJoin('accounts', 'accounts.account', 'nft_sales.account')
      .selectAll('nft_sales')
      .select(['accounts.last_trans_lt', 'accounts.code_hash', 'accounts.data_hash'])
      .where(anyOf(sql.ref('nft_sales.account'), addresses.map(keyOf)))
      .orderBy(sql`kind, nft_sales.account`),
  )

export interface NftTransferFilter extends TransferWindow {
  readonly owner_address?: Ids
  readonly item_address?: Ids
  readonly collection_address?: AccountId | undefined
  readonly direction?: 'in' | 'out' | undefined
}

export const findNftTransfers = (view: View, filter: NftTransferFilter, page: PageParams): Promise<Page<NftTransferRow>> => {
  const order = orderOfTransfers(filter)
  return readPage(order, page, (piece) => {
    const after = afterCursor(order, piece)
    let query = view.sql.selectFrom('nft_transfers').selectAll()
    if (after) query = query.where(after)
    query = query.where(inWindow(view, filter, piece))
    if (filter.item_address) query = query.where(isOne('account', filter.item_address))
    if (filter.collection_address) query = query.where('collection', '=', keyOf(filter.collection_address))
    return view.rows(ofOwners(view, query, { ...filter, from: 'old_owner', to: 'new_owner' }, order, piece))
  })
}

type Names = SelectQueryBuilder<Tables, 'dns_entries', Tables['dns_entries']>

/**
 * Reads DNS names and adds the owners of their items. The owners are read separately, because on a cluster items are on shards and names on the
 * coordinator.
 */
const names = async (view: View, found: Names): Promise<DnsRow[]> => {
  const rows = await view.rows(found)
  const items = await byPieces(rows, (piece) =>
    view.rows(
      view.sql
        .selectFrom('nft_items')
        .select(['account', 'owner'])
        .where(
          anyOf(
            sql.ref('account'),
            piece.map(({ account }) => account),
          ),
        ),
    ),
  )
  const owners = new Map(items.map(({ account, owner }) => [nameOf(account), owner]))
  return rows.map((row) => ({ ...row, item_owner: owners.get(nameOf(row.account)) ?? null }))
}

/** Finds the names that resolve to a wallet, or the records of one name. The shortest name comes first. */
export const findNames = (
  view: View,
  filter: { readonly wallet?: AccountId | undefined; readonly domain?: string | undefined },
  page: { readonly limit: number; readonly offset: number },
): Promise<DnsRow[]> => {
  const order = sql`length(dns_entries.domain), dns_entries.domain, dns_entries.account`
  let query = view.sql.selectFrom('dns_entries').selectAll()
  if (filter.wallet) query = query.where('dns_entries.wallet', '=', keyOf(filter.wallet))
  if (filter.domain !== undefined) query = query.where('dns_entries.domain', '=', filter.domain)
  return names(view, onPage(query.orderBy(order), page))
}

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
  const order = sql`auction_end, dns_entries.account`
  let query = view.sql.selectFrom('dns_entries').selectAll().where('dns_entries.bidder', '=', keyOf(bidder))
  if (state === 'won') query = query.where('auction_end', '<=', String(now))
  if (state === 'bidding') query = query.where('auction_end', '>', String(now))
  if (after) query = query.where(sql<boolean>`(auction_end, dns_entries.account) > (${after.end}::bigint, ${after.item}::bytea)`)
  return names(view, onPage(query.orderBy(order), page))
}
