import * as z from 'zod'
import { type ParsedAddress, parseAddress } from '../fields/address.ts'
import { decodeBase64Any } from '../fields/base64.ts'
import { anyOf, type Field, FieldError, field, notBoth, oneOf, readText, rule } from '../fields/field.ts'
import { v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { paged } from '../fields/v3/page.ts'
import { overrides } from '../fields/v3/request-settings.ts'
import { v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3DnsAuctions, v3DnsRecords } from '../models/v3/nfts.ts'
import { FRIENDLY } from '../samples.ts'
import { reads } from './common.ts'

const read = reads('DNS')

/** The cursor after an auction that ends at 1735689600, in base64url. */
const AFTER = 'MDAwMDAwMDAwMDE3MzU2ODk2MDA6MDo4M0RGRDU1MkU2MzcyOUI0NzJGQ0JDQzhDNDVFQkNDNjY5MTcwMjU1OEI2OEVDNzUyN0UxQkE0MDNBMEYzMUE4'

/** End time and item of the last auction on the previous page. */
const after = (): Field<{ readonly end: string; readonly item: ParsedAddress }, string> =>
  field({
    what: 'Where the page begins, instead of `offset`.',
    example: AFTER,
    expected: 'the next_cursor that came with the page before',
    wire: { type: 'string', maxLength: 200 },
    read: (value) => {
      const bytes = typeof value === 'string' && value.length <= 200 ? decodeBase64Any(value) : undefined
      const [, end, address] = /^(\d{20}):(.{66,80})$/.exec(new TextDecoder().decode(bytes)) ?? []
      const item = address === undefined ? undefined : parseAddress(address)
      if (end === undefined || item === undefined || BigInt(end) >= 1n << 63n)
        throw new FieldError('invalid after cursor', { stage: 'validate' })
      return { end: String(BigInt(end)), item }
    },
  })

/** A domain name with its zone: `alice.ton`. */
const domain = (what: string): Field<string, string> =>
  field({
    what,
    example: 'alice.ton',
    expected: 'a name with its zone: alice.ton',
    wire: { type: 'string', minLength: 1, maxLength: 512 },
    read: readText((given) => given !== '' && given.length <= 512 && !given.includes('\0'), 'domain is not a name', 'validate'),
  })

export const dns = {
  'v3.dns.records': method({
    ...read,
    page: { rows: 'records', max: 1000 },
    summary: 'Names that lead to a wallet, or the records of a name.',
    examples: [
      { title: 'of a wallet', params: { wallet: FRIENDLY } },
      { title: 'of a name', params: { domain: 'alice.ton' } },
    ],
    params: z
      .object({
        wallet: v3Address('The wallet to which the names lead.').optional(),
        domain: domain('The name whose records are wanted.').optional(),
        ...paged(1000, 100),
        ...overrides,
      })
      .refine(...anyOf(['wallet', 'domain'], 'either wallet address or domain is required', ['wallet']))
      .refine(...notBoth('wallet', 'domain', 'provide either wallet address or domain, not both')),
    result: v3DnsRecords,
  }),
  'v3.dns.activeAuctions': method({
    ...read,
    page: { rows: 'auctions', max: 1000 },
    summary: 'Auctions of names in which an account holds the highest bid, the first to end first.',
    examples: [{ title: 'of a bidder', params: { bidder: FRIENDLY, state: 'bidding' } }],
    params: z
      .object({
        bidder: v3Address('The account that holds the highest bid.', 'bidder address is required'),
        state: oneOf(
          'Which auctions: those that still run (bidding), those that ended with this bidder as the winner (won), or both (all).',
          ['all', 'won', 'bidding'],
          undefined,
          { expected: 'all, won or bidding', example: 'bidding' },
        ).default('all'),
        include_nft_items: v3Bool('Whether the NFT item of each name comes with its auction.').optional(),
        after: after().optional(),
        ...paged(1000, 100),
        ...overrides,
      })
      .refine((p) => p.after === undefined || p.offset === 0, rule('use either after or offset, not both', ['after'])),
    result: v3DnsAuctions,
  }),
}
