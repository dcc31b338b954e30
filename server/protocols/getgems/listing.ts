import type { Matcher } from '../../actions/matcher.ts'
import { kind, named, where } from '../../actions/pattern.ts'
import { CALL, deployedBy, type Step, TRANSFER } from '../../actions/step.ts'
import { NFT_TRANSFERRED, nftTransferOf } from '../nfts/transfer.ts'
import { load, opcode } from './messages.ts'
import { loadAuctionTerms, loadSaleTerms } from './terms.ts'

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
