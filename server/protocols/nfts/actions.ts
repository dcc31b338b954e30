import { datum, datumOf, unlessNull } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { auctionBid, outbid } from './bids.ts'
import { COLLECTION_LAST, marketplace, transferDetails } from './details.ts'
import { nftDiscovery } from './discovery.ts'
import { messages } from './messages.ts'
import { nftMint } from './mint.ts'
import { assignedNft, nftTransfer } from './transfer.ts'

const ACTION = { since: 1, shortcuts: ['nft', 'nft.v3'] } as const

export const nfts: Protocol = {
  messages,
  matchers: {
    'before transfers': [nftMint],
    items: [nftTransfer, assignedNft],
    auctions: [auctionBid, outbid],
    operations: [nftDiscovery],
  },
  actions: {
    nft_transfer: { ...ACTION, details: transferDetails(datumOf('marketplace_fee_address')) },
    nft_mint: { ...ACTION, details: { owner: unlessNull('source'), ...COLLECTION_LAST, nft_item_index: datum } },
    nft_discovery: { since: 2, details: { source: 'source', ...COLLECTION_LAST, nft_item_index: datum } },
    auction_bid: {
      ...ACTION,
      details: { amount: 'value', bidder: 'source', auction: 'destination', ...COLLECTION_LAST, nft_item_index: datum },
    },
    auction_outbid: {
      since: 3,
      shortcuts: ['nft.v3'],
      details: {
        auction_address: 'source',
        bidder: 'destination',
        new_bidder: 'sourceSecondary',
        ...COLLECTION_LAST,
        amount: 'amount',
        comment: unlessNull(datum),
        marketplace: unlessNull(marketplace),
      },
    },
  },
}
