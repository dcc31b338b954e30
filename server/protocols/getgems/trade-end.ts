import type { Values } from '../../actions/action.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { kind, named } from '../../actions/pattern.ts'
import { commentOf, transferInfo } from '../../actions/plain-transfer.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { endsAuction, NFT_TRANSFERRED, type NftTransfer, nftTransferOf, transferColumns } from '../nfts/transfer.ts'

/* The end of a listing: the item is sold, its owner takes it back, or an auction ends. */

const PURCHASED = 'nft_purchase'

const payoutData = (payout: Step): Values => {
  const { comment, encrypted } = transferInfo(payout)!
  return {
    payout_amount: payout.message.value,
    payout_comment_encrypted: encrypted,
    payout_comment_encoded: encrypted && comment !== null,
    payout_comment: comment,
  }
}

/** nft_purchase: a Getgems sale transferred the item and paid the seller. */
export const purchase: Matcher = {
  at: [NFT_TRANSFERRED],
  build(step, _found, run) {
    const transfer = nftTransferOf(step)
    const seller = transfer.sale?.seller
    if (!seller) return
    // If a message requested the end of the auction, the transfer of the item and the payment both followed from that message.
    const below = endsAuction(step.previous) ? step.previous : undefined
    const candidates = below?.next ?? step.next
    const payout = candidates.find((next) => next.kind === TRANSFER && next.destination === seller)
    if (payout === undefined) return
    run.group(PURCHASED, [step, payout], transferColumns(transfer, payoutData(payout)), { info: transfer, below })
  },
}

const CANCEL_SALE = 3
const CANCEL_AUCTION = 0x5616c572
const FINISH_AUCTION = 0x20c9eb18
const STOP_AUCTION = 0xb95616b6

const groupEnd = (type: string, step: Step, { item, facts, to }: NftTransfer, marketplace: Address | null, run: MatcherRun): void => {
  run.group(type, [step], {
    source: to,
    destination: step.destination,
    asset: facts.collection,
    assetSecondary: item,
    accounts: [item],
    data: { marketplace_address: marketplace },
  })
}

export const cancelSale: Matcher = {
  at: [CANCEL_SALE],
  around: { each: named('returned', kind(NFT_TRANSFERRED)) },
  build(step, found, run) {
    const transfer = nftTransferOf(found.get('returned')!)
    const sale = run.facts.get(step.destination ?? '')?.nftSale
    if (sale?.item === transfer.item) groupEnd('nft_cancel_sale', step, transfer, sale.marketplace, run)
  },
}

const isFinish = (step: Step): boolean => step.op === FINISH_AUCTION || step.op === STOP_AUCTION || endsAuction(step)

export const finishAuction: Matcher = {
  at: [TRANSFER, FINISH_AUCTION, STOP_AUCTION],
  around: { each: named('bought', kind(PURCHASED)) },
  build(step, found, run) {
    if (!isFinish(step)) return
    const transfer = nftTransferOf(found.get('bought')!)
    const auction = run.facts.get(step.destination ?? '')?.nftAuction
    if (auction?.item === transfer.item) groupEnd('nft_finish_auction', step, transfer, null, run)
  },
}

export const cancelAuction: Matcher = {
  at: [TRANSFER, CANCEL_AUCTION, FINISH_AUCTION, STOP_AUCTION],
  around: { each: named('returned', kind(NFT_TRANSFERRED)) },
  build(step, found, run) {
    if (!isFinish(step) && step.op !== CANCEL_AUCTION && commentOf(step) !== 'cancel') return
    const transfer = nftTransferOf(found.get('returned')!)
    const auction = run.facts.get(step.destination ?? '')?.nftAuction
    if (auction?.item !== transfer.item) return
    groupEnd(isFinish(step) ? 'nft_finish_auction' : 'nft_cancel_auction', step, transfer, auction.marketplace, run)
  },
}
