import { bocText } from '../../actions/boc-and-hex-texts.ts'
import type { NftItemFacts } from '../../actions/facts.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, type Found, optional } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import { CALL, EXCESSES, findCall, type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { NFT_TRANSFER } from '../../tlb/message/token-messages.ts'
import { FILL_UP } from '../dns/messages.ts'
import { loadIf, TELEMINT_DEPLOY } from '../teleitems/messages.ts'
import { load, opcode } from './messages.ts'

/* nft_transfer, also as a part of a sale. TEP-62. */

export const NFT_TRANSFERRED = 'nft_transfer'

export const OWNERSHIP_ASSIGNED = opcode('internal nft_ownership_assigned')

export interface NftTransfer {
  readonly item: Address
  readonly facts: NftItemFacts
  readonly queryId: bigint
  readonly from: Address | null
  readonly to: Address | null
  readonly response: Address | null
  readonly forwardAmount: bigint | null
  readonly customPayload: Cell | null
  readonly forwardPayload: Cell | null
  /** Set if a marketplace contract sold the item. */
  readonly sale: Sale | undefined
}
export const nftTransferOf = (step: Step): NftTransfer => step.info as NftTransfer

export interface Sale {
  readonly marketplace: Address | null
  readonly seller: Address | null
  readonly price: bigint | null
}

/** Fields that only purchases fill. */
const NOT_PAID = {
  payout_amount: null,
  payout_comment_encrypted: null,
  payout_comment_encoded: null,
  payout_comment: null,
  royalty_amount: null,
}

const payloadText = (cell: Cell | null): string | null => (cell === null ? null : bocText(cell))

const END_OF_AUCTION: readonly (string | null | undefined)[] = ['finish', 'stop']

/** Returns whether the step requests the end of an auction. Such a step is not part of the transfer. */
export const endsAuction = (step: Step | undefined): boolean => step?.kind === TRANSFER && END_OF_AUCTION.includes(commentOf(step))

/**
 * Returns the sale behind a transfer: the sender of the nft_transfer message is a contract that sells this item at a fixed price or by auction. Undefined
 * if the item refused the message, or if the buyer paid less than the price.
 */
const saleBehind = (order: Step, { item, to }: Pick<NftTransfer, 'item' | 'to'>, run: MatcherRun): Sale | undefined => {
  const before = order.previous
  if (before === undefined || order.failed || order.source === null) return undefined
  const facts = run.facts.get(order.source)
  if (facts === undefined || before.nodes[0]?.tx.account !== order.source) return undefined
  const { nftSale, nftAuction } = facts
  if (nftSale !== undefined && before.kind === TRANSFER && before.source === to) {
    const { marketplace, seller, price } = nftSale
    const paid = (before.message.value ?? 0n) >= (price ?? 0n)
    return nftSale.item === item && seller !== to && paid ? { marketplace, seller, price } : undefined
  }
  if (nftAuction === undefined) return undefined
  const { marketplace, seller, lastBid } = nftAuction
  return nftAuction.item === item && seller !== to ? { marketplace, seller, price: lastBid } : undefined
}

const loadOrder = (step: Step) => {
  const order = load('internal nft_transfer', step.body)
  return {
    queryId: order.query_id,
    to: order.new_owner,
    response: order.response_destination,
    customPayload: order.custom_payload,
    forwardAmount: order.forward_amount,
    forwardPayload: order.forward_payload,
  }
}

const previousOwner = (order: Step, assigned: Step | undefined): Address | null =>
  assigned === undefined ? order.source : load('internal nft_ownership_assigned', assigned.body).prev_owner

