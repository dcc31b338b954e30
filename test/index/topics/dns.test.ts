import { createHash } from 'node:crypto'
import { Address, beginCell, type Cell, Dictionary } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differencesOfRows } from '../../v3/openapi.ts'
import { type Assets, account, raw, speaking, startAssets } from './kit.ts'

/* Names: of the zone that the configuration's root hands out, and items of mainnet's .ton and .t.me collections. */

const [ALICE, BOB] = [account(0xa1), account(0xa3)]
const TON = new Address(0, Buffer.from('b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf', 'hex'))
const TELEGRAM = new Address(0, Buffer.from('80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2', 'hex'))
const category = (name: string): bigint => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
const slice = (address: Address | null) => ({ slice: beginCell().storeAddress(address).endCell() })
const named = (name: string) => ({ slice: beginCell().storeStringTail(name).endCell() })

/** Root of Hashmap 256 ^DNSRecord. */
const records = (entries: Readonly<Record<string, Cell>>): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
  for (const [name, record] of Object.entries(entries)) dict.set(category(name), record)
  return beginCell().storeDictDirect(dict).endCell()
}
const walletRecord = (to: Address): Cell => beginCell().storeUint(0x9fd3, 16).storeAddress(to).storeUint(0, 8).endCell()

describe('names', () => {
  let assets: Assets
  beforeAll(async () => {
    assets = await startAssets()
  })
  afterAll(() => assets?.close())
  const ofDomain = async (domain: string) => (await assets.call('v3.dns.records', { domain })).records
  const domainOf = async (address: Address) => (await assets.call('v3.addressBook', { address: [raw(address)] }))[raw(address)]?.domain

  it('names of the chain’s own zone have records and are in the address book', async () => {
    const zone = await assets.call('local.deployCollection', { kind: 'dns', owner: raw(ALICE) })
    const { address } = await assets.call('local.mintNft', { collection: zone.address, owner: raw(ALICE), domain: 'alice' })
    await assets.settle()
    const item = Address.parse(address)
    expect(await ofDomain('alice.ton')).toMatchObject([
      { nft_item_address: raw(item), nft_item_owner: raw(ALICE), domain: 'alice.ton', dns_wallet: null, dns_site_adnl: null },
    ])
    // change_dns_record#4eb1f0f9 query_id:uint64 key:uint256 value:^Cell
    const change = beginCell()
      .storeUint(0x4eb1f0f9, 32)
      .storeUint(0, 64)
      .storeUint(category('wallet'), 256)
      .storeRef(walletRecord(ALICE))
      .endCell()
    await assets.tell(ALICE, item, change)
    expect(await ofDomain('alice.ton')).toMatchObject([{ dns_wallet: raw(ALICE) }])
    expect((await assets.call('v3.dns.records', { wallet: raw(ALICE) })).records.map(({ domain }) => domain)).toEqual(['alice.ton'])
    // An account has a name once it is known; the name is its own.
    await assets.call('local.fund', { address: raw(ALICE), amount: '1' })
    await assets.settle()
    expect(await domainOf(ALICE)).toBe('alice.ton')
    const { nft_items, metadata } = await assets.call('v3.nft.items', { address: [raw(item)] })
    expect(nft_items[0]!.content).toMatchObject({ domain: 'alice.ton' })
    expect(metadata[raw(item)]?.token_info[0]?.extra).toMatchObject({ domain: 'alice.ton' })
  })

  /** An item of a collection that agrees with it. */
  const install = async (collection: Address, item: Address, index: bigint, methods: Parameters<typeof speaking>[0]) => {
    const content = { cell: beginCell().storeUint(1, 8).storeStringTail('x').endCell() }
    await assets.place(
      collection,
      speaking({
        get_collection_data: [-1n, content, slice(null)],
        get_nft_address_by_index: [slice(item)],
        get_nft_content: [content],
      }),
    )
    await assets.put(item, speaking({ get_nft_data: [-1n, index, slice(collection), slice(BOB), content], ...methods }))
  }

  it('names of mainnet are found: .t.me by the labels of the item, .ton with its auction', async () => {
    const user = account(0xd1)
    const resolved = records({
      wallet: walletRecord(BOB),
      site: beginCell().storeUint(0xad01, 16).storeUint(0x1234n, 256).storeUint(0, 8).endCell(),
      storage: beginCell().storeUint(0x7473, 16).storeUint(0x5678n, 256).endCell(),
      dns_next_resolver: beginCell().storeUint(0xba93, 16).storeAddress(ALICE).endCell(),
    })
    await install(TELEGRAM, user, 5n, { get_full_domain: [named('me\0t\0bob\0')], dnsresolve: [8n, { cell: resolved }] })
    expect(await ofDomain('bob.t.me')).toEqual([
      {
        nft_item_address: raw(user),
        nft_item_owner: raw(BOB),
        domain: 'bob.t.me',
        dns_next_resolver: raw(ALICE),
        dns_wallet: raw(BOB),
        dns_site_adnl: '1234'.padStart(64, '0'),
        dns_storage_bag_id: '5678'.padStart(64, '0'),
      },
    ])
    const { utime } = await assets.call('local.increaseTime', { seconds: 1 })
    const auction = (byte: number, label: string, end: number) =>
      install(TON, account(byte), 5n, {
        get_domain: [named(label)],
        dnsresolve: [8n, null],
        get_auction_info: [slice(BOB), 7_000_000_000n, BigInt(end)],
        get_last_fill_up_time: [1_700_000_000n],
      })
    await auction(0xe1, 'over', utime - 10)
    await auction(0xe2, 'open', utime + 100_000)
    await auction(0xe3, 'open-too', utime + 200_000)
    // Nobody bids where the slot is cleared.
    await auction(0xe4, 'done', 0)
    const of = async (params: { state?: 'all' | 'won' | 'bidding'; after?: string; limit?: number }) => {
      const { auctions, next_cursor } = await assets.call('v3.dns.activeAuctions', { bidder: raw(BOB), ...params })
      return { names: auctions.map(({ domain, finished }) => `${domain}${finished ? '!' : ''}`), next_cursor }
    }
    expect((await of({})).names).toEqual(['over.ton!', 'open.ton', 'open-too.ton'])
    expect((await of({ state: 'won' })).names).toEqual(['over.ton!'])
    expect((await of({ state: 'bidding' })).names).toEqual(['open.ton', 'open-too.ton'])
    const first = await of({ limit: 2 })
    expect(Buffer.from(first.next_cursor!, 'base64url').toString()).toBe(
      `${String(utime + 100_000).padStart(20, '0')}:${raw(account(0xe2))}`,
    )
    expect((await of({ limit: 2, after: first.next_cursor! })).names).toEqual(['open-too.ton'])
    const answer = await assets.call('v3.dns.activeAuctions', { bidder: raw(BOB), include_nft_items: true, limit: 2 })
    const { auctions } = answer
    // The document knows no null.
    expect(differencesOfRows({ 'dns/activeAuctions': answer })).toEqual(['AddressBookRow.domain null', 'NFTCollection.owner_address null'])
    expect(auctions[1]).toMatchObject({
      max_bid_address: raw(BOB),
      max_bid_amount: '7000000000',
      auction_end_time: String(utime + 100_000),
      last_fill_up_time: '1700000000',
      nft_item: { address: raw(account(0xe2)), collection_address: raw(TON) },
    })
  })

  it('a request for no domain and no wallet, or for both, is refused', async () => {
    for (const [path, text] of [
      ['dns/records', 'either wallet address or domain is required'],
      [`dns/records?wallet=${raw(ALICE)}&domain=a.ton`, 'provide either wallet address or domain, not both'],
      ['dns/activeAuctions', 'bidder address is required'],
      [`dns/activeAuctions?bidder=${raw(ALICE)}&state=lost`, 'state must be one of: all, won, bidding'],
      [`dns/activeAuctions?bidder=${raw(ALICE)}&after=x`, 'invalid after cursor'],
    ] as const) {
      const { status, body } = await assets.get<{ error: string }>(path)
      expect([status, body.error]).toEqual([422, text])
    }
    expect(await ofDomain('nobody.ton')).toEqual([])
  })
})
