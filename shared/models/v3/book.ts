import * as z from 'zod'
import { FRIENDLY, RAW } from '../../samples.ts'
import { flag, friendly, many, model, rawUpper, text, words } from '../value-formats.ts'

/** `interfaces` is null for an account without code. */
const addressBookRow = model('V3AddressBookRow', {
  user_friendly: friendly('The address as people should be shown it: bounceable for contracts, not for wallets.').nullable(),
  domain: text('A name of TON DNS that leads to the account; null where none does.', 'alice.ton').nullable(),
  interfaces: many('What the contract is known to be; null for an account without code.', z.string()).nullable(),
})

const key = rawUpper('The address.')

const row = { user_friendly: FRIENDLY, domain: null, interfaces: ['wallet_v4r2'] }

const addressBook = z.record(key, addressBookRow).meta({
  id: 'V3AddressBook',
  description: 'How the addresses of the answer are written for people, by raw address.',
  examples: [{ [RAW]: row }],
})

export const requestedAddressBook = z.record(z.string(), addressBookRow).meta({
  id: 'V3AskedAddressBook',
  description: 'How the addresses are written for people, by the spelling of the request.',
  examples: [{ [FRIENDLY]: row }],
})

const tokenInfo = model('V3TokenInfo', {
  valid: flag('Whether the content could be read.').optional(),
  type: words('What the token is.', ['jetton_masters', 'jetton_wallets', 'nft_items', 'nft_collections']).optional(),
  name: text('Name of the token.', 'Acorn').optional(),
  symbol: text('Short name of the jetton.', 'ACRN').optional(),
  description: text('What the token is, in a few sentences.', 'The fruit of an oak.').optional(),
  image: text('URL of a picture of the token.', 'https://example.com/acorn.png').optional(),
  nft_index: text('Number of an NFT item in its collection.', '7').optional(),
  is_scam: flag('Whether the operator of the service calls the token a scam; absent for jetton wallets.').optional(),
  is_nsfw: flag('Whether the operator of the service calls the token not safe for work; absent for jetton wallets.').optional(),
  extra: z
    .record(z.string(), z.unknown())
    .meta({
      description: 'What else the content says, by name: `decimals`, `uri`, links of pictures in other sizes.',
      examples: [{ decimals: '9' }],
    })
    .optional(),
})

export const metadata = z
  .record(
    key,
    model('V3AddressMetadata', {
      is_indexed: flag('Whether all off-chain data of the token is known.'),
      token_info: many('What is known of the token.', tokenInfo),
    }),
  )
  .meta({
    id: 'V3Metadata',
    description: 'Name, symbol and picture of the tokens of the answer, by raw address.',
    examples: [{ [RAW]: { is_indexed: true, token_info: [{ type: 'jetton_masters', name: 'Acorn', symbol: 'ACRN' }] } }],
  })

/** Members of all lists whose rows contain addresses. */
export const withBook = { address_book: addressBook }
export const withBookAndMetadata = { address_book: addressBook, metadata }
/** Members that an answer has only if the caller asks for them. */
export const requestedBooks = { address_book: addressBook.optional(), metadata: metadata.optional() }

/** Present only if the call has a `cursor`; null on the last page. */
export const nextCursor = {
  next_cursor: text('Where the next page begins, for calls that gave `cursor`; null after the last page.', 'MjM0').nullable().optional(),
}

/** Members of lists with pages whose rows contain addresses. */
export const bookOfPage = { ...withBook, ...nextCursor }
export const metadataOfPage = { ...withBookAndMetadata, ...nextCursor }
