import { Address, comment, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences, unknownParameters, untold } from '../../v3/openapi.ts'
import { type Assets, account, jettonBurn, jettonTransfer, nftTransfer, raw, startAssets } from './kit.ts'

/* Answers about tokens held against TON Center's own document (v3.openapi.yaml). */

const NULLS = 'null where there is none: the running service has it, the document knows no null (v3.md 1.6, 4)'
const nulls = (model: string, ...names: readonly string[]) => Object.fromEntries(names.map((name) => [`${model}.${name} null`, NULLS]))

/** Where answers differ from the document on purpose, with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  ...nulls('AddressBookRow', 'domain', 'interfaces'),
  ...nulls('DNSRecord', 'dns_next_resolver', 'dns_site_adnl', 'dns_storage_bag_id', 'dns_wallet'),
  ...nulls('JettonBurn', 'custom_payload', 'decoded_custom_payload'),
  ...nulls('JettonTransfer', 'custom_payload', 'decoded_custom_payload', 'decoded_forward_payload', 'forward_payload'),
  ...nulls('NFTTransfer', 'custom_payload', 'decoded_custom_payload', 'decoded_forward_payload', 'forward_payload', 'response_destination'),
}
const NOT_HERE = 'nothing in this history has it'
/** Members that no answer of this test tells, with the reason. */
const UNTOLD: Readonly<Record<string, string>> = {
  'AccountStateFull.frozen_hash': NOT_HERE,
  'JettonWallet.mintless_info': 'claims are proven by a tree that is kept off the chain',
  'NFTItem.auction_contract_address': NOT_HERE,
  'NFTItem.sale_contract_address': NOT_HERE,
}

const [ALICE, BOB] = [account(0xa1), account(0xa3)]

describe('tokens by v3.openapi.yaml', () => {
  let assets: Assets
  const answers: Record<string, unknown> = {}

  beforeAll(async () => {
    assets = await startAssets()
    const jetton = await assets.call('local.deployJetton', {
      name: 'Acorn',
      symbol: 'ACRN',
      description: 'Of an oak.',
      image: 'https://example.org/a.png',
    })
    const minted = await assets.call('local.mintJetton', { jetton: jetton.address, owner: raw(ALICE), amount: '1000' })
    const wallet = Address.parse(minted.address)
    const collection = await assets.call('local.deployCollection', { name: 'Leaves', owner: raw(ALICE) })
    const nft = await assets.call('local.mintNft', { collection: collection.address, owner: raw(ALICE), name: 'One' })
    const zone = await assets.call('local.deployCollection', { kind: 'dns', owner: raw(ALICE) })
    await assets.call('local.mintNft', { collection: zone.address, owner: raw(ALICE), domain: 'alice' })
    await assets.tell(ALICE, wallet, jettonTransfer(10n, BOB, ALICE, toNano('0.01'), comment('rent')))
    await assets.tell(ALICE, wallet, jettonTransfer(10n, BOB, ALICE))
    await assets.tell(ALICE, wallet, jettonBurn(5n, ALICE))
    await assets.tell(ALICE, Address.parse(nft.address), nftTransfer(BOB, ALICE))
    await assets.tell(BOB, Address.parse(nft.address), nftTransfer(ALICE, null))
    const everything = [jetton.address, minted.address, collection.address, nft.address, raw(ALICE)]
    const queries: Record<string, string> = {
      'jetton/masters': '',
      'jetton/wallets': `owner_address=${raw(ALICE)},${raw(BOB)}`,
      'jetton/transfers': `owner_address=${raw(ALICE)}`,
      'jetton/burns': '',
      'nft/collections': '',
      'nft/items': `owner_address=${raw(ALICE)}`,
      'nft/transfers': '',
      'dns/records': 'domain=alice.ton',
      metadata: everything.map((address) => `address=${address}`).join('&'),
      addressBook: everything.map((address) => `address=${address}`).join('&'),
      accountStates: `address=${minted.address}`,
    }
    for (const [path, query] of Object.entries(queries)) {
      const response = await assets.get(`${path}?${query}`)
      expect(response.status, path).toBe(200)
      answers[path] = response.body
    }
  })
  afterAll(() => assets?.close())

  it('answers about tokens differ from v3.openapi.yaml only where it is listed: members, types, nulls', () =>
    expect(differences(answers)).toEqual(Object.keys(DIFFERENT).sort()))

  it('every member of every model is in some answer, except for the listed ones', () =>
    expect(untold(answers)).toEqual(Object.keys(UNTOLD).sort()))

  it('the parameters of every operation here are those of the document', () => {
    for (const path of Object.keys(answers)) expect(unknownParameters(path), path).toEqual([])
  })

  it('every list of tokens has some rows', () => {
    for (const [path, answer] of Object.entries(answers)) {
      const lists = Object.values(answer as Record<string, unknown>).filter(Array.isArray)
      for (const list of lists) expect(list.length, path).toBeGreaterThan(0)
    }
  })
})
