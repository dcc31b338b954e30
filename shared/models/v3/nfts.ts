import * as z from 'zod'
import { decimal, flag, hexUpper, int, many, model, nanotons, rawUpper, text, utime } from '../value-formats.ts'
import { metadataOfPage, withBook, withBookAndMetadata } from './book.ts'
import { forward, queryId, request, requestTransaction, tokenContent, tokenState } from './jettons.ts'
import { withProof } from './proofs.ts'

const nftCollection = model('V3NFTCollection', {
  address: rawUpper('The collection.'),
  owner_address: rawUpper('The account that may mint items; null if there is none.').nullable(),
  last_transaction_lt: tokenState.last_transaction_lt,
  next_item_index: decimal('Number of the next item; -1 where items are not numbered one after another.', '7'),
  collection_content: tokenContent,
  data_hash: tokenState.data_hash,
  code_hash: tokenState.code_hash,
})

export const v3NftCollections = model('V3NFTCollections', {
  nft_collections: many('The collections that were found.', nftCollection),
  ...metadataOfPage,
})

/** `real_owner`: the seller, if a sale contract owns the item. */
const nftItem = model('V3NFTItem', {
  address: rawUpper('The NFT item.'),
  init: flag('Whether the item is initialized: it has an owner.'),
  index: decimal('Number of the item in its collection.', '7'),
  collection_address: rawUpper('The collection; null if it has none.').nullable(),
  owner_address: rawUpper('The account that holds the item, which may be a sale; null if there is none.').nullable(),
  content: tokenContent,
  ...tokenState,
  collection: nftCollection.describe('The collection; null if it has none.').nullable(),
  on_sale: flag('Whether a sale or an auction holds the item.'),
  sale_contract_address: rawUpper('The sale that holds the item.').optional(),
  auction_contract_address: rawUpper('The auction that holds the item.').optional(),
  real_owner: rawUpper('The seller of an item that a sale or an auction holds, else its owner.').optional(),
})

export const v3NftItems = model('V3NFTItems', { nft_items: many('The items that were found.', nftItem), ...metadataOfPage })

const nftTransfer = model('V3NFTTransfer', {
  query_id: queryId,
  nft_address: rawUpper('The NFT item.'),
  nft_collection: rawUpper('Its collection; null if it has none.').nullable(),
  ...requestTransaction,
  old_owner: rawUpper('The account that gave the item away.').nullable(),
  new_owner: rawUpper('The account that received it.').nullable(),
  ...request,
  forward_amount: nanotons('Coins that go on to the new owner with the notification; null where none are named.').nullable(),
  ...forward,
})

export const v3NftTransfers = model('V3NFTTransfers', {
  nft_transfers: many('The transfers that were found.', nftTransfer),
  ...metadataOfPage,
  ...withProof,
})

const fixedPrice = model('V3NFTFixedPrice', {
  is_complete: flag('Whether the item is sold.'),
  full_price: nanotons('What the buyer pays, fees included.'),
  marketplace_fee_address: rawUpper('The account that receives the fee of the marketplace.').optional(),
  marketplace_fee: nanotons('Fee of the marketplace.'),
  royalty_address: rawUpper('The account that receives the royalty.').optional(),
  royalty_amount: nanotons('Royalty of the author.'),
})

const auction = model('V3NFTAuction', {
  end_flag: flag('Whether the auction is over.'),
  end_time: utime('When the auction ends.'),
  last_bid: nanotons('The highest bid so far.'),
  last_member: rawUpper('The account that made it.').optional(),
  min_step: int('By how many percent a bid must exceed the previous bid.', 5),
  mp_fee_address: rawUpper('The account that receives the fee of the marketplace.').optional(),
  mp_fee_factor: int('The fee of the marketplace is this, divided by `mp_fee_base`, of the price.', 5),
  mp_fee_base: int('Divisor of `mp_fee_factor`.', 100),
  royalty_fee_address: rawUpper('The account that receives the royalty.').optional(),
  royalty_fee_factor: int('The royalty is this, divided by `royalty_fee_base`, of the price.', 5),
  royalty_fee_base: int('Divisor of `royalty_fee_factor`.', 100),
  max_bid: nanotons('The bid at which the item is sold at once; 0: none.', '0'),
  min_bid: nanotons('The least first bid.'),
  last_bid_at: utime('When the highest bid was made; 0: there is none.'),
  is_canceled: flag('Whether the auction was called off.'),
})

