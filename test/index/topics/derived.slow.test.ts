import { Address } from '@ton/core'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { differences, dump, indexUpTo } from '../kit.ts'
import { HONEST, HONEST_WALLET, OWNER, playHostile } from './hostile.ts'
import { type Assets, account, jettonBurn, jettonTransfer, mainnetCode, nftTransfer, raw, speaking, startAssets } from './kit.ts'
import { fixedPrice } from './sales.ts'

/* The rows of tokens are what the blocks say, however they were come by: as they came, in groups, after a revert, and by verify. */

const [ALICE, BOB] = [account(0xa1), account(0xa3)]

describe('rows of contracts', () => {
  let assets: Assets
  let server: TestServer
  let liars: readonly Address[]
  const tvm = createTestTvm({ workers: 1 })

  beforeAll(async () => {
    server = await startTestServer()
    assets = await startAssets()
    liars = await playHostile(assets)
  })
  afterAll(async () => {
    await assets?.close()
    await server?.close()
    await tvm.close()
  })

  const connection = (): ClientConfig => assets.tonway.app.network.index!.connection()!
  const head = (): number => assets.tonway.app.network.chain.head().id.seqno
  /** Differences to a new index of the same chain, made in groups, and what verify finds. */
  const faults = async (): Promise<readonly string[]> => {
    await assets.indexed()
    const { source } = assets.tonway.app.network
    const fresh = await server.database()
    await indexUpTo(source, fresh, head(), { tvm, network: 'local' })
    const { differences: found } = await verifyIndex({ source, connection: connection(), tvm }, new AbortController().signal)
    return [...differences(await dump(connection()), await dump(fresh)), ...found.map(formatDifference)]
  }

  it('contracts that lie change only their own rows', async () => {
    const { jetton_wallets } = await assets.call('v3.jetton.wallets', { owner_address: [raw(OWNER)] })
    // The one that is everything at once agrees with itself; the others are believed by nobody.
    expect(jetton_wallets.map(({ address }) => address)).toContain(raw(HONEST_WALLET))
    expect(jetton_wallets.length).toBe(2)
    const { jetton_masters } = await assets.call('v3.jetton.masters', { limit: 100 })
    expect(jetton_masters.map(({ address }) => address)).toContain(raw(HONEST))
    for (const { jetton_content } of jetton_masters) expect(JSON.stringify(jetton_content).length).toBeLessThan(20_000)
    const names = jetton_masters.flatMap(({ jetton_content }) => jetton_content['name'] ?? [])
    // What is no UTF-8 is left out, the rest stands as it is.
    expect(names).toEqual(expect.arrayContaining(['\n\t\b\\"', '\ufeffa', '\u202e', '\0']))
    const { nft_sales } = await assets.call('v3.nft.sales', { address: liars.map(raw) })
    expect(nft_sales.length).toBe(1)
    expect((await assets.get(`accountStates?address=${raw(liars.at(-1)!)}`)).status).toBe(200)
  })

  it('rows of contracts equal those of an index made anew, and verify', async () => {
    expect(await faults()).toEqual([])
  })

  it('rows of contracts are reverted with the chain', async () => {
    const minted = await assets.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    const jetton = Address.parse(minted.address)
    const mint = (owner: Address, amount: bigint) =>
      assets.call('local.mintJetton', { jetton: raw(jetton), owner: raw(owner), amount: amount.toString() })
    const { address } = await mint(ALICE, 1000n)
    const wallet = Address.parse(address)
    const made = await assets.call('local.deployCollection', { name: 'Leaves', owner: raw(ALICE) })
    const item = Address.parse((await assets.call('local.mintNft', { collection: made.address, owner: raw(ALICE), name: 'one' })).address)
    await assets.tell(ALICE, wallet, jettonTransfer(10n, BOB, ALICE))
    await assets.settle()
    const { snapshot } = await assets.call('local.snapshot', {})
    const before = await dump(connection())
    // What comes now is undone.
    await assets.tell(ALICE, wallet, jettonTransfer(20n, BOB, ALICE))
    await assets.tell(ALICE, wallet, jettonBurn(5n, ALICE))
    await assets.tell(ALICE, item, nftTransfer(BOB, ALICE))
    await mint(account(0xab), 5n)
    await assets.put(HONEST_WALLET, speaking({ seqno: [1n] }))
    await assets.settle()
    expect((await assets.call('v3.jetton.wallets', { address: [raw(HONEST_WALLET)] })).jetton_wallets).toEqual([])
    await assets.call('local.revert', { snapshot })
    await expect.poll(async () => (await assets.call('v3.jetton.wallets', { address: [raw(HONEST_WALLET)] })).jetton_wallets.length).toBe(1)
    expect(differences(await dump(connection()), before)).toEqual([])
    // And it goes on.
    await assets.tell(ALICE, wallet, jettonTransfer(30n, BOB, ALICE))
    const { jetton_wallets } = await assets.call('v3.jetton.wallets', { jetton_address: [raw(jetton)] })
    expect(jetton_wallets.map(({ balance }) => balance)).toEqual(['960', '40'])
    expect(await faults()).toEqual([])
  })

  it('an item that did not change is not on sale any more when its sale is undone', async () => {
    const sale = account(0xb7)
    const made = await assets.call('local.deployCollection', { name: 'Roses', owner: raw(ALICE) })
    const item = Address.parse((await assets.call('local.mintNft', { collection: made.address, owner: raw(ALICE), name: 'red' })).address)
    // The item is given to an address where nothing is yet. The sale comes later, and the item's own state stays.
    await assets.tell(ALICE, item, nftTransfer(sale, ALICE))
    await assets.settle()
    const read = async () => (await assets.call('v3.nft.items', { address: [raw(item)] })).nft_items[0]
    expect(await read()).toMatchObject({ owner_address: raw(sale), real_owner: raw(sale), on_sale: false })
    const { snapshot } = await assets.call('local.snapshot', {})
    const before = await dump(connection())
    await assets.put(sale, mainnetCode('8278f4c5233d'), fixedPrice({ marketplace: BOB, item, seller: ALICE, royalty: ALICE }, 2))
    expect(await read()).toMatchObject({ owner_address: raw(sale), real_owner: raw(ALICE), on_sale: true })
    await assets.call('local.revert', { snapshot })
    await expect.poll(async () => (await read())?.on_sale).toBe(false)
    expect(differences(await dump(connection()), before)).toEqual([])
    expect(await faults()).toEqual([])
  })
})
