import type { Matcher } from '../../actions/matcher.ts'
import { kind, named, where } from '../../actions/pattern.ts'
import { CALL, deployedBy, type Step, TRANSFER } from '../../actions/step.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { loadStateInit } from '../../tlb/state/state-init.ts'
import { NFT_TRANSFERRED, nftTransferOf } from '../nfts/transfer.ts'
import { load, opcode } from './messages.ts'

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
const loadSaleTerms = (init: Cell) => {
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
const loadAuctionTerms = (init: Cell) => {
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

const isDeployment = (step: Step): boolean => (step.kind === CALL || step.kind === TRANSFER) && deployedBy(step) !== undefined

/** nft_put_on_sale, nft_put_on_auction: the owner sends an item to Getgems. Getgems deploys a sale or auction contract and passes the item on to it. */
export const putOnSale: Matcher = {
  at: [NFT_TRANSFERRED],
  around: { all: [named('contract', where(isDeployment)), named('handed on', kind(NFT_TRANSFERRED))] },
  build(step, found, run) {
    const contract = found.get('contract')!
    const { init } = contract.message
    const listing = nftTransferOf(step)
    const { item, facts, to } = nftTransferOf(found.get('handed on')!)
    if (item !== listing.item || to !== contract.destination || init === undefined) return
    const { nftSale: sale, nftAuction: auction } = run.facts.get(to ?? '') ?? {}
    const trade = sale ?? auction
    if (trade === undefined || trade.item !== item || trade.seller !== listing.from) return
    const terms = trade === sale ? loadSaleTerms(init) : { marketplace_address: trade.marketplace, ...loadAuctionTerms(init) }
    run.group(trade === sale ? 'nft_put_on_sale' : 'nft_put_on_auction', [step, ...found.steps], {
      source: trade.seller,
      sourceSecondary: listing.to,
      destination: to,
      asset: facts.collection,
      assetSecondary: item,
      data: { nft_item_index: facts.index, marketplace: 'getgems', ...terms },
    })
  },
}

export const updateSale: Matcher = {
  at: [opcode('internal sale_update_message')],
  build(step, _found, run) {
    const sale = run.facts.get(step.destination ?? '')?.nftSale
    if (sale === undefined) return
    const { new_full_price, new_mp_fee, new_royalty_amount } = load('internal sale_update_message', step.body)
    run.group('nft_update_sale', [step], {
      source: step.source,
      destination: step.destination,
      assetSecondary: sale.item,
      accounts: sale.item === null ? [] : [sale.item],
      data: {
        full_price: new_full_price,
        marketplace_fee: new_mp_fee,
        royalty_amount: new_royalty_amount,
        marketplace_address: sale.marketplace,
      },
      success: !step.aborted,
    })
  },
}