/** Members about bids are present only during a sale. */
const telemint = model('V3NFTTelemint', {
  token_name: text('The name or number that the item stands for.', 'alice'),
  bidder_address: rawUpper('The account that made the highest bid.').optional(),
  bid: nanotons('The highest bid.').optional(),
  bid_ts: decimal('When it was made, in unix seconds.', '1735689600').optional(),
  min_bid: nanotons('The least next bid.').optional(),
  end_time: utime('When the auction ends.').optional(),
  beneficiary_address: rawUpper('The account that receives the price.').optional(),
  initial_min_bid: nanotons('The least first bid.'),
  max_bid: nanotons('The bid at which the item is sold at once; 0: none.', '0'),
  min_bid_step: decimal('By how many percent a bid must exceed the previous bid.', '5'),
  min_extend_time: decimal('How long the auction goes on at least after a bid, in seconds.', '3600'),
  duration: decimal('How long the auction takes, in seconds.', '604800'),
  royalty_numerator: int('The royalty is this, divided by `royalty_denominator`, of the price.', 5).optional(),
  royalty_denominator: int('Divisor of `royalty_numerator`.', 100).optional(),
  royalty_destination: rawUpper('The account that receives the royalty.').optional(),
})

const saleOf = <T extends string, D extends z.ZodObject>(type: T, details: D) =>
  z.strictObject({
    type: z.literal(type).describe('Kind of the contract.'),
    address: rawUpper('The contract that sells.'),
    nft_address: rawUpper('The NFT item that it sells.').optional(),
    nft_owner_address: rawUpper('The seller.').optional(),
    marketplace_address: rawUpper('The marketplace through which it is sold.').optional(),
    created_at: utime('When the sale began.').optional(),
    last_transaction_lt: tokenState.last_transaction_lt.optional(),
    code_hash: tokenState.code_hash.optional(),
    data_hash: tokenState.data_hash.optional(),
    details: details.describe('Price or bids, by the kind of the contract.'),
    nft_item: nftItem.describe('The item that it sells.').optional(),
  })

const nftSale = z
  .discriminatedUnion('type', [saleOf('getgems_sale', fixedPrice), saleOf('getgems_auction', auction), saleOf('telemint', telemint)])
  .meta({ id: 'V3NFTSale' })

export const v3NftSales = model('V3NFTSales', { nft_sales: many('The contracts that were found.', nftSale), ...withBookAndMetadata })

const dnsRecord = model('V3DNSRecord', {
  nft_item_address: rawUpper('The NFT item of the name.'),
  nft_item_owner: rawUpper('The account that the name belongs to; null if there is none.').nullable(),
  domain: text('The name.', 'alice.ton'),
  dns_next_resolver: rawUpper('The contract that resolves names below this one; null if there is none.').nullable(),
  dns_wallet: rawUpper('The wallet that the name leads to; null if there is none.').nullable(),
  dns_site_adnl: hexUpper('ADNL address of the TON Site; null if there is none.').nullable(),
  dns_storage_bag_id: hexUpper('Id of the bag in TON Storage; null if there is none.').nullable(),
})

export const v3DnsRecords = model('V3DNSRecords', { records: many('The names that were found.', dnsRecord), ...withBook })

const dnsAuction = model('V3DNSAuction', {
  nft_item_address: rawUpper('The NFT item of the name.'),
  domain: text('The name.', 'alice.ton'),
  max_bid_address: rawUpper('The account that made the highest bid.'),
  max_bid_amount: nanotons('The highest bid.'),
  auction_end_time: decimal('When the auction ends, in unix seconds.', '1735689600'),
  last_fill_up_time: decimal('When the name was last paid for, in unix seconds.', '1735689600'),
  finished: flag('Whether the auction is over.'),
  nft_item: nftItem.describe('The NFT item of the name; with `include_nft_items`.').optional(),
})

export const v3DnsAuctions = model('V3DNSAuctions', {
  auctions: many('The auctions that were found.', dnsAuction),
  ...withBookAndMetadata,
  next_cursor: text('Where the next page begins: a value of `after`; left out after the last page.', 'MDA').optional(),
})
