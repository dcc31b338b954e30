import type { Protocol } from '../../actions/protocol.ts'
import { auctionBid, outbid } from './bids.ts'
import { nftDiscovery } from './discovery.ts'
import { messages } from './messages.ts'
import { nftMint } from './mint.ts'
import { assignedNft, nftTransfer } from './transfer.ts'

export const nfts: Protocol = {
  name: 'NFTs',
  messages,
  matchers: {
    'before transfers': [nftMint],
    items: [nftTransfer, assignedNft],
    auctions: [auctionBid, outbid],
    operations: [nftDiscovery],
  },
}
