import type { Values } from '../../actions/action.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { transferInfo } from '../../actions/plain-transfer.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import { endsAuction, NFT_TRANSFERRED, nftTransferOf, transferColumns } from '../nfts/transfer.ts'

export const PURCHASED = 'nft_purchase'

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
