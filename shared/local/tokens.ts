import * as z from 'zod'
import { address } from '../fields/address.ts'
import { bool } from '../fields/bool.ts'
import { anyOf, rule } from '../fields/field.ts'
import { int32, jettonUnits, uint256, upToOrZero } from '../fields/ints.ts'
import { domainPart, text } from '../fields/text.ts'
import { method } from '../method.ts'
import { blockIdExt } from '../models/block.ts'
import { decimal, friendly, jettonUnits as jettonUnitsText, model, words } from '../models/value-formats.ts'
import { FRIENDLY, RAW } from '../samples.ts'
import { control, received } from './chain.ts'

const onToken = { ...control, errors: ['FORBIDDEN', 'NOT_FOUND'] } as const

/** TEP-64 content: off-chain for only a `uri`, semi-chain for a `uri` with other attributes, on-chain without a `uri`. */
const content = {
  name: text('What people call the token.', 1000, 'Acorn').optional(),
  description: text('What the token is, in a few sentences.', 10_000, 'The fruit of an oak.').optional(),
  image: text('URL of a picture of the token.', 2000, 'https://example.com/acorn.png').optional(),
  uri: text('URL of a JSON document with the rest of the content (TEP-64).', 2000, 'https://example.com/acorn.json').optional(),
}
const SAYS = ['name', 'symbol', 'description', 'image', 'uri'] as const

const part = (description: string, least: number, example: number) =>
  z
    .int()
    .min(least)
    .max(65_535)
    .meta({ description, examples: [example] })

const deployed = model('Deployed', {
  ...received,
  address: friendly('The contract: the master, the collection, or the jetton wallet that was minted to.'),
})

/** Methods that create jettons and NFTs for tests and demos. The contracts are written for tonway and follow TEP-62, 64, 66, 74, 81, 85 and 89. */
export const localTokens = {
  'local.deployJetton': method({
    ...control,
    summary: 'Deploys a jetton master (TEP-74, TEP-89, TEP-64) that its admin may mint. The admin is the first funded wallet unless said.',
    examples: [
      { title: 'with its content on the chain', params: { name: 'Acorn', symbol: 'ACRN', decimals: 6, description: 'Of an oak.' } },
      { title: 'with its content elsewhere', params: { uri: 'https://example.com/acorn.json' } },
    ],
    params: z
      .object({
        ...content,
        symbol: text('The short name of the jetton.', 100, 'ACRN').optional(),
        decimals: int32(
          'How many digits after the point people are shown: one jetton is 10 to the power of this in smallest units.',
          upToOrZero(255n),
          9,
        ).default(9),
        admin: address('The account that may mint and change the jetton; by default the first funded wallet.').optional(),
      })
      .refine(...anyOf(SAYS, `at least one of ${SAYS.join(', ')} should be specified`)),
    result: deployed,
  }),
  'local.mintJetton': method({
    ...onToken,
    summary: "Mints units of a jetton of local.deployJetton to an owner, in the admin's name; returns the owner's jetton wallet.",
    examples: [{ title: 'where no jetton is', params: { jetton: FRIENDLY, owner: RAW, amount: '1000' }, fails: 'NOT_FOUND' }],
    params: z.object({
      jetton: address('The jetton master, as `local.deployJetton` answered it.'),
      owner: address('The account that receives the jettons; its jetton wallet is deployed if there is none.'),
      amount: jettonUnits('How much it receives.'),
    }),
    result: deployed,
  }),
  'local.setJettonBalance': method({
    ...onToken,
    deadline: 30_000,
    summary:
      'Sets how much of any jetton an owner has, without a message. A jetton wallet that is not deployed begins to be. It is done only if get_wallet_data then answers the new balance, and owner, master and code as before.',
    examples: [{ title: 'where no jetton is', params: { jetton: FRIENDLY, owner: RAW, balance: '1000' }, fails: 'NOT_FOUND' }],
    params: z.object({
      jetton: address('The jetton master, of any contract that follows TEP-74 and TEP-89.'),
      owner: address('The account whose jetton wallet is changed.'),
      balance: jettonUnits('How much it has then.'),
      supply: bool('Whether the total supply of the jetton changes by as much; by default it stays.').default(false),
    }),
    result: model('JettonBalance', {
      block: blockIdExt.describe('The masterchain block that holds it.'),
      address: friendly('The jetton wallet.'),
      was: jettonUnitsText('How much it had before.'),
    }),
  }),
  'local.deployCollection': method({
    ...control,
    summary:
      'Deploys a collection: of NFTs (TEP-62, TEP-66), of SBTs (TEP-85), or of domains (TEP-81), whose root then stands in config parameter 4.',
    examples: [
      { title: 'of NFTs', params: { name: 'Leaves', royalty: { numerator: 5, denominator: 100 } } },
      { title: 'of SBTs', params: { kind: 'sbt', name: 'Diplomas' } },
    ],
    params: z
      .object({
        kind: words('What its items are: NFTs, soul-bound tokens, or domain names.', ['nft', 'sbt', 'dns']).default('nft'),
        ...content,
        owner: address('The account that may mint items; by default the first funded wallet.').optional(),
        royalty: z
          .strictObject({
            numerator: part('The share is this, divided by `denominator`.', 0, 5),
            denominator: part('What `numerator` is divided by.', 1, 100),
            destination: address('The account that receives the share; by default the owner of the collection.').optional(),
          })
          .meta({
            description: 'The share of every sale that the author asks for (TEP-66); by default none.',
            examples: [{ numerator: 5, denominator: 100 }],
          })
          .optional(),
        domain: domainPart('The zone under which the names of a `dns` collection stand; by default `ton`.').optional(),
      })
      .refine((p) => p.domain === undefined || p.kind === 'dns', rule('domain is for the kind dns only')),
    result: deployed,
  }),
  'local.mintNft': method({
    ...onToken,
    summary: "Mints an item of a collection of local.deployCollection, in its owner's name. Domains take `domain`; SBTs an `authority`.",
    examples: [{ title: 'where no collection is', params: { collection: FRIENDLY, owner: RAW, name: 'Leaf 1' }, fails: 'NOT_FOUND' }],
    params: z.object({
      collection: address('The collection, as `local.deployCollection` answered it.'),
      owner: address('The account that the item belongs to.'),
      index: uint256('The number that the item must get, as a check; items are numbered one after another.').optional(),
      ...content,
      authority: address('The account that may revoke a soul-bound token; by default nobody.').optional(),
      domain: domainPart('The name that a domain item stands for, without its zone.').optional(),
    }),
    result: model('MintedItem', {
      ...received,
      address: friendly('The item.'),
      index: decimal('Its number in the collection.', '7'),
    }),
  }),
}
