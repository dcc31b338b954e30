import type { Value } from '../../actions/action.ts'
import { newTextBudget } from '../../actions/comment-text.ts'
import { computed, data, datum, datumOf, type Field, type Fields, type Shown, unlessNull } from '../../actions/details.ts'
import type { Address } from '../../actions/trace.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { attempt } from '../../cell/error.ts'
import { payloadComment } from '../jettons/transfer.ts'

/** Names of marketplaces, from TON Center's answers for recorded sales. TON Center stores them in a table (`marketplace_names`). */
const MARKETPLACES: Readonly<Record<Address, string>> = {
  '0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18': 'getgems',
  '0:9A9CB80ADFBD1662F5108766D73355AC2C03304FDA1D25A479670E34EFCD72B3': 'getgems',
}

/**
 * Returns the name in MARKETPLACES for the marketplace's address or, without an address, for the collection. If MARKETPLACES has no name, returns the name
 * in the action's data.
 */
const marketplaceOf = ({ data, asset }: Shown): Value => {
  const market = data['marketplace_address']
  const address = typeof market === 'string' ? market : asset
  return (address === null ? undefined : MARKETPLACES[address]) ?? data['marketplace'] ?? null
}
export const marketplace = computed(marketplaceOf)

export const ITEM: Fields = { nft_collection: 'asset', nft_item: 'assetSecondary', nft_item_index: datum }
export const COLLECTION_LAST: Fields = { nft_item: 'assetSecondary', nft_collection: 'asset' }

const commentIn = (payload: Value | undefined) =>
  typeof payload === 'string' ? attempt(() => payloadComment(parseBocRoot(Buffer.from(payload, 'base64')), newTextBudget())) : undefined

/** `payout` is the field with the account that was paid. */
export const transferDetails = (payout: Field): Fields => ({
  ...ITEM,
  old_owner: unlessNull('source'),
  new_owner: 'destination',
  is_purchase: datum,
  price: unlessNull(datum),
  ...data('query_id', 'response_destination', 'custom_payload', 'forward_payload', 'forward_amount'),
  comment: computed(({ data }) => commentIn(data['forward_payload'])?.text),
  is_encrypted_comment: computed(({ data }) => commentIn(data['forward_payload'])?.encrypted),
  marketplace: computed((action) => (action.data['is_purchase'] ? marketplaceOf(action) : null)),
  real_old_owner: datumOf('real_prev_owner'),
  marketplace_address: datum,
  payout_amount: datum,
  payout_address: payout,
  ...data('payout_comment', 'payout_comment_encrypted', 'payout_comment_encoded', 'royalty_amount', 'royalty_address'),
})

export const LISTING: Fields = { ...ITEM, owner: 'source', listing_address: 'sourceSecondary' }

export const AUCTION: Fields = {
  ...LISTING,
  auction_address: 'destination',
  marketplace_address: datum,
  marketplace_fee_factor: datumOf('mp_fee_factor'),
  marketplace_fee_base: datumOf('mp_fee_base'),
  ...data('royalty_fee_base', 'max_bid', 'min_bid', 'marketplace_fee_address', 'royalty_address'),
  marketplace,
}

export const ENDED: Fields = {
  owner: 'source',
  ...COLLECTION_LAST,
  auction_address: 'destination',
  marketplace_address: datum,
  marketplace,
}
