import { Address, beginCell, Cell, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differencesOfRows } from '../../v3/openapi.ts'
import { type Assets, account, mainnetCode, nftTransfer, raw, speaking, startAssets } from './kit.ts'
import { auction, auctionV4, fixedPrice, fixedPriceV4, type Terms } from './sales.ts'

/* A collection of local.deployCollection and its items: minted, given away, sold and bid for by the contracts that sell on mainnet. */

const [ALICE, BOB, SHOP] = [account(0xa1), account(0xa2), account(0xa3)]
/** Where an answer about sales differs from the document 1.2.6, which knows no null. */
const SALE_NULLS = ['AddressBookRow.domain null', 'AddressBookRow.interfaces null']
const HUGE = 2n ** 200n + 7n

describe('NFTs', () => {
  let assets: Assets
  let collection: Address
  let items: Address[]

  beforeAll(async () => {
    assets = await startAssets()
    const made = await assets.call('local.deployCollection', {
      name: 'Leaves',
      description: 'Of an oak.',
      owner: raw(ALICE),
      royalty: { numerator: 1, denominator: 100 },
    })
    collection = Address.parse(made.address)
    items = []
    for (const index of ['0', '1', '2']) {
      const { address } = await assets.call('local.mintNft', {
        collection: raw(collection),
        owner: raw(ALICE),
        index,
        name: `Leaf ${index}`,
      })
      items.push(Address.parse(address))
    }
    await assets.settle()
  })
  afterAll(() => assets?.close())

  const ofOwner = async (owner: Address, include_on_sale = false) =>
    (await assets.call('v3.nft.items', { owner_address: [raw(owner)], include_on_sale })).nft_items
  const itemAt = async (address: Address) => (await assets.call('v3.nft.items', { address: [raw(address)] })).nft_items[0]!

  it('an NFT collection and its items are listed', async () => {
    const { nft_collections, metadata, address_book } = await assets.call('v3.nft.collections', { owner_address: [raw(ALICE)] })
    expect(nft_collections).toMatchObject([
      { address: raw(collection), owner_address: raw(ALICE), collection_content: { name: 'Leaves', description: 'Of an oak.' } },
    ])
    expect(metadata[raw(collection)]).toEqual({
      is_indexed: true,
      token_info: [{ valid: true, type: 'nft_collections', name: 'Leaves', description: 'Of an oak.', is_scam: false, is_nsfw: false }],
    })
    expect(address_book[raw(collection)]?.interfaces).toContain('nft_collection')
    const found = await ofOwner(ALICE)
    expect(found.map(({ index }) => index)).toEqual(['0', '1', '2'])
    expect(found[2]).toMatchObject({
      address: raw(items[2]!),
      init: true,
      collection_address: raw(collection),
      owner_address: raw(ALICE),
      real_owner: raw(ALICE),
      content: { name: 'Leaf 2' },
      on_sale: false,
      collection: { address: raw(collection) },
    })
    const byIndex = await assets.call('v3.nft.items', { collection_address: [raw(collection)], index: ['2', '1'] })
    expect(byIndex.nft_items.map(({ index }) => index)).toEqual(['1', '2'])
    for (const query of [`index=12a&collection_address=${raw(collection)}`, 'index=1']) {
      expect((await assets.get(`nft/items?${query}`)).status).toBe(422)
    }
  })

  it('pages of NFTs by offset and by cursor are the same, in both directions', async () => {
    for (const sort of ['asc', 'desc'] as const) {
      const all = (await assets.call('v3.nft.items', { collection_address: [raw(collection)], sort })).nft_items.map(
        ({ address }) => address,
      )
      const walked: string[] = []
      for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
        const page: { nft_items: readonly { address: string }[]; next_cursor?: string | null | undefined } = await assets.call(
          'v3.nft.items',
          {
            collection_address: [raw(collection)],
            sort,
            limit: 1,
            cursor,
          },
        )
        walked.push(...page.nft_items.map(({ address }) => address))
        cursor = page.next_cursor
      }
      expect(walked).toEqual(all)
      const second = await assets.call('v3.nft.items', { collection_address: [raw(collection)], sort, limit: 1, offset: 1 })
      expect(second.nft_items[0]!.address).toBe(all[1])
    }
  })

  it('transfers of NFTs are listed, refused ones too', async () => {
    const gift = beginCell().storeUint(0, 32).storeStringTail('a gift').endCell()
    await assets.tell(ALICE, items[0]!, nftTransfer(BOB, ALICE, 0n, gift))
    // Not hers any more.
    await assets.tell(ALICE, items[0]!, nftTransfer(ALICE, ALICE))
    const { nft_transfers } = await assets.call('v3.nft.transfers', { item_address: [raw(items[0]!)], sort: 'asc' })
    expect(nft_transfers).toMatchObject([
      {
        ...{ query_id: '9', old_owner: raw(ALICE), new_owner: raw(BOB), nft_collection: raw(collection), transaction_aborted: false },
        decoded_custom_payload: null,
        decoded_forward_payload: { type: 'text_comment', '@type': 'text_comment', comment: 'a gift' },
      },
      { old_owner: raw(BOB), new_owner: raw(ALICE), transaction_aborted: true },
    ])
    expect(await itemAt(items[0]!)).toMatchObject({ owner_address: raw(BOB), real_owner: raw(BOB) })
    const sides = async (direction: 'in' | 'out' | 'both') =>
      (await assets.call('v3.nft.transfers', { owner_address: [raw(BOB)], direction })).nft_transfers.length
    expect([await sides('in'), await sides('out'), await sides('both')]).toEqual([1, 1, 2])
  })

  it('indexes beyond 64 bits work, and an item that its collection denies is not listed', async () => {
    const [zoo, tiger, fake] = [account(0xd1), account(0xd2), account(0xd3)]
    const slice = (address: Address) => ({ slice: beginCell().storeAddress(address).endCell() })
    const content = { cell: beginCell().storeUint(1, 8).storeStringTail('https://example.org/zoo.json').endCell() }
    const animal = [-1n, HUGE, slice(zoo), slice(ALICE), content] as const
    await assets.put(
      zoo,
      speaking({
        get_collection_data: [-1n, content, slice(ALICE)],
        get_nft_address_by_index: [slice(tiger)],
        get_nft_content: [content],
      }),
    )
    await assets.put(tiger, speaking({ get_nft_data: animal }))
    await assets.put(fake, speaking({ get_nft_data: animal }))
    const { nft_items } = await assets.call('v3.nft.items', { collection_address: [raw(zoo)], index: [HUGE.toString()] })
    expect(nft_items).toMatchObject([{ address: raw(tiger), index: HUGE.toString(), content: { uri: 'https://example.org/zoo.json' } }])
    expect(await itemAt(fake)).toBeUndefined()
    expect((await assets.call('v3.nft.collections', { collection_address: [raw(zoo)] })).nft_collections[0]!.next_item_index).toBe('-1')
  })

  it('a telemint name that sells itself is on sale', async () => {
    const name = account(0xd5)
    const slice = (address: Address | null) => ({ slice: beginCell().storeAddress(address).endCell() })
    const item = [-1n, 77n, slice(null), slice(ALICE), { cell: Cell.EMPTY }] as const
    const settings = [slice(ALICE), 10_000_000_000n, 0n, 5n, 3600n, 604_800n] as const
    const methods = {
      get_nft_data: item,
      get_telemint_token_name: [{ slice: beginCell().storeStringTail('oak').endCell() }],
      get_telemint_auction_config: settings,
      royalty_params: [5n, 100n, slice(SHOP)],
    }
    await assets.put(
      name,
      speaking({ ...methods, get_telemint_auction_state: [slice(BOB), 12_000_000_000n, 1_700_000_000n, 12_600_000_000n, 1_700_600_000n] }),
    )
    const sale = async () => (await assets.call('v3.nft.sales', { address: [raw(name)] })).nft_sales[0]
    expect(await sale()).toMatchObject({
      type: 'telemint',
      address: raw(name),
      nft_address: raw(name),
      details: {
        token_name: 'oak',
        bidder_address: raw(BOB),
        bid: '12000000000',
        bid_ts: '1700000000',
        min_bid: '12600000000',
        end_time: 1_700_600_000,
        beneficiary_address: raw(ALICE),
        initial_min_bid: '10000000000',
        min_bid_step: '5',
        duration: '604800',
        royalty_numerator: 5,
        royalty_destination: raw(SHOP),
      },
      nft_item: { address: raw(name), index: '77', owner_address: raw(ALICE) },
    })
    // Nothing is sold: the method throws, as the contract does.
    await assets.put(name, speaking({ ...methods, get_telemint_auction_state: [{ code: 'f20b' }] }))
    expect(Object.keys((await sale())!.details)).not.toContain('bid')
  })

  describe('sales with the codes of mainnet', () => {
    const terms = (item: Address, seller: Address | null = null): Terms => ({ marketplace: SHOP, item, seller, royalty: ALICE })
    const salesFormed = async (sale: Address) =>
      differencesOfRows({ 'nft/sales': await assets.call('v3.nft.sales', { address: [raw(sale)] }) })
    const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex').slice(0, 12)

    it.each([
      ['v2', '8278f4c5233d', (item: Address) => fixedPrice(terms(item), 2), 'nft_sale_getgems_v2'],
      ['v3', '24221fa571e5', (item: Address) => fixedPrice(terms(item), 3), 'nft_sale_getgems_v3'],
      ['v4', '6b95a6418b9c', (item: Address) => fixedPriceV4(terms(item)), 'nft_sale_getgems_v4'],
    ])('while a fixed price sale %s runs, the seller is the real owner', async (version, hash, data, name) => {
      const item = items[1]!
      const sale = account(0xb0 + Number(version[1]))
      await assets.put(sale, mainnetCode(hash), data(item))
      await assets.tell(ALICE, item, nftTransfer(sale, ALICE, toNano('0.1')))
      expect(await itemAt(item)).toMatchObject({
        owner_address: raw(sale),
        real_owner: raw(ALICE),
        on_sale: true,
        sale_contract_address: raw(sale),
      })
      expect((await ofOwner(ALICE, true)).map(({ address }) => address)).toContain(raw(item))
      expect((await ofOwner(ALICE)).map(({ address }) => address)).not.toContain(raw(item))
      const { nft_sales, address_book } = await assets.call('v3.nft.sales', { address: [raw(sale), raw(ALICE)] })
      expect(nft_sales).toMatchObject([
        {
          type: 'getgems_sale',
          address: raw(sale),
          nft_address: raw(item),
          nft_owner_address: raw(ALICE),
          marketplace_address: raw(SHOP),
          created_at: 1_700_000_000,
          details: {
            is_complete: false,
            full_price: '2000000000',
            marketplace_fee_address: raw(SHOP),
            marketplace_fee: '100000000',
            royalty_address: raw(ALICE),
            royalty_amount: '50000000',
          },
          nft_item: { address: raw(item) },
        },
      ])
      expect(hexOf(nft_sales[0]!.code_hash!)).toBe(hash)
      expect(await salesFormed(sale)).toEqual(SALE_NULLS)
      expect(address_book[raw(sale)]?.interfaces).toEqual([name])
      // The seller takes it back: op 3 of all versions.
      await assets.tell(ALICE, sale, beginCell().storeUint(3, 32).storeUint(1, 64).endCell())
      expect(await itemAt(item)).toMatchObject({ owner_address: raw(ALICE), real_owner: raw(ALICE), on_sale: false })
      expect((await assets.call('v3.nft.sales', { address: [raw(sale)] })).nft_sales[0]).toMatchObject({ details: { is_complete: true } })
    })

    it.each([
      ['v2', '6668872fa797', auction, 'nft_auction_getgems_v3'],
      ['v3', '1bd9c5a39bff', auction, 'nft_auction_getgems_v3'],
      ['v4', 'ce5a78534eaa', auctionV4, 'nft_auction_getgems_v4'],
    ] as const)('a bid in an auction %s is listed', async (version, hash, data, name) => {
      const item = items[2]!
      const sale = account(0xc0 + Number(version[1]))
      const { utime } = await assets.call('local.increaseTime', { seconds: 1 })
      await assets.put(sale, mainnetCode(hash), data(terms(item, ALICE), utime + 100_000))
      await assets.tell(ALICE, item, nftTransfer(sale, ALICE, toNano('0.1')))
      expect(await itemAt(item)).toMatchObject({
        owner_address: raw(sale),
        real_owner: raw(ALICE),
        on_sale: true,
        auction_contract_address: raw(sale),
      })
      await assets.tell(BOB, sale, Cell.EMPTY, '3')
      const { nft_sales, address_book } = await assets.call('v3.nft.sales', { address: [raw(sale)] })
      expect(nft_sales).toMatchObject([
        {
          type: 'getgems_auction',
          nft_address: raw(item),
          nft_owner_address: raw(ALICE),
          details: { end_flag: false, last_member: raw(BOB), max_bid: '50000000000', is_canceled: false },
        },
      ])
      expect(BigInt((nft_sales[0] as { details: { last_bid: string } }).details.last_bid)).toBeGreaterThan(2_900_000_000n)
      expect(await salesFormed(sale)).toEqual(SALE_NULLS)
      expect(address_book[raw(sale)]?.interfaces).toEqual([name])
      // For the next: the item goes back to its seller by its owner's order.
      await assets.tell(sale, item, nftTransfer(ALICE, null))
      expect(await itemAt(item)).toMatchObject({ owner_address: raw(ALICE), on_sale: false })
    })
  })
})
