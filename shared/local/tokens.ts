import * as z from 'zod'
import { address } from '../fields/address.ts'
import { rule } from '../fields/field.ts'
import { coins, int32, uint256 } from '../fields/ints.ts'
import { domainPart, text } from '../fields/text.ts'
import { method } from '../method.ts'
import { blockIdExt } from '../models/block.ts'
import { decimal, friendly } from '../models/wire.ts'

const control = { effect: 'write', needs: 'local', rest: 'none', weight: 1, cache: 'never' } as const
const onToken = { ...control, errors: ['FORBIDDEN', 'NOT_FOUND'] } as const

/** What TEP-64 content may say; a `uri` alone is off-chain content, with others it is semi-chain, none is on-chain. */
const content = {
  name: text(1000).optional(),
  description: text(10_000).optional(),
  image: text(2000).optional(),
  uri: text(2000).optional(),
}
const says = rule('at least one of name, symbol, description, image, uri should be specified')

/** The block that holds it, and where it lives. */
const deployed = z.strictObject({ block: blockIdExt, address: friendly() }).meta({ id: 'Deployed' })

/** Jettons and NFTs for tests and demos, from contracts of our own to TEP-62, 64, 66, 74, 81, 85 and 89. */
export const localTokens = {
  'local.deployJetton': method({
    ...control,
    errors: ['FORBIDDEN'],
    summary: 'Deploys a jetton master (TEP-74, TEP-89, TEP-64) that its admin may mint. The admin is the first funded wallet unless said.',
    params: z
      .object({
        ...content,
        symbol: text(100).optional(),
        decimals: int32({
          min: [0n, (name) => `${name} should be non-negative`],
          max: [255n, (name) => `${name} should be less or equal 255`],
        }).default(9),
        admin: address().optional(),
      })
      .refine((p) => [p.name, p.symbol, p.description, p.image, p.uri].some((given) => given !== undefined), says),
    result: deployed,
  }),
  'local.mintJetton': method({
    ...onToken,
    summary: "Mints units of a jetton of local.deployJetton to an owner, in the admin's name; tells the owner's jetton wallet.",
    params: z.object({ jetton: address(), owner: address(), amount: coins() }),
    result: deployed,
  }),
  'local.deployCollection': method({
    ...control,
    errors: ['FORBIDDEN'],
    summary:
      'Deploys a collection: of NFTs (TEP-62, TEP-66), of SBTs (TEP-85), or of domains (TEP-81), whose root then stands in config parameter 4.',
    params: z
      .object({
        kind: z.enum(['nft', 'sbt', 'dns']).default('nft'),
        ...content,
        owner: address().optional(),
        royalty: z
          .strictObject({
            numerator: z.int().min(0).max(65_535),
            denominator: z.int().min(1).max(65_535),
            destination: address().optional(),
          })
          .optional(),
        domain: domainPart().optional(),
      })
      .refine((p) => p.domain === undefined || p.kind === 'dns', rule('domain is for the kind dns only')),
    result: deployed,
  }),
  'local.mintNft': method({
    ...onToken,
    summary: "Mints an item of a collection of local.deployCollection, in its owner's name. Domains take `domain`; SBTs an `authority`.",
    params: z.object({
      collection: address(),
      owner: address(),
      index: uint256().optional(),
      ...content,
      authority: address().optional(),
      domain: domainPart().optional(),
    }),
    result: z.strictObject({ block: blockIdExt, address: friendly(), index: decimal() }).meta({ id: 'MintedItem' }),
  }),
}
