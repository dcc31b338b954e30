import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { addresses, neededAddresses, v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { digits, MORE } from '../fields/v3/list.ts'
import { overrides } from '../fields/v3/request-settings.ts'
import { side, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3NftCollections, v3NftItems, v3NftSales, v3NftTransfers } from '../models/v3/nfts.ts'
import { FRIENDLY, RAW } from '../samples.ts'
import { listParams, provenListParams, reads, sortedPage, walkedPage, window } from './common.ts'

const read = reads('NFTs')

export const nfts = {
  'v3.nft.collections': method({
    ...read,
    page: { rows: 'nft_collections', max: 1000 },
    summary: 'NFT collections by address or owner, in the order in which they appeared.',
    examples: [{ title: 'the first', params: { limit: 3 } }],
    params: listParams({
      collection_address: addresses('Only these collections.', MORE).optional(),
      owner_address: addresses('Only collections of these owners.', MORE).optional(),
      ...walkedPage,
    }),
    result: v3NftCollections,
  }),
  'v3.nft.items': method({
    ...read,
    page: { rows: 'nft_items', max: 1000 },
    summary: 'NFT items by address, owner, collection or index.',
    examples: [
      { title: 'of an owner, on sale or not', params: { owner_address: [FRIENDLY], include_on_sale: true } },
      { title: 'by index', params: { collection_address: [RAW], index: ['0', '1'] } },
      { title: 'by cursor', params: { limit: 2, cursor: '' } },
    ],
    params: listParams(
      {
        address: addresses('Only these NFT items.').optional(),
        owner_address: addresses('Only items of these owners.').optional(),
        collection_address: addresses('Only items of these collections.').optional(),
        index: digits('Only items of these numbers in their collection.', 'index should contain digits only').optional(),
        include_on_sale: v3Bool('Counts items that a sale or an auction holds as those of their seller.').optional(),
        sort_by_last_transaction_lt: v3Bool('Lists the items that changed last first.').optional(),
        ...walkedPage,
      },
      [
        (p) => (p.collection_address?.length ?? 0) < 2 || p.owner_address?.length === 1,
        rule('exact one owner_address required for multiple collection_address', ['collection_address']),
      ],
      [
        (p) => p.index === undefined || p.collection_address !== undefined,
        rule('index parameter is not allowed without the collection_address', ['index']),
      ],
    ),
    result: v3NftItems,
  }),
  'v3.nft.transfers': method({
    ...read,
    weightOfProof: 1,
    page: { rows: 'nft_transfers', max: 1000 },
    summary: 'NFT transfers by owner, item or collection, newest first; those that failed are among them.',
    examples: [
      { title: 'the newest', params: { limit: 3 } },
      { title: 'from an owner', params: { owner_address: [RAW], direction: 'out' } },
    ],
    params: provenListParams({
      owner_address: addresses('Only transfers from or to these owners.').optional(),
      address: addresses('The old name of `owner_address`.').optional(),
      item_address: addresses('Only transfers of these NFT items.').optional(),
      collection_address: v3Address('Only transfers of items of this collection.').optional(),
      direction: side('Which side the owner is on: it received (in), it sent (out), or either (both).').optional(),
      ...window,
      ...sortedPage,
    }),
    result: v3NftTransfers,
  }),
  'v3.nft.sales': method({
    ...read,
    summary: 'Contracts that sell NFTs, by their addresses: fixed prices, then auctions, then names that sell themselves.',
    examples: [{ title: 'of one that sells nothing', params: { address: [RAW] } }],
    params: z.object({
      address: neededAddresses('The contracts that sell: sales, auctions, or names that sell themselves.', 'at least 1 address required', {
        over: 'maximum 1000 addresses allowed',
      }),
      ...overrides,
    }),
    result: v3NftSales,
  }),
}
