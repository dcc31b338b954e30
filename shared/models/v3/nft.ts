import * as z from 'zod'
import { base64, decimal, hash44, rawUpper } from '../wire.ts'
import { nextCursor, withBook, withBookAndMetadata } from './book.ts'
import { decodedPayload, orderPlace, tokenContent } from './jetton.ts'

const nftCollection = z
  .strictObject({
    address: rawUpper(),
    owner_address: rawUpper().nullable(),
    last_transaction_lt: decimal(),
    /** -1: items are not numbered. */
    next_item_index: decimal(),
    collection_content: tokenContent,
    data_hash: hash44(),
    code_hash: hash44(),
  })
  .meta({ id: 'V3NFTCollection' })

export const v3NftCollections = z
  .strictObject({ nft_collections: z.array(nftCollection), ...withBookAndMetadata, ...nextCursor })
  .meta({ id: 'V3NFTCollections' })

/** `real_owner`: the seller of an item that a sale holds. */
const nftItem = z
  .strictObject({
    address: rawUpper(),
    init: z.boolean(),
    index: decimal(),
    collection_address: rawUpper().nullable(),
    owner_address: rawUpper().nullable(),
    content: tokenContent,
    last_transaction_lt: decimal(),
    code_hash: hash44(),
    data_hash: hash44(),
    collection: nftCollection.nullable(),
    on_sale: z.boolean(),
    sale_contract_address: rawUpper().optional(),
    auction_contract_address: rawUpper().optional(),
    real_owner: rawUpper().optional(),
  })
  .meta({ id: 'V3NFTItem' })

export const v3NftItems = z.strictObject({ nft_items: z.array(nftItem), ...withBookAndMetadata, ...nextCursor }).meta({ id: 'V3NFTItems' })

const nftTransfer = z
  .strictObject({
    query_id: decimal(),
    nft_address: rawUpper(),
    nft_collection: rawUpper().nullable(),
    ...orderPlace,
    old_owner: rawUpper().nullable(),
    new_owner: rawUpper().nullable(),
    response_destination: rawUpper().nullable(),
    custom_payload: base64().nullable(),
    decoded_custom_payload: decodedPayload,
    forward_amount: decimal().nullable(),
    forward_payload: base64().nullable(),
    decoded_forward_payload: decodedPayload,
  })
  .meta({ id: 'V3NFTTransfer' })

export const v3NftTransfers = z
  .strictObject({ nft_transfers: z.array(nftTransfer), ...withBookAndMetadata, ...nextCursor })
  .meta({ id: 'V3NFTTransfers' })

const fixedPrice = z
  .strictObject({
    is_complete: z.boolean(),
    full_price: decimal(),
    marketplace_fee_address: rawUpper().optional(),
    marketplace_fee: decimal(),
    royalty_address: rawUpper().optional(),
    royalty_amount: decimal(),
  })
  .meta({ id: 'V3NFTFixedPrice' })

const auction = z
  .strictObject({
    end_flag: z.boolean(),
    end_time: z.int(),
    last_bid: decimal(),
    last_member: rawUpper().optional(),
    min_step: z.int(),
    mp_fee_address: rawUpper().optional(),
    mp_fee_factor: z.int(),
    mp_fee_base: z.int(),
    royalty_fee_address: rawUpper().optional(),
    royalty_fee_factor: z.int(),
    royalty_fee_base: z.int(),
    max_bid: decimal(),
    min_bid: decimal(),
    last_bid_at: z.int(),
    is_canceled: z.boolean(),
  })
  .meta({ id: 'V3NFTAuction' })

/** Members of the bidding are there while something is being sold. */
const telemint = z
  .strictObject({
    token_name: z.string(),
    bidder_address: rawUpper().optional(),
    bid: decimal().optional(),
    bid_ts: decimal().optional(),
    min_bid: decimal().optional(),
    end_time: z.int().optional(),
    beneficiary_address: rawUpper().optional(),
    initial_min_bid: decimal(),
    max_bid: decimal(),
    min_bid_step: decimal(),
    min_extend_time: decimal(),
    duration: decimal(),
    royalty_numerator: z.int().optional(),
    royalty_denominator: z.int().optional(),
    royalty_destination: rawUpper().optional(),
  })
  .meta({ id: 'V3NFTTelemint' })

const saleOf = <T extends string, D extends z.ZodObject>(type: T, details: D) =>
  z.strictObject({
    type: z.literal(type),
    address: rawUpper(),
    nft_address: rawUpper().optional(),
    nft_owner_address: rawUpper().optional(),
    marketplace_address: rawUpper().optional(),
    created_at: z.int().optional(),
    last_transaction_lt: decimal().optional(),
    code_hash: hash44().optional(),
    data_hash: hash44().optional(),
    details,
    nft_item: nftItem.optional(),
  })

const nftSale = z
  .discriminatedUnion('type', [saleOf('getgems_sale', fixedPrice), saleOf('getgems_auction', auction), saleOf('telemint', telemint)])
  .meta({ id: 'V3NFTSale' })

export const v3NftSales = z.strictObject({ nft_sales: z.array(nftSale), ...withBookAndMetadata }).meta({ id: 'V3NFTSales' })

/** 32 bytes as upper-case hex. */
const hexUpper = () => z.string().regex(/^[0-9A-F]{64}$/)

const dnsRecord = z
  .strictObject({
    nft_item_address: rawUpper(),
    nft_item_owner: rawUpper().nullable(),
    domain: z.string(),
    dns_next_resolver: rawUpper().nullable(),
    dns_wallet: rawUpper().nullable(),
    dns_site_adnl: hexUpper().nullable(),
    dns_storage_bag_id: hexUpper().nullable(),
  })
  .meta({ id: 'V3DNSRecord' })

export const v3DnsRecords = z.strictObject({ records: z.array(dnsRecord), ...withBook }).meta({ id: 'V3DNSRecords' })

const dnsAuction = z
  .strictObject({
    nft_item_address: rawUpper(),
    domain: z.string(),
    max_bid_address: rawUpper(),
    max_bid_amount: decimal(),
    auction_end_time: decimal(),
    last_fill_up_time: decimal(),
    finished: z.boolean(),
    nft_item: nftItem.optional(),
  })
  .meta({ id: 'V3DNSAuction' })

export const v3DnsAuctions = z
  .strictObject({ auctions: z.array(dnsAuction), ...withBookAndMetadata, next_cursor: z.string().optional() })
  .meta({ id: 'V3DNSAuctions' })
