import type { Result } from '../../shared/registry.ts'
import type { nfts } from '../../shared/v3/nfts.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { mapWithPauses } from '../base/yield.ts'
import { SALE_AUCTION, SALE_KINDS } from '../store/codes.ts'
import {
  collectionsOf,
  findNftCollections,
  findNftItems,
  findNftSales,
  findNftTransfers,
  itemsOf,
  type NftCollectionRow,
  type NftItemRow,
  type NftSaleRow,
  type NftTransferRow,
} from '../store/queries/nfts.ts'
import type { View } from '../store/queries/view.ts'
import { nameOf } from '../store/row-keys.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { lookup } from './answer/lookup.ts'
import { requestTransaction } from './jettons.ts'
import { ownTransactions } from './proofs/subject.ts'
import { type BodyDecoder, showRows } from './shapes/decoded.ts'
import { address, base64, maybeAddress, maybeBase64, maybeNumber, optional } from './shapes/values.ts'

export type WireItem = Result<'v3.nft.items'>['nft_items'][number]
type WireSale = Result<'v3.nft.sales'>['nft_sales'][number]

type WireCollection = NonNullable<WireItem['collection']>

const collection = (row: NftCollectionRow): WireCollection => ({
  address: address(row.account),
  owner_address: maybeAddress(row.owner),
  last_transaction_lt: row.last_trans_lt,
  next_item_index: row.next_item_index,
  collection_content: JSON.parse(row.content) as Record<string, unknown>,
  data_hash: base64(row.data_hash!),
  code_hash: base64(row.code_hash!),
})

/** An item without a collection has an empty key. */
const orNull = (key: Buffer): Buffer | null => (key.length > 0 ? key : null)

const item = (row: NftItemRow, collections: ReadonlyMap<string, WireCollection>): WireItem => {
  const sale = row.sale ? address(row.sale) : undefined
  const isAuction = row.sale_kind === SALE_AUCTION
  return {
    address: address(row.account),
    init: row.init,
    index: row.index,
    collection_address: maybeAddress(orNull(row.collection)),
    owner_address: maybeAddress(row.owner),
    content: JSON.parse(row.content) as Record<string, unknown>,
    last_transaction_lt: row.last_trans_lt,
    code_hash: base64(row.code_hash!),
    data_hash: base64(row.data_hash!),
    collection: collections.get(nameOf(row.collection)) ?? null,
    on_sale: sale !== undefined,
    sale_contract_address: optional(isAuction ? null : sale),
    auction_contract_address: optional(isAuction ? sale : null),
    real_owner: optional(maybeAddress(row.real_owner)),
  }
}

/** Formats items with their collections. Each collection is read once. */
const itemFormat = async (view: View, rows: readonly NftItemRow[]): Promise<(row: NftItemRow) => WireItem> => {
  const keys = rows.flatMap((row) => orNull(row.collection) ?? [])
  const found = await collectionsOf(view, keys)
  const collections = new Map(await mapWithPauses(found, (row) => [nameOf(row.account), collection(row)] as const, view.signal))
  return (row) => item(row, collections)
}

export const itemsByAddress = async (view: View, rows: readonly NftItemRow[]): Promise<ReadonlyMap<string, WireItem>> => {
  const items = await mapWithPauses(rows, await itemFormat(view, rows), view.signal)
  return new Map(items.map((wireItem) => [wireItem.address, wireItem]))
}

export const accountsOfItems = (rows: readonly NftItemRow[]): (Buffer | null)[] =>
  rows.flatMap((row) => [row.account, orNull(row.collection), row.owner, row.real_owner, row.sale])

/** @internal */
export const toNftTransfer = (row: NftTransferRow, show: BodyDecoder) => ({
  query_id: row.query_id,
  nft_address: address(row.account),
  nft_collection: maybeAddress(orNull(row.collection)),
  ...requestTransaction(row, row.aborted),
  old_owner: maybeAddress(row.old_owner),
  new_owner: maybeAddress(row.new_owner),
  response_destination: maybeAddress(row.response_destination),
  custom_payload: maybeBase64(row.custom_payload),
  decoded_custom_payload: show(row.custom_payload),
  forward_amount: row.forward_amount,
  forward_payload: maybeBase64(row.forward_payload),
  decoded_forward_payload: show(row.forward_payload),
})

const sale = (row: NftSaleRow, nft: WireItem | undefined): WireSale =>
  ({
    type: SALE_KINDS[row.kind]!,
    address: address(row.account),
    nft_address: optional(maybeAddress(row.item)),
    nft_owner_address: optional(maybeAddress(row.seller)),
    marketplace_address: optional(maybeAddress(row.marketplace)),
    created_at: optional(maybeNumber(row.created_at)),
    last_transaction_lt: row.last_trans_lt,
    code_hash: optional(maybeBase64(row.code_hash)),
    data_hash: optional(maybeBase64(row.data_hash)),
    details: JSON.parse(row.details) as Record<string, unknown>,
    ...(nft && { nft_item: nft }),
  }) as WireSale

const toSales = async (view: View, sales: readonly NftSaleRow[], items: readonly NftItemRow[]) => {
  const byAddress = await itemsByAddress(view, items)
  return { nft_sales: sales.map((row) => sale(row, row.item ? byAddress.get(address(row.item)) : undefined)) }
}

export const nftHandlers = (index: V3Index): AnswerHandlers<keyof typeof nfts> => ({
  'v3.nft.collections': list(index, 'v3.nft.collections', {
    find: findNftCollections,
    relate: (_, rows) => ({ accounts: rows.flatMap((row) => [row.account, row.owner]), format: collection }),
  }),

  'v3.nft.items': list(index, 'v3.nft.items', {
    find: findNftItems,
    relate: (view, rows) => ({ accounts: accountsOfItems(rows), format: itemFormat(view, rows) }),
  }),

  'v3.nft.transfers': list(index, 'v3.nft.transfers', {
    find: findNftTransfers,
    proven: ownTransactions,
    relate: showRows(toNftTransfer, (row) => [row.account, orNull(row.collection), row.old_owner, row.new_owner, row.response_destination]),
  }),

  'v3.nft.sales': lookup(index, 'v3.nft.sales', async (view, params) => {
    const sales = await findNftSales(view, params.address)
    const sold = sales.flatMap((row) => row.item ?? [])
    const items = await itemsOf(view, sold)
    return {
      accounts: [...sales.flatMap((row) => [row.account, row.item, row.seller, row.marketplace]), ...accountsOfItems(items)],
      body: toSales(view, sales, items),
    }
  }),
})
