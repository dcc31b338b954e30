import * as z from 'zod'
import { FRIENDLY } from '../samples.ts'
import { base64, decimal, flag, friendly, hex64, int32, jettonUnits, model, text, tlModel, tlObject } from './value-formats.ts'

const tokenTexts = z.record(z.string(), z.string()).meta({
  id: 'TokenTexts',
  description: 'Texts by their names: name, symbol, description, image, decimals, uri.',
  examples: [{ name: 'Acorn' }],
})

/** TEP-64 content: a URI, or the named texts of the on-chain dictionary. */
const tokenContent = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('offchain').describe('The content is stored off the chain.'),
      data: text('URL of the JSON document with the content.', 'https://example.com/acorn.json'),
    }),
    z.strictObject({
      type: z.literal('onchain').describe('The content is stored in the contract.'),
      data: tokenTexts,
    }),
  ])
  .meta({ id: 'TokenContent' })

const stdAddress = tlModel('StdAddress', 'addr_std', {
  workchain_id: int32('The workchain of the account.', 0),
  address: hex64('The id of the account.'),
})

const dnsRecord = z
  .discriminatedUnion('@type', [
    tlObject('dns_smc_address', { smc_addr: stdAddress.describe('The account that the name stands for.') }),
    tlObject('dns_next_resolver', { resolver: stdAddress.describe('The contract that resolves the rest of the name.') }),
    tlObject('dns_adnl_address', { adnl_addr: hex64('The ADNL address of the site.') }),
    tlObject('dns_storage_address', { bag_id: hex64('Id of the bag in TON Storage.') }),
  ])
  .meta({ id: 'DnsRecord' })

/** Records by name. An unknown name is replaced with its hash in upper-case hex. */
const dnsRecords = z
  .object({
    dns_next_resolver: dnsRecord.describe('The contract that resolves names below this one.').optional(),
    wallet: dnsRecord.describe('The wallet that the name stands for.').optional(),
    site: dnsRecord.describe('The TON Site of the name.').optional(),
    storage: dnsRecord.describe('The bag of TON Storage of the name.').optional(),
  })
  .catchall(dnsRecord)
  .meta({ id: 'DnsRecords' })

const dnsContent = model('DnsContent', { domain: text('The name.', 'alice.ton'), data: dnsRecords.describe('The records of the name.') })

/** An address in the form of the request: raw upper-case, or friendly with the same flags. */
const asRequested = text('The address as it was asked: raw, or friendly with the same flags.', FRIENDLY).regex(
  /^(?:-?\d+:[0-9A-F]{64}|[A-Za-z0-9_-]{48})$/,
)

const contractType = <const T extends string>(type: T) => z.literal(type).describe('What the contract is.')

export const tokenData = z
  .discriminatedUnion('@type', [
    tlObject('ext.tokens.jettonMasterData', {
      address: asRequested,
      contract_type: contractType('jetton_master'),
      total_supply: jettonUnits('How much of the jetton there is.'),
      mintable: flag('Whether more may be minted.'),
      admin_address: friendly('The account that may mint and change the jetton; left out if there is none.').optional(),
      jetton_content: tokenContent.describe('Name, symbol and the rest of the content (TEP-64).'),
      jetton_wallet_code: base64('Code of the jetton wallets, as a BoC.'),
    }),
    tlObject('ext.tokens.jettonWalletData', {
      address: asRequested,
      contract_type: contractType('jetton_wallet'),
      balance: jettonUnits('How much the wallet holds.'),
      owner: friendly('The account that the jettons belong to.'),
      jetton: friendly('The jetton master.'),
      mintless_is_claimed: flag('Of a mintless jetton: whether the allocation was claimed.').optional(),
      jetton_wallet_code: base64('Code of the jetton wallets, as a BoC.'),
    }),
    tlObject('ext.tokens.nftCollectionData', {
      address: asRequested,
      contract_type: contractType('nft_collection'),
      next_item_index: decimal('Number of the next item; -1 where items are not numbered one after another.', '7'),
      owner_address: friendly('The account that may mint items; left out if there is none.').optional(),
      collection_content: tokenContent.describe('Name, description and the rest of the content (TEP-64).'),
    }),
    tlObject('ext.tokens.nftItemData', {
      address: asRequested,
      contract_type: contractType('nft_item'),
      init: flag('Whether the item is initialized: it has an owner.'),
      index: decimal('Number of the item in its collection.', '7'),
      collection_address: friendly('The collection; left out if it has none.').optional(),
      owner_address: friendly('The account that the item belongs to; left out if there is none.').optional(),
      content: z.union([tokenContent, dnsContent]).describe('Content of the item (TEP-64); of a domain its name and records.'),
    }),
  ])
  .meta({ id: 'TokenData' })
