import type { Columns } from '../../actions/action.ts'
import { bocText } from '../../actions/boc-and-hex-texts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { type TransferInfo, transferInfo } from '../../actions/plain-transfer.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { endsAuction, NFT_TRANSFERRED, type NftTransfer, nftTransferOf } from '../nfts/transfer.ts'

export const PURCHASED = 'nft_purchase'

/** The data of a purchase for later matchers. */
export interface Purchase {
  readonly item: Address
  readonly collection: Address | null
  readonly buyer: Address | null
}
export const purchaseOf = (step: Step): Purchase => step.info as Purchase

const columnsOf = (
  { item, facts, queryId, from, to, response, forwardAmount, customPayload, forwardPayload, sale }: NftTransfer,
  payout: Step,
): Columns => {
  const { comment, encrypted } = transferInfo(payout) as TransferInfo
  return {
    source: from,
    destination: to,
    asset: facts.collection,
    assetSecondary: item,
    data: {
      query_id: queryId,
      is_purchase: true,
      price: sale?.price ?? null,
      nft_item_index: facts.index,
      forward_amount: forwardAmount,
      custom_payload: customPayload === null ? null : bocText(customPayload),
      forward_payload: forwardPayload === null ? null : bocText(forwardPayload),
      response_destination: response,
      marketplace: 'getgems',
      marketplace_address: sale?.marketplace ?? null,
      real_prev_owner: sale?.seller ?? null,
      payout_amount: payout.message.value,
      payout_comment_encrypted: encrypted,
      payout_comment_encoded: encrypted && comment !== null,
      payout_comment: comment,
    },
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
    const info: Purchase = { item: transfer.item, collection: transfer.facts.collection, buyer: transfer.to }
    run.group(PURCHASED, [step, payout], columnsOf(transfer, payout), { info, below })
  },
}
