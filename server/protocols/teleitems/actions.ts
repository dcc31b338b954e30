import type { NftItemFacts } from '../../actions/facts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { loadAddress } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import { AUCTION, ENDED } from '../nfts/details.ts'
import { messages, opcode } from './messages.ts'

/* Usernames and numbers of Telegram. Each item holds its own auctions. https://github.com/TelegramMessenger/telemint */

const START = opcode('internal teleitem_msg_start_auction')
const CANCEL = opcode('internal teleitem_msg_cancel_auction')
const OK = opcode('internal teleitem_ok')

/** Whether the item is a username or number of Telegram. */
export const isTeleitem = ({ uri }: NftItemFacts): boolean => uri?.includes('https://nft.fragment.com') ?? false

/**
 * teleitem_start_auction query_id:int64 auction_config:^TeleitemAuctionConfig = InternalMsgBody;
 * teleitem_auction_config$_ beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8
 *   min_extend_time:uint32 duration:uint32 = TeleitemAuctionConfig;
 */
const loadConfig = (step: Step) => {
  const s = step.rest().skip(64).loadRef().slice()
  const beneficiary = loadAddress(s)
  const minBid = s.loadCoins()
  return { beneficiary, minBid, maxBid: s.loadCoins() }
}

const startTeleitemAuction: Matcher = {
  name: 'teleitem auction started',
  at: [START],
  around: { each: optional(named('ok', call(OK))) },
  build(step, found, run) {
    const facts = run.nftItem(step.destination)
    if (facts === undefined || !isTeleitem(facts)) return
    const { beneficiary, minBid, maxBid } = loadConfig(step)
    run.group('teleitem_start_auction', [step, ...found.steps], {
      source: step.source,
      destination: step.destination,
      asset: facts.collection,
      assetSecondary: step.destination,
      data: {
        nft_item_index: facts.index,
        marketplace: 'fragment',
        marketplace_address: null,
        mp_fee_factor: 0n,
        mp_fee_base: 0n,
        royalty_fee_base: 0n,
        max_bid: maxBid,
        min_bid: minBid,
        marketplace_fee_address: beneficiary,
        royalty_address: null,
      },
      success: !step.aborted,
    })
  },
}

const cancelTeleitemAuction: Matcher = {
  name: 'teleitem auction cancelled',
  at: [CANCEL],
  around: { each: optional(named('ok', call(OK))) },
  build(step, found, run) {
    const facts = run.nftItem(step.destination)
    if (facts === undefined || !isTeleitem(facts)) return
    run.group('teleitem_cancel_auction', [step, ...found.steps], {
      source: step.source,
      destination: step.destination,
      asset: facts.collection,
      assetSecondary: step.destination,
      accounts: step.destination === null ? [] : [step.destination],
      data: { marketplace_address: null },
      success: !step.aborted,
    })
  },
}

export const teleitems: Protocol = {
  name: 'items of Telegram',
  messages,
  matchers: { operations: [startTeleitemAuction, cancelTeleitemAuction] },
  actions: {
    teleitem_start_auction: { since: 3, shortcuts: ['nft.v3'], details: AUCTION },
    teleitem_cancel_auction: { since: 3, shortcuts: ['nft.v3'], details: ENDED },
  },
}
