import type { Address } from '../../actions/trace.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { loadStateInit } from '../../tlb/state/state-init.ts'
import { load } from './messages.ts'

/* Initial data of Getgems contracts. https://github.com/getgems-io/nft-contracts */

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

interface SaleData {
  readonly marketplace: Address | null
  readonly price: bigint
  readonly fee_address: Address | null
  readonly royalty_address: Address | null
}

const saleOf = (sale: SaleData, fee: bigint | null, royalty: bigint | null): SaleTerms => ({
  marketplace: sale.marketplace,
  price: sale.price,
  feeAddress: sale.fee_address,
  fee,
  royaltyAddress: sale.royalty_address,
  royalty,
})

const saleTerms = (data: Cell, version: string): SaleTerms => {
  if (version !== SALE_V1 && !SALES_V2_V3.includes(version)) return saleOf(load('type GetgemsSaleV4', data), null, null)
  const sale = version === SALE_V1 ? load('type GetgemsSaleV1', data) : load('type GetgemsSaleV2', data)
  return saleOf(sale, sale.fee, sale.royalty)
}

/** Reads the StateInit of a sale. Throws CellError if the StateInit is not that of a sale. */
export const loadSaleTerms = (init: Cell): SaleTerms => {
  const { code, data } = loadStateInit(init.slice())
  if (data === undefined) throw new CellError('range', 'a sale without data')
  return saleTerms(data, hashText(code))
}

const AUCTION_V1 = '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA='
const AUCTION_V3R2 = 'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8='
const AUCTION_V4 = 'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY='
const AUCTION_V2 = 'ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ='

interface AuctionData {
  readonly fee_address: Address | null
  readonly fee_factor: number
  readonly fee_base: number
  readonly royalty_address: Address | null
  readonly royalty_base: number
}

const auctionOf = (fees: AuctionData, bids: { readonly min_bid: bigint; readonly max_bid: bigint }): AuctionTerms => ({
  feeAddress: fees.fee_address,
  feeFactor: BigInt(fees.fee_factor),
  feeBase: BigInt(fees.fee_base),
  royaltyAddress: fees.royalty_address,
  royaltyBase: BigInt(fees.royalty_base),
  minBid: bids.min_bid,
  maxBid: bids.max_bid,
})

const auctionTerms = (data: Cell, version: string): AuctionTerms => {
  if (version === AUCTION_V1 || version === AUCTION_V3R2) {
    const { fees, bids } = version === AUCTION_V1 ? load('type GetgemsAuctionV1', data) : load('type GetgemsAuctionV3', data)
    return auctionOf(fees, bids)
  }
  const auction = version === AUCTION_V4 ? load('type GetgemsAuctionV4', data) : load('type GetgemsAuction', data)
  return auctionOf(auction, auction.bids)
}

/** Reads the StateInit of an auction; undefined for v2, whose layout is not published. Throws CellError for other data. */
export const loadAuctionTerms = (init: Cell): AuctionTerms | undefined => {
  const { code, data } = loadStateInit(init.slice())
  const version = hashText(code)
  return version === AUCTION_V2 || data === undefined ? undefined : auctionTerms(data, version)
}
