import { loadAddress, skipAddress, skipCoins } from '../../actions/read.ts'
import type { Address } from '../../actions/trace.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { loadStateInit } from '../../tlb/state/state-init.ts'

/*
 * Initial data of Getgems contracts. https://github.com/getgems-io/nft-contracts; each version has its own layout.
 */

/** Terms of a sale. Amounts are nanograms. */
export interface SaleTerms {
  readonly marketplace: Address | null
  readonly price: bigint
  readonly feeAddress: Address | null
  readonly fee: bigint | null
  readonly royaltyAddress: Address | null
  readonly royalty: bigint | null
}

/** Terms of an auction. Fees are fractions (factor / base), bids are nanograms. */
export interface AuctionTerms {
  readonly feeAddress: Address | null
  readonly feeFactor: bigint
  readonly feeBase: bigint
  readonly royaltyAddress: Address | null
  readonly royaltyBase: bigint
  readonly maxBid: bigint
  readonly minBid: bigint
}

const hashText = (cell: Cell | undefined): string => (cell === undefined ? '' : Buffer.from(cell.hash()).toString('base64'))

const SALE_V1 = '2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8='
const SALES_V2_V3: readonly string[] = [
  'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=',
  'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=',
  '3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=',
  'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=',
]

/** v4: is_complete:uint1 marketplace:MsgAddress nft_owner:MsgAddress full_price:Coins sold_at:uint32 query_id:uint64 ^[ fee_address royalty_address fee:uint17 royalty:uint17 ] */
const saleV4 = (s: Slice): SaleTerms => {
  s.skip(1)
  const marketplace = loadAddress(s)
  skipAddress(s)
  const price = s.loadCoins()
  const fixed = s.loadRef().slice()
  return { marketplace, price, feeAddress: loadAddress(fixed), fee: null, royaltyAddress: loadAddress(fixed), royalty: null }
}

/**
 * v1: marketplace:MsgAddress nft:MsgAddress nft_owner:MsgAddress full_price:Coins ^[ fee:Coins fee_address royalty_address royalty:Coins ]
 * v2, v3: is_complete:uint1 created_at:uint32, then the same with ^[ fee_address fee:Coins royalty_address royalty:Coins ]
 */
const saleBefore4 = (s: Slice, isFirst: boolean): SaleTerms => {
  if (!isFirst) s.skip(33)
  const marketplace = loadAddress(s)
  skipAddress(s)
  skipAddress(s)
  const price = s.loadCoins()
  const fees = s.loadRef().slice()
  if (isFirst) {
    const fee = fees.loadCoins()
    const feeAddress = loadAddress(fees)
    return { marketplace, price, feeAddress, fee, royaltyAddress: loadAddress(fees), royalty: fees.loadCoins() }
  }
  const feeAddress = loadAddress(fees)
  const fee = fees.loadCoins()
  return { marketplace, price, feeAddress, fee, royaltyAddress: loadAddress(fees), royalty: fees.loadCoins() }
}

/** Reads the StateInit of a sale. Throws CellError if it is not one. */
export const loadSaleTerms = (init: Cell): SaleTerms => {
  const { code, data } = loadStateInit(init.slice())
  if (data === undefined) throw new CellError('range', 'a sale without data')
  const version = hashText(code)
  const s = data.slice()
  return version === SALE_V1 || SALES_V2_V3.includes(version) ? saleBefore4(s, version === SALE_V1) : saleV4(s)
}

const AUCTION_V1 = '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA='
const AUCTION_V3R2 = 'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8='
const AUCTION_V4 = 'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY='
const AUCTION_V2 = 'ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ='

/** fee_address fee_factor:uint32 fee_base:uint32 royalty_address royalty_factor:uint32 royalty_base:uint32 */
const loadFees = (s: Slice) => {
  const feeAddress = loadAddress(s)
  const feeFactor = s.loadUintBig(32)
  const feeBase = s.loadUintBig(32)
  const royaltyAddress = loadAddress(s)
  return { feeAddress, feeFactor, feeBase, royaltyAddress, royaltyBase: s.skip(32).loadUintBig(32) }
}

const loadBids = (s: Slice) => {
  const minBid = s.loadCoins()
  return { minBid, maxBid: s.loadCoins() }
}

/** last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32, after `flags` bits */
const skipState = (s: Slice, flags: number): void => {
  skipAddress(s.skip(flags))
  skipCoins(s)
  s.skip(64)
}

/** In every version the first two references hold fees and constants. */
const auctionTerms = (s: Slice, version: string): AuctionTerms => {
  const first = s.loadRef().slice()
  const second = s.loadRef().slice()
  if (version === AUCTION_V1) return { ...loadFees(first), ...loadBids(second) }
  if (version === AUCTION_V3R2) {
    skipAddress(second.skip(32))
    return { ...loadFees(first), ...loadBids(second) }
  }
  skipState(s, 2)
  skipAddress(s)
  s.skip(64)
  const feeAddress = loadAddress(first)
  const royaltyAddress = loadAddress(first)
  const numbers = version === AUCTION_V4 ? first : s
  const feeFactor = numbers.loadUintBig(32)
  const feeBase = numbers.loadUintBig(32)
  const royaltyBase = numbers.skip(32).loadUintBig(32)
  skipAddress(second)
  return { feeAddress, royaltyAddress, feeFactor, feeBase, royaltyBase, ...loadBids(second) }
}

/** Reads the StateInit of an auction; undefined for v2, whose layout is not known. Throws CellError if it is not an auction. */
export const loadAuctionTerms = (init: Cell): AuctionTerms | undefined => {
  const { code, data } = loadStateInit(init.slice())
  const version = hashText(code)
  return version === AUCTION_V2 || data === undefined ? undefined : auctionTerms(data.slice(), version)
}
