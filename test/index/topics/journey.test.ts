import { Address, beginCell, internal, SendMode, toNano } from '@ton/core'
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TonClient as Client, createClient } from '../../../client/index.ts'
import { type Assets, account, jettonBurn, jettonTransfer, mainnetCode, nftTransfer, raw, startAssets } from './kit.ts'
import { fixedPrice } from './sales.ts'

/* As a new user does it with @ton/ton: a jetton and an NFT deployed, given away, burnt and sold; each step is there with its block, through every door. */

const BOB = account(0xa3)

describe('a wallet with tokens', () => {
  let assets: Assets
  let ton: Client
  let chain: TonClient
  let wallet: WalletContractV4
  let secretKey: Buffer
  beforeAll(async () => {
    assets = await startAssets()
    ton = createClient({ url: assets.url })
    chain = new TonClient({ endpoint: `${assets.url}/api/v2/jsonRPC` })
    const { keys } = await assets.faucet()
    wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    secretKey = keys.secretKey
  })
  afterAll(() => assets?.close())

  /** Orders to several contracts in one message; waits for what the chain makes of them, not longer. */
  const send = async (...orders: Parameters<typeof internal>[0][]): Promise<void> => {
    const open = chain.open(wallet)
    await open.sendTransfer({
      seqno: await open.getSeqno(),
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: orders.map((order) => internal(order)),
    })
    await assets.settle()
  }
  /** One list through REST, JSON-RPC and the client: three times the same. */
  const everywhere = async <T>(path: string, query: string, rpc: () => Promise<T>, client: () => Promise<T>): Promise<T> => {
    const { body: rest } = await assets.get<T>(`${path}?${query}`)
    expect(await rpc()).toEqual(rest)
    expect(await client()).toEqual(rest)
    return rest
  }

  it('a wallet transfers and burns jettons', async () => {
    const me = raw(wallet.address)
    const { address } = await ton.local.deployJetton({ name: 'Acorn', symbol: 'ACRN', decimals: 6, admin: me })
    await ton.local.mintJetton({ jetton: address, owner: me, amount: '5000' })
    const master = chain.open(JettonMaster.create(Address.parse(address)))
    const mine = await master.getWalletAddress(wallet.address)
    await send({ to: mine, value: '0.3', body: jettonTransfer(1200n, BOB, wallet.address, toNano('0.01')) })
    await send({ to: mine, value: '0.3', body: jettonBurn(300n, wallet.address) })
    const params = { jetton_master: address }
    const query = `jetton_master=${address}`
    const transfers = await everywhere(
      'jetton/transfers',
      query,
      () => assets.call('v3.jetton.transfers', params),
      () => ton.v3.jetton.transfers(params),
    )
    expect(transfers.jetton_transfers).toMatchObject([{ amount: '1200', source: me, destination: raw(BOB), source_wallet: raw(mine) }])
    const burns = await everywhere(
      'jetton/burns',
      query,
      () => assets.call('v3.jetton.burns', params),
      () => ton.v3.jetton.burns(params),
    )
    expect(burns.jetton_burns).toMatchObject([{ amount: '300', owner: me, transaction_aborted: false }])
    const { jetton_wallets } = await ton.v3.jetton.wallets({ jetton_address: [address] })
    expect(jetton_wallets.map(({ owner, balance }) => [owner, balance])).toEqual([
      [me, '3500'],
      [raw(BOB), '1200'],
    ])
    // The chain itself says so.
    expect(await chain.open(JettonWallet.create(mine)).getBalance()).toBe(3500n)
    expect((await master.getJettonData()).totalSupply).toBe(4700n)
  })

  it('a wallet sells an NFT by a contract of mainnet', async () => {
    const me = raw(wallet.address)
    const collection = await ton.local.deployCollection({ name: 'Leaves', owner: me })
    const minted = await ton.local.mintNft({ collection: collection.address, owner: me, name: 'One' })
    const item = Address.parse(minted.address)
    const sale = account(0xb3)
    await assets.place(sale, mainnetCode('24221fa571e5'), fixedPrice({ marketplace: account(0xee), item, seller: null, royalty: BOB }, 3))
    await send({ to: item, value: '0.3', body: nftTransfer(sale, wallet.address, toNano('0.1')) })
    const onSale = await ton.v3.nft.items({ owner_address: [me], include_on_sale: true })
    expect(onSale.nft_items).toMatchObject([{ address: raw(item), on_sale: true, real_owner: me, sale_contract_address: raw(sale) }])
    // Somebody buys it at its price.
    await assets.tell(BOB, sale, beginCell().storeUint(0, 32).storeUint(0, 64).endCell(), '3.2')
    const sold = await everywhere(
      'nft/items',
      `address=${raw(item)}`,
      () => assets.call('v3.nft.items', { address: [raw(item)] }),
      () => ton.v3.nft.items({ address: [raw(item)] }),
    )
    expect(sold.nft_items).toMatchObject([{ owner_address: raw(BOB), real_owner: raw(BOB), on_sale: false }])
    const { nft_transfers } = await ton.v3.nft.transfers({ item_address: [raw(item)], sort: 'asc' })
    expect(nft_transfers.map(({ old_owner, new_owner }) => [old_owner, new_owner])).toEqual([
      [me, raw(sale)],
      [raw(sale), raw(BOB)],
    ])
    expect((await ton.v3.nft.sales({ address: [raw(sale)] })).nft_sales).toMatchObject([{ details: { is_complete: true } }])
  })
})