export const nftTransfer: Matcher = {
  at: [NFT_TRANSFER],
  around: { each: optional(either(call(OWNERSHIP_ASSIGNED), call(EXCESSES))) },
  build(step: Step, found: Found, run: MatcherRun) {
    const item = step.destination
    const facts = run.nftItem(item)
    if (item === null || facts === undefined) return
    const transfer: NftTransfer = {
      item,
      facts,
      sale: undefined,
      from: previousOwner(step, findCall(found.steps, OWNERSHIP_ASSIGNED)),
      ...loadOrder(step),
    }
    const sale = saleBehind(step, transfer, run)
    const members = [step, ...found.steps]
    const before = step.previous
    const isRequested = before?.kind === TRANSFER || (before?.kind === CALL && before.source === null)
    if (sale !== undefined && before !== undefined && isRequested && !endsAuction(before)) members.push(before)
    run.group(
      NFT_TRANSFERRED,
      members,
      {
        source: transfer.from,
        destination: transfer.to,
        asset: facts.collection,
        assetSecondary: item,
        data: {
          query_id: transfer.queryId,
          is_purchase: sale !== undefined,
          price: sale?.price ?? null,
          nft_item_index: facts.index,
          forward_amount: transfer.forwardAmount,
          custom_payload: payloadText(transfer.customPayload),
          forward_payload: payloadText(transfer.forwardPayload),
          response_destination: transfer.response,
          marketplace: sale === undefined ? null : 'getgems',
          marketplace_address: sale?.marketplace ?? null,
          real_prev_owner: sale?.seller ?? null,
          ...NOT_PAID,
        },
      },
      { failed: step.failed, info: { ...transfer, sale } satisfies NftTransfer },
    )
  },
}

interface Payouts {
  readonly steps: readonly Step[]
  /** Set if there is more than one payment. The royalty is then sent first. */
  readonly royalty: Step | undefined
  readonly payout: Step | undefined
}

const payoutsOf = (before: Step): Payouts => {
  const steps = before.next.filter(({ op }) => op === FILL_UP).sort((a, b) => (a.minLt < b.minLt ? -1 : 1))
  return steps.length > 1 ? { steps, royalty: steps[0], payout: steps[1] } : { steps, royalty: undefined, payout: steps[0] }
}

const NO_PAYOUTS: Payouts = { steps: [], royalty: undefined, payout: undefined }

/** An item whose owner changes without a transfer order. Items of Telegram sell themselves in this way. Only the message to the new owner shows the change. */
export const assignedNft: Matcher = {
  at: [OWNERSHIP_ASSIGNED],
  build(step, _found, run) {
    const item = step.source
    const facts = run.nftItem(item)
    if (item === null || facts === undefined) return
    const { query_id: queryId, prev_owner: from, forward_payload: payload } = load('internal nft_ownership_assigned', step.body)
    const bid = loadIf('internal teleitem_bid_info', payload)?.bid
    const before = step.previous
    const isMint = before?.op === TELEMINT_DEPLOY || before?.kind === 'nft_mint'
    const isRequested = before?.kind === TRANSFER || (before?.kind === CALL && before.source === null)
    const payouts = bid !== undefined && isRequested ? payoutsOf(before!) : NO_PAYOUTS
    const members = bid !== undefined && isRequested ? [step, ...payouts.steps, before!] : [step]
    const sold = bid !== undefined && !isMint
    const transfer: NftTransfer = {
      item,
      facts,
      queryId,
      from,
      to: step.destination,
      response: null,
      forwardAmount: null,
      customPayload: null,
      forwardPayload: payload,
      sale: undefined,
    }
    run.group(
      NFT_TRANSFERRED,
      members,
      {
        source: from,
        destination: step.destination,
        asset: facts.collection,
        assetSecondary: item,
        data: {
          query_id: queryId,
          is_purchase: sold,
          price: sold ? bid : null,
          nft_item_index: facts.index,
          forward_amount: null,
          custom_payload: null,
          forward_payload: payloadText(payload),
          response_destination: null,
          marketplace: bid === undefined ? null : 'fragment',
          marketplace_address: null,
          real_prev_owner: null,
          ...NOT_PAID,
          payout_amount: payouts.payout?.message.value ?? null,
          royalty_amount: payouts.royalty?.message.value ?? null,
          marketplace_fee_address: payouts.payout?.destination ?? null,
          royalty_address: payouts.royalty?.destination ?? null,
        },
      },
      { info: transfer },
    )
  },
}
