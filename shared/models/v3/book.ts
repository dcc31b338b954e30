import * as z from 'zod'
import { friendly, rawUpper } from '../wire.ts'

/** What an address is called; `interfaces` is null for an account that has no code (v3.md 1.7). */
const addressBookRow = z
  .strictObject({
    user_friendly: friendly().nullable(),
    domain: z.string().nullable(),
    interfaces: z.array(z.string()).nullable(),
  })
  .meta({ id: 'V3AddressBookRow' })

/** By raw address in upper case. */
export const addressBook = z.record(rawUpper(), addressBookRow).meta({ id: 'V3AddressBook' })

/** By the addresses as they were asked. */
export const askedAddressBook = z.record(z.string(), addressBookRow).meta({ id: 'V3AskedAddressBook' })

const tokenInfo = z
  .strictObject({
    valid: z.boolean().optional(),
    type: z.enum(['jetton_masters', 'jetton_wallets', 'nft_items', 'nft_collections']).optional(),
    name: z.string().optional(),
    symbol: z.string().optional(),
    description: z.string().optional(),
    image: z.string().optional(),
    nft_index: z.string().optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'V3TokenInfo' })

/** Tokens by raw address (v3.md 1.8). */
export const metadata = z
  .record(rawUpper(), z.strictObject({ is_indexed: z.boolean(), token_info: z.array(tokenInfo) }).meta({ id: 'V3AddressMetadata' }))
  .meta({ id: 'V3Metadata' })

/** What every list of rows with addresses carries. */
export const withBook = { address_book: addressBook }
export const withBookAndMetadata = { address_book: addressBook, metadata }

/** Where the next page begins; only for calls that gave a `cursor`, null after the last page. */
export const nextCursor = { next_cursor: z.string().nullable().optional() }
