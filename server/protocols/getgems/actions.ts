import { data, datum, datumOf } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { AUCTION, COLLECTION_LAST, ENDED, LISTING, marketplace, transferDetails } from '../nfts/details.ts'
import { putOnSale, updateSale } from './listing.ts'
import { messages } from './messages.ts'
import { cancelAuction, cancelSale, finishAuction, purchase } from './trade-end.ts'

const ACTION = { since: 3, shortcuts: ['nft.v3'] } as const

export const getgems: Protocol = {
  messages,
  matchers: { 'before items': [updateSale], sales: [purchase, putOnSale], auctions: [cancelSale, finishAuction, cancelAuction] },
  actions: {
    nft_put_on_sale: {
      ...ACTION,
      details: {
        ...LISTING,
        sale_address: 'destination',
        ...data('marketplace_address', 'full_price', 'marketplace_fee', 'royalty_amount', 'marketplace_fee_address', 'royalty_address'),
        marketplace,
      },
    },
    nft_put_on_auction: { ...ACTION, details: AUCTION },
    nft_purchase: { ...ACTION, details: { ...transferDetails(datumOf('real_prev_owner')), marketplace } },
    nft_cancel_sale: {
      ...ACTION,
      details: { owner: 'source', ...COLLECTION_LAST, sale_address: 'destination', marketplace_address: datum, marketplace },
    },
    nft_cancel_auction: { ...ACTION, details: ENDED },
    nft_finish_auction: { ...ACTION, details: ENDED },
    nft_update_sale: {
      ...ACTION,
      details: {
        source: 'source',
        sale_contract: 'destination',
        nft_address: 'assetSecondary',
        marketplace_address: datum,
        marketplace,
        ...data('full_price', 'marketplace_fee', 'royalty_amount'),
      },
    },
  },
}
