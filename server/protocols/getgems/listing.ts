import type { Columns } from '../../actions/action.ts'
import type { NftAuctionFacts, NftSaleFacts } from '../../actions/facts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { kind, named, where } from '../../actions/pattern.ts'
import { CALL, deployedBy, type Step, TRANSFER } from '../../actions/step.ts'
import { NFT_TRANSFERRED, type NftTransfer, nftTransferOf } from '../nfts/transfer.ts'
import { load, opcode } from './messages.ts'
import { loadAuctionTerms, loadSaleTerms } from './terms.ts'

const listed = ({ item, facts }: NftTransfer, listing: NftTransfer, at: Step): Columns => ({
  sourceSecondary: listing.to,
  destination: at.destination,
  asset: facts.collection,
  assetSecondary: item,
})

const saleColumns = (transfer: NftTransfer, listing: NftTransfer, at: Step, { seller }: NftSaleFacts): Columns => {
  const terms = loadSaleTerms(at.message.init!)
  return {
    ...listed(transfer, listing, at),
    source: seller,
    data: {
      nft_item_index: transfer.facts.index,
      marketplace: 'getgems',
      marketplace_address: terms.marketplace,
      full_price: terms.price,
      marketplace_fee: terms.fee,
      royalty_amount: terms.royalty,
      marketplace_fee_address: terms.feeAddress,
      royalty_address: terms.royaltyAddress,
    },
  }
}

const auctionColumns = (
  transfer: NftTransfer,
  listing: NftTransfer,
  at: Step,
  { seller, marketplace }: NftAuctionFacts,
): Columns | undefined => {
  const terms = loadAuctionTerms(at.message.init!)
  return (
    terms && {
      ...listed(transfer, listing, at),
      source: seller,
      data: {
        nft_item_index: transfer.facts.index,
        marketplace: 'getgems',
        marketplace_address: marketplace,
        mp_fee_factor: terms.feeFactor,
        mp_fee_base: terms.feeBase,
        royalty_fee_base: terms.royaltyBase,
        max_bid: terms.maxBid,
        min_bid: terms.minBid,
        marketplace_fee_address: terms.feeAddress,
        royalty_address: terms.royaltyAddress,
      },
    }
  )
}

const isDeployment = (step: Step): boolean => (step.kind === CALL || step.kind === TRANSFER) && deployedBy(step) !== undefined

/** nft_put_on_sale, nft_put_on_auction: the owner sends an item to Getgems. Getgems deploys a sale or auction contract and passes the item on to it. */
export const putOnSale: Matcher = {
  at: [NFT_TRANSFERRED],
  around: { all: [named('contract', where(isDeployment)), named('handed on', kind(NFT_TRANSFERRED))] },
  build(step, found, run) {
    const at = found.get('contract')!
    const listing = nftTransferOf(step)
    const transfer = nftTransferOf(found.get('handed on')!)
    if (transfer.item !== listing.item || transfer.to !== at.destination || at.message.init === undefined) return
    const { nftSale: sale, nftAuction: auction } = run.facts.get(transfer.to ?? '') ?? {}
    const members = [step, ...found.steps]
    const trade = sale ?? auction
    if (trade === undefined || trade.item !== transfer.item || trade.seller !== listing.from) return
    if (sale !== undefined) run.group('nft_put_on_sale', members, saleColumns(transfer, listing, at, sale))
    else {
      const columns = auctionColumns(transfer, listing, at, auction!)
      if (columns !== undefined) run.group('nft_put_on_auction', members, columns)
    }
  },
}

const SALE_UPDATE = opcode('internal sale_update_message')

export const updateSale: Matcher = {
  at: [SALE_UPDATE],
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
