import type { NftItemFacts } from '../../actions/facts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import type { Step } from '../../actions/step.ts'
import { AUCTION, ENDED } from '../nfts/details.ts'
import { load, messages, opcode } from './messages.ts'

/* Usernames and numbers of Telegram. Each item holds its own auctions. https://github.com/TelegramMessenger/telemint */

const OK = opcode('internal teleitem_ok')

export const isTeleitem = ({ uri }: NftItemFacts): boolean => uri?.includes('https://nft.fragment.com') ?? false

const itemColumns = (step: Step, { collection }: NftItemFacts) => ({
  source: step.source,
  destination: step.destination,
  asset: collection,
  assetSecondary: step.destination,
  success: !step.aborted,
})

const startTeleitemAuction: Matcher = {
  at: [opcode('internal teleitem_msg_start_auction')],
  around: { each: optional(call(OK)) },
  build(step, found, run) {
    const facts = run.nftItem(step.destination)
    if (facts === undefined || !isTeleitem(facts)) return
    const terms = load('internal teleitem_msg_start_auction', step.body).auction_config
    run.group('teleitem_start_auction', [step, ...found.steps], {
      ...itemColumns(step, facts),
      data: {
        nft_item_index: facts.index,
        marketplace: 'fragment',
        marketplace_address: null,
        mp_fee_factor: 0n,
        mp_fee_base: 0n,
        royalty_fee_base: 0n,
        max_bid: terms.max_bid,
        min_bid: terms.initial_min_bid,
        marketplace_fee_address: terms.beneficiary_address,
        royalty_address: null,
      },
    })
  },
}

const cancelTeleitemAuction: Matcher = {
  at: [opcode('internal teleitem_msg_cancel_auction')],
  around: { each: optional(call(OK)) },
  build(step, found, run) {
    const facts = run.nftItem(step.destination)
    if (facts === undefined || !isTeleitem(facts)) return
    run.group('teleitem_cancel_auction', [step, ...found.steps], {
      ...itemColumns(step, facts),
      accounts: step.destination === null ? [] : [step.destination],
      data: { marketplace_address: null },
    })
  },
}

export const teleitems: Protocol = {
  messages,
  matchers: { operations: [startTeleitemAuction, cancelTeleitemAuction] },
  actions: {
    teleitem_start_auction: { since: 3, shortcuts: ['nft.v3'], details: AUCTION },
    teleitem_cancel_auction: { since: 3, shortcuts: ['nft.v3'], details: ENDED },
  },
}
