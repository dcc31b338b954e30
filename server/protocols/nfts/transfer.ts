import type { Columns, Values } from '../../actions/action.ts'
import { bocText } from '../../actions/boc-and-hex-texts.ts'
import type { NftItemFacts } from '../../actions/facts.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, type Found, optional } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import { CALL, deployedBy, EXCESSES, findCall, type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { NFT_TRANSFER } from '../../tlb/message/token-messages.ts'
import { FILL_UP } from '../dns/messages.ts'
import { loadIf, TELEMINT_DEPLOY } from '../teleitems/messages.ts'
import { load, opcode } from './messages.ts'

/* Mints and transfers of NFTs, also as parts of sales. TEP-62. */

export const NFT_MINTED = 'nft_mint'

export interface NftMint {
  readonly item: Address
  readonly index: bigint | null
}
export const nftMintOf = (step: Step): NftMint => step.info as NftMint

export const nftMint: Matcher = {
  at: [CALL, TRANSFER],
  build(step, _found, run) {
    const item = deployedBy(step)
    const facts = item === undefined ? undefined : run.nftItem(item)
    if (item === undefined || facts === undefined) return
    const columns = {
      source: step.source,
      destination: item,
      asset: facts.collection,
      assetSecondary: item,
      opcode: step.message.opcode,
      data: { nft_item_index: facts.index },
    }
    run.group(NFT_MINTED, [step], columns, { info: { item, index: facts.index } satisfies NftMint })
  },
}

export const NFT_TRANSFERRED = 'nft_transfer'

export const OWNERSHIP_ASSIGNED = opcode('internal nft_ownership_assigned')

export interface NftTransfer {
  readonly item: Address
  readonly facts: NftItemFacts
  readonly from: Address | null
  readonly to: Address | null
  /** Set if a marketplace contract sold the item. */
  readonly sale: Sale | undefined
  /** Values of the order and of the item, for the action's data. */
  readonly order: Values
}
export const nftTransferOf = (step: Step): NftTransfer => step.info as NftTransfer

export interface Sale {
  readonly marketplace: Address | null
  readonly seller: Address | null
  readonly price: bigint | null
}

/** The columns of a transfer, with more data of its type. */
export const transferColumns = ({ from, to, facts, item, order, sale }: NftTransfer, more: Values): Columns => ({
  source: from,
  destination: to,
  asset: facts.collection,
  assetSecondary: item,
  data: {
    ...order,
    is_purchase: sale !== undefined,
    price: sale?.price ?? null,
    marketplace: sale === undefined ? null : 'getgems',
    marketplace_address: sale?.marketplace ?? null,
    real_prev_owner: sale?.seller ?? null,
    ...more,
  },
})

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

const loadOrder = (step: Step, { index: nft_item_index }: NftItemFacts): Pick<NftTransfer, 'to' | 'order'> => {
  const body = load('internal nft_transfer', step.body)
  const { query_id, new_owner: to, response_destination, forward_amount } = body
  const custom_payload = payloadText(body.custom_payload)
  const forward_payload = payloadText(body.forward_payload)
  return { to, order: { query_id, nft_item_index, forward_amount, custom_payload, forward_payload, response_destination } }
}

/** The plain transfer or the external message that the step followed from. */
const requestBefore = ({ previous }: Step): Step | undefined =>
  previous?.kind === TRANSFER || (previous?.kind === CALL && previous.source === null) ? previous : undefined

const previousOwner = (order: Step, assigned: Step | undefined): Address | null =>
  assigned === undefined ? order.source : load('internal nft_ownership_assigned', assigned.body).prev_owner

export const nftTransfer: Matcher = {
  at: [NFT_TRANSFER],
  around: { each: optional(either(call(OWNERSHIP_ASSIGNED), call(EXCESSES))) },
  build(step: Step, found: Found, run: MatcherRun) {
    const item = step.destination
    const facts = run.nftItem(item)
    if (item === null || facts === undefined) return
    const from = previousOwner(step, findCall(found.steps, OWNERSHIP_ASSIGNED))
    const { to, order } = loadOrder(step, facts)
    const sale = saleBehind(step, { item, to }, run)
    const transfer: NftTransfer = { item, facts, from, to, sale, order }
    const members = [step, ...found.steps]
    const request = requestBefore(step)
    if (sale !== undefined && request !== undefined && !endsAuction(request)) members.push(request)
    run.group(NFT_TRANSFERRED, members, { ...transferColumns(transfer, NOT_PAID), success: !step.failed }, { info: transfer })
  },
}

/** The payments for an item of Telegram. If there is more than one, the royalty is sent first. */
const payoutsOf = (request: Step): readonly Step[] =>
  request.next.filter(({ op }) => op === FILL_UP).sort((a, b) => (a.minLt < b.minLt ? -1 : 1))

/** An item whose owner changes without a transfer order. Items of Telegram sell themselves in this way. Only the message to the new owner shows the change. */
export const assignedNft: Matcher = {
  at: [OWNERSHIP_ASSIGNED],
  build(step, _found, run) {
    const item = step.source
    const facts = run.nftItem(item)
    if (item === null || facts === undefined) return
    const { query_id, prev_owner: from, forward_payload: payload } = load('internal nft_ownership_assigned', step.body)
    const bid = loadIf('internal teleitem_bid_info', payload)?.bid
    const before = step.previous
    const isMint = before?.op === TELEMINT_DEPLOY || before?.kind === NFT_MINTED
    const request = bid === undefined ? undefined : requestBefore(step)
    const payouts = request === undefined ? [] : payoutsOf(request)
    const [payout, royalty] = payouts.length > 1 ? [payouts[1], payouts[0]] : payouts
    const members = request === undefined ? [step] : [step, ...payouts, request]
    const sold = bid !== undefined && !isMint
    const empty = { forward_amount: null, custom_payload: null, response_destination: null }
    const order = { query_id, nft_item_index: facts.index, ...empty, forward_payload: payloadText(payload) }
    const transfer: NftTransfer = { item, facts, from, to: step.destination, sale: undefined, order }
    const columns = transferColumns(transfer, {
      is_purchase: sold,
      price: sold ? bid : null,
      marketplace: bid === undefined ? null : 'fragment',
      ...NOT_PAID,
      payout_amount: payout?.message.value ?? null,
      royalty_amount: royalty?.message.value ?? null,
      marketplace_fee_address: payout?.destination ?? null,
      royalty_address: royalty?.destination ?? null,
    })
    run.group(NFT_TRANSFERRED, members, columns, { info: transfer })
  },
}
