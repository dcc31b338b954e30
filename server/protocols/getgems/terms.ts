import { type Cell, CellError } from '../../cell/cell.ts'
import { loadStateInit } from '../../tlb/state/state-init.ts'
import { load } from './messages.ts'

/* Terms of sales and auctions, from the StateInits of Getgems contracts. https://github.com/getgems-io/nft-contracts */

const loadInit = (init: Cell): { readonly codeHash: string; readonly data: Cell } => {
  const { code, data } = loadStateInit(init.slice())
  if (data === undefined) throw new CellError('range', 'a StateInit without data')
  return { codeHash: code === undefined ? '' : Buffer.from(code.hash()).toString('base64'), data }
}

/** The layouts of sales before v4, by code hash. */
const SALES: Readonly<Record<string, 'type GetgemsSaleV1' | 'type GetgemsSaleV2'>> = {
  '2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=': 'type GetgemsSaleV1',
  'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=': 'type GetgemsSaleV2',
  'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=': 'type GetgemsSaleV2',
  '3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=': 'type GetgemsSaleV2',
  'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=': 'type GetgemsSaleV2',
}

/** Reads the terms of a sale. Amounts are nanograms. Throws CellError if the StateInit is not that of a sale. */
export const loadSaleTerms = (init: Cell) => {
  const { codeHash, data } = loadInit(init)
  const sale = load(SALES[codeHash] ?? 'type GetgemsSaleV4', data)
  return {
    marketplace_address: sale.marketplace,
    full_price: sale.price,
    marketplace_fee: 'fee' in sale ? sale.fee : null,
    royalty_amount: 'royalty' in sale ? sale.royalty : null,
    marketplace_fee_address: sale.fee_address,
    royalty_address: sale.royalty_address,
  }
}

const AUCTION_V2 = 'ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ='
const AUCTIONS: Readonly<Record<string, 'type GetgemsAuctionV1' | 'type GetgemsAuctionV3' | 'type GetgemsAuctionV4'>> = {
  '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=': 'type GetgemsAuctionV1',
  'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=': 'type GetgemsAuctionV3',
  'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=': 'type GetgemsAuctionV4',
}

/** Reads the terms of an auction. Fees are fractions (factor / base), bids are nanograms. Throws CellError for other data, and for v2, whose layout is not published. */
export const loadAuctionTerms = (init: Cell) => {
  const { codeHash, data } = loadInit(init)
  if (codeHash === AUCTION_V2) throw new CellError('range', 'an auction of v2')
  const auction = load(AUCTIONS[codeHash] ?? 'type GetgemsAuction', data)
  const fees = 'fees' in auction ? auction.fees : auction
  return {
    mp_fee_factor: BigInt(fees.fee_factor),
    mp_fee_base: BigInt(fees.fee_base),
    royalty_fee_base: BigInt(fees.royalty_base),
    max_bid: auction.bids.max_bid,
    min_bid: auction.bids.min_bid,
    marketplace_fee_address: fees.fee_address,
    royalty_address: fees.royalty_address,
  }
}
