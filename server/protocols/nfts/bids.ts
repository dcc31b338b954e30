import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import { deployedBy, type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { isDnsItem } from '../dns/actions.ts'
import { OUTBID } from '../dns/messages.ts'
import { isTeleitem } from '../teleitems/actions.ts'

/* Bids at auctions of Getgems, Telegram items and .ton names. */

export const BID = 'auction_bid'

const OUTBID_TEXT = 'Your bid has been outbid by another user'
const NO_BIDS: readonly (string | null | undefined)[] = ['cancel', 'finish', 'stop']

type House = 'getgems' | 'fragment'

interface Bid {
  readonly house: House
  readonly auction: Address
  readonly bidder: Address | null
  readonly item: Address
  readonly collection: Address | null
  readonly index: bigint | null
}
const bidOf = (step: Step): Bid => step.info as Bid

const notifiesOutbid = (step: Step): boolean => step.next.some(({ op }) => op === OUTBID)

const readBid = (step: Step, run: MatcherRun): Bid | undefined => {
  const auction = step.destination
  const facts = auction === null ? undefined : run.facts.get(auction)
  if (auction === null || facts === undefined) return undefined
  const bidder = step.source
  const { nftAuction, nftItem } = facts
  if (nftAuction !== undefined) {
    if (nftAuction.item === null) return undefined
    const item = run.nftItem(nftAuction.item)
    return { house: 'getgems', auction, bidder, item: nftAuction.item, collection: item?.collection ?? null, index: item?.index ?? null }
  }
  if (nftItem === undefined || !(isTeleitem(nftItem) || isDnsItem(nftItem))) return undefined
  // .ton names also receive money for other reasons. A message to a name is a bid only if it caused the return of the previous bid.
  if (isDnsItem(nftItem) && !notifiesOutbid(step)) return undefined
  return { house: 'fragment', auction, bidder, item: auction, collection: nftItem.collection, index: nftItem.index }
}

/** auction_bid: money sent to an auction, or to an NFT that auctions itself. */
export const auctionBid: Matcher = {
  at: [TRANSFER],
  build(step, _found, run) {
    if (deployedBy(step) !== undefined || NO_BIDS.includes(commentOf(step))) return
    const bid = readBid(step, run)
    if (bid === undefined) return
    const columns = {
      source: bid.bidder,
      destination: bid.auction,
      asset: bid.collection,
      assetSecondary: bid.item,
      value: step.message.value,
      accounts: [bid.item],
      data: { nft_item_index: bid.index, marketplace: bid.house },
      success: !step.failed,
    }
    run.group(BID, [step], columns, { info: bid })
  },
}

const isReturnOf = ({ house, auction }: Bid, step: Step): boolean =>
  step.nodes[0]?.message?.source === auction &&
  (house === 'getgems' ? step.kind === TRANSFER && (commentOf(step)?.includes(OUTBID_TEXT) ?? false) : step.op === OUTBID)

/** auction_outbid: the previous bid is returned. */
export const outbid: Matcher = {
  at: [BID],
  build(step, _found, run) {
    const bid = bidOf(step)
    const returns = step.next.filter((next) => isReturnOf(bid, next))
    const [returned] = returns
    // Two returns cannot both be the previous bid.
    if (returned === undefined || returns.length > 1) return
    run.group('auction_outbid', [returned], {
      source: bid.auction,
      destination: returned.destination,
      sourceSecondary: bid.bidder,
      asset: bid.collection,
      assetSecondary: bid.item,
      amount: returned.message.value,
      accounts: [bid.item],
      data: { marketplace: bid.house, comment: commentOf(returned) ?? null },
    })
  },
}
