import * as z from 'zod'
import { address } from '../fields/address.ts'
import { neededAddresses } from '../fields/v3/addresses-and-hashes.ts'
import { MORE } from '../fields/v3/list.ts'
import { method } from '../method.ts'
import { flag, int, many, model, rawUpper, text } from '../models/value-formats.ts'
import { RAW } from '../samples.ts'

/** Maximum number of holders that are counted. Counting millions of holders would take seconds. */
export const MAX_HOLDERS = 1000

const read = { effect: 'read', needs: 'index', rest: 'none', weight: 1, cache: 'never' } as const

export const tokens = {
  'token.holders': method({
    ...read,
    heading: 'Jettons',
    summary: `How many wallets of a jetton have a balance, counted up to ${MAX_HOLDERS}.`,
    examples: [{ title: 'of no jetton', params: { address: RAW } }],
    params: z.object({ address: address('The jetton master.') }),
    result: model('JettonHolders', {
      holders: int(`Wallets with a balance, ${MAX_HOLDERS} at most.`, 42),
      more: flag('Whether there are more of them than were counted.'),
    }),
  }),
  'token.domains': method({
    ...read,
    heading: 'NFTs',
    summary:
      'Which NFTs are names, and of what. Any NFT can call itself alice.ton; these are items of the collections of names, and resolve themselves.',
    examples: [{ title: 'of no NFT', params: { address: [RAW] } }],
    params: z.object({ address: neededAddresses('The NFTs that may be names.', 'at least 1 address required', MORE) }),
    result: model('TokenDomains', {
      domains: many(
        'The names among them, in no order.',
        model('TokenDomain', { address: rawUpper('The NFT.'), domain: text('Its name, with its zone.', 'alice.ton') }),
      ),
    }),
  }),
}
