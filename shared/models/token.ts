import * as z from 'zod'
import { base64, decimal, friendly, hex64 } from './wire.ts'

/** TEP-64 content: an URI, or the named texts of the on-chain dictionary. */
export const tokenContent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('offchain'), data: z.string() }),
    z.strictObject({ type: z.literal('onchain'), data: z.record(z.string(), z.string()) }),
  ])
  .meta({ id: 'TokenContent' })

const stdAddress = z.strictObject({ '@type': z.literal('addr_std'), workchain_id: z.int32(), address: hex64() }).meta({ id: 'StdAddress' })

const dnsRecord = z
  .discriminatedUnion('@type', [
    z.strictObject({ '@type': z.literal('dns_smc_address'), smc_addr: stdAddress }),
    z.strictObject({ '@type': z.literal('dns_next_resolver'), resolver: stdAddress }),
    z.strictObject({ '@type': z.literal('dns_adnl_address'), adnl_addr: hex64() }),
    z.strictObject({ '@type': z.literal('dns_storage_address'), bag_id: hex64() }),
  ])
  .meta({ id: 'DnsRecord' })

/** Records by name; names that are not known stand as upper-case hex. */
const dnsRecords = z
  .object({
    dns_next_resolver: dnsRecord.optional(),
    wallet: dnsRecord.optional(),
    site: dnsRecord.optional(),
    storage: dnsRecord.optional(),
  })
  .catchall(dnsRecord)
  .meta({ id: 'DnsRecords' })

/** Content of an NFT that is a domain. */
export const dnsContent = z.strictObject({ domain: z.string(), data: dnsRecords }).meta({ id: 'DnsContent' })

/** The address as it was asked: raw upper-case, or friendly with the same flags. */
const asAsked = () => z.string().regex(/^(?:-?\d+:[0-9A-F]{64}|[A-Za-z0-9_-]{48})$/)

export const tokenData = z
  .discriminatedUnion('@type', [
    z.strictObject({
      '@type': z.literal('ext.tokens.jettonMasterData'),
      address: asAsked(),
      contract_type: z.literal('jetton_master'),
      total_supply: decimal(),
      mintable: z.boolean(),
      admin_address: friendly().optional(),
      jetton_content: tokenContent,
      jetton_wallet_code: base64(),
    }),
    z.strictObject({
      '@type': z.literal('ext.tokens.jettonWalletData'),
      address: asAsked(),
      contract_type: z.literal('jetton_wallet'),
      balance: decimal(),
      owner: friendly(),
      jetton: friendly(),
      mintless_is_claimed: z.boolean().optional(),
      jetton_wallet_code: base64(),
    }),
    z.strictObject({
      '@type': z.literal('ext.tokens.nftCollectionData'),
      address: asAsked(),
      contract_type: z.literal('nft_collection'),
      next_item_index: decimal(),
      owner_address: friendly().optional(),
      collection_content: tokenContent,
    }),
    z.strictObject({
      '@type': z.literal('ext.tokens.nftItemData'),
      address: asAsked(),
      contract_type: z.literal('nft_item'),
      init: z.boolean(),
      index: decimal(),
      collection_address: friendly().optional(),
      owner_address: friendly().optional(),
      content: z.union([tokenContent, dnsContent]),
    }),
  ])
  .meta({ id: 'TokenData' })
