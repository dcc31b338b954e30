import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { kind, named } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { NFT_TRANSFERRED, nftTransferOf } from '../nfts/transfer.ts'
import { PURCHASED, purchaseOf } from './purchase.ts'

/* The end of a listing: its owner takes the item back, or an auction ends. */

const CANCEL_SALE = 3
const CANCEL_AUCTION = 0x5616c572
const FINISH_AUCTION = 0x20c9eb18
const STOP_AUCTION = 0xb95616b6

interface End {
  readonly owner: Address | null
  readonly item: Address
  readonly collection: Address | null
  readonly marketplace: Address | null
}

const groupEnd = (name: string, step: Step, { owner, item, collection, marketplace }: End, run: MatcherRun): void => {
  run.group(name, [step], {
    source: owner,
    destination: step.destination,
    asset: collection,
    assetSecondary: item,
    accounts: [item],
    data: { marketplace_address: marketplace },
  })
}

export const cancelSale: Matcher = {
  at: [CANCEL_SALE],
  around: { each: named('returned', kind(NFT_TRANSFERRED)) },
  build(step, found, run) {
    const { item, facts, to } = nftTransferOf(found.get('returned')!)
    const sale = run.facts.get(step.destination ?? '')?.nftSale
    if (sale === undefined || sale.item !== item) return
    groupEnd('nft_cancel_sale', step, { owner: to, item, collection: facts.collection, marketplace: sale.marketplace }, run)
  },
}

const isFinish = (step: Step): boolean =>
  step.op === FINISH_AUCTION || step.op === STOP_AUCTION || ['finish', 'stop'].includes(commentOf(step) ?? '')

export const finishAuction: Matcher = {
  at: [TRANSFER, FINISH_AUCTION, STOP_AUCTION],
  around: { each: named('bought', kind(PURCHASED)) },
  build(step, found, run) {
    if (!isFinish(step)) return
    const { item, collection, buyer } = purchaseOf(found.get('bought')!)
    const auction = run.facts.get(step.destination ?? '')?.nftAuction
    if (auction === undefined || auction.item !== item) return
    groupEnd('nft_finish_auction', step, { owner: buyer, item, collection, marketplace: null }, run)
  },
}

export const cancelAuction: Matcher = {
  at: [TRANSFER, CANCEL_AUCTION, FINISH_AUCTION, STOP_AUCTION],
  around: { each: named('returned', kind(NFT_TRANSFERRED)) },
  build(step, found, run) {
    if (!isFinish(step) && step.op !== CANCEL_AUCTION && commentOf(step) !== 'cancel') return
    const { item, facts, to } = nftTransferOf(found.get('returned')!)
    const auction = run.facts.get(step.destination ?? '')?.nftAuction
    if (auction === undefined || auction.item !== item) return
    const name = isFinish(step) ? 'nft_finish_auction' : 'nft_cancel_auction'
    groupEnd(name, step, { owner: to, item, collection: facts.collection, marketplace: auction.marketplace }, run)
  },
}
