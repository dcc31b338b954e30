import { datum, datumOf, unlessNull } from '../../actions/details.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, named } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { auctionBid, outbid } from './bids.ts'
import { COLLECTION_LAST, marketplace, transferDetails } from './details.ts'
import { load, messages, opcode } from './messages.ts'
import { assignedNft, nftMint, nftTransfer } from './transfer.ts'

/** nft_discovery: someone asks an item for its index and collection. */
const nftDiscovery: Matcher = {
  at: [opcode('internal get_static_data')],
  around: { each: named('report', call(opcode('internal report_static_data'))) },
  build(step, found, run) {
    const report = found.get('report')!
    const { index, collection } = load('internal report_static_data', report.body)
    run.group('nft_discovery', [step, report], {
      source: step.source,
      asset: collection,
      assetSecondary: step.destination,
      data: { nft_item_index: index },
    })
  },
}

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
