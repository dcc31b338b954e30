import { bool, bytea, int2, int4, int8, nullable, numeric, text } from './column.ts'
import { contractTable, transferTable } from './contract-table.ts'
import { table } from './table.ts'

export const nftCollections = contractTable('nft_collections', {
  next_item_index: numeric,
  owner: nullable(bytea),
  content: text,
  /** Copy of accounts.first_lt, because lists are ordered by this column. */
  first_lt: int8,
})

export const nftItems = contractTable('nft_items', {
  last_trans_lt: int8,
  init: bool,
  index: numeric,
  /** Empty for an item without a collection. Unlike null, an empty key can be compared in cursors. */
  collection: bytea,
  owner: nullable(bytea),
  /** The seller if a sale contract owns the item, otherwise the owner. */
  real_owner: nullable(bytea),
  sale: nullable(bytea),
  sale_kind: nullable(int2),
  content: text,
  domain: nullable(text),
  /** Copy of accounts.first_lt, because lists are ordered by this column. */
  first_lt: int8,
})

export const nftSales = contractTable('nft_sales', {
  /** Index in SALE_KINDS (codes.ts). */
  kind: int2,
  item: nullable(bytea),
  seller: nullable(bytea),
  marketplace: nullable(bytea),
  created_at: nullable(int8),
  open: bool,
  details: text,
})

/** Transfer requests that an item (`account`) received, including failed ones. */
export const nftTransfers = transferTable('nft_transfers', {
  aborted: bool,
  collection: bytea,
  old_owner: nullable(bytea),
  new_owner: nullable(bytea),
  forward_amount: nullable(numeric),
  forward_payload: nullable(bytea),
})

/**
 * Items of an indexed DNS zone, with their records and their auction. The table is not distributed: nearly every answer looks up the names of wallets,
 * which would query all shards, and a chain has few names.
 */
export const dnsEntries = table('dns_entries', {
  kind: 'state',
  key: ['account'],
  owner: 'account',
  columns: {
    account: bytea,
    mc_seqno: int4,
    domain: text,
    next_resolver: nullable(bytea),
    wallet: nullable(bytea),
    site: nullable(bytea),
    storage: nullable(bytea),
    bidder: nullable(bytea),
    bid: nullable(numeric),
    auction_end: int8,
    last_fill_up: nullable(int8),
  },
})
