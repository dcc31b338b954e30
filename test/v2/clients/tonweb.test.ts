import { keyPairFromSeed } from '@ton/crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../kit/service/service.ts'
import { TonWeb } from './tonweb.ts'

/* The unmodified tonweb against the whole service. */

let service: Service
// tonweb's own types leave out most of what its provider answers.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Loose = any
let tonweb: Loose
const { Address, toNano, BN } = TonWeb.utils as Loose
const { JettonMinter, JettonWallet } = (TonWeb as Loose).token.jetton
const { NftCollection, NftItem } = (TonWeb as Loose).token.nft

beforeAll(async () => {
  service = await startService()
  tonweb = new TonWeb(new TonWeb.HttpProvider(`${service.url}/api/v2/jsonRPC`))
})
afterAll(() => service?.close())

const fund = (address: string, coins: string) => service.call('local.fund', { address, amount: toNano(coins).toString() })
const mine = (count = 3) => service.call('local.mine', { count })
const friend = `0:${'77'.repeat(32)}`

/** A wallet of tonweb, funded and deployed by its first transfer. */
const wallet = async (Kind: Loose, byte: number) => {
  const keys = keyPairFromSeed(Buffer.alloc(32, byte))
  const contract = new Kind(tonweb.provider, { publicKey: keys.publicKey, wc: 0 })
  const address = await contract.getAddress()
  await fund(address.toString(true, true, false), '100')
  let seqno = 0
  const send = async (params: Loose): Promise<void> => {
    await contract.methods.transfer({ secretKey: keys.secretKey, seqno: seqno++, sendMode: 3, ...params }).send()
    await mine()
  }
  return { contract, address, send, text: address.toString(true, true, true) as string }
}

describe('tonweb', () => {
  it.each([
    ['v3R2', 5, 'wallet v3 r2', 2],
    ['v4R2', 6, 'wallet v4 r2', 2],
  ] as const)('tonweb deploys a wallet %s, transfers with a comment and reads it back', async (name, byte, wallet_type, revision) => {
    const { contract, address, send, text } = await wallet(tonweb.wallet.all[name], byte)
    expect(await tonweb.provider.getWalletInfo(text)).toMatchObject({ wallet: false, account_state: 'uninitialized' })
    const to = `0:${byte.toString(16).repeat(64).slice(0, 64)}`
    const estimate = await contract.methods
      .transfer({
        secretKey: keyPairFromSeed(Buffer.alloc(32, byte)).secretKey,
        seqno: 0,
        sendMode: 3,
        toAddress: to,
        amount: toNano('1'),
        payload: 'hi',
      })
      .estimateFee()
    expect(estimate).toMatchObject({ '@type': 'query.fees', source_fees: { '@type': 'fees' } })
    await send({ toAddress: to, amount: toNano('1'), payload: 'hello from tonweb' })

    expect(await contract.methods.seqno().call()).toBe(1)
    expect(await tonweb.getBalance(to)).toBe(toNano('1').toString())
    expect(await tonweb.provider.getWalletInfo(text)).toMatchObject({ wallet: true, account_state: 'active', wallet_type, seqno: 1 })
    expect(await tonweb.provider.getExtendedAddressInfo(text)).toMatchObject({
      revision,
      account_state: { wallet_id: 698983191, seqno: 1 },
    })
    expect(await tonweb.provider.getAddressInfo(text)).toMatchObject({ state: 'active', suspended: false })
    const [received] = await tonweb.getTransactions(to, 5)
    expect(received).toMatchObject({ in_msg: { source: text, value: '1000000000', message: 'hello from tonweb' }, out_msgs: [] })
    const sent = await tonweb.getTransactions(address, 1)
    expect(await tonweb.getTransactions(address, 1, sent[0].transaction_id.lt, sent[0].transaction_id.hash)).toEqual(sent)
  })

  it('tonweb reads the balance of a missing account as the text 0', async () => {
    expect(await tonweb.getBalance(friend)).toBe('0')
    expect(await tonweb.provider.getBalance(friend)).toBe('0')
  })

  it('tonweb reads blocks, shards and configuration', async () => {
    const { last } = await tonweb.provider.getMasterchainInfo()
    const { shards } = await tonweb.provider.getBlockShards(last.seqno)
    expect(shards).toHaveLength(1)
    const header = await tonweb.provider.getBlockHeader(0, shards[0].shard, shards[0].seqno)
    expect(header).toMatchObject({ '@type': 'blocks.header', id: shards[0] })
    const master = await tonweb.provider.getMasterchainBlockHeader(last.seqno)
    expect(master.id).toEqual(last)
    const parameter = await tonweb.provider.getConfigParam(34)
    expect(parameter.refs.length + parameter.bits.cursor).toBeGreaterThan(0)

    const [last_transaction] = await tonweb.getTransactions((await wallet(tonweb.wallet.all.v4R2, 8)).address, 1)
    const block = await service.call('lookupBlock', { workchain: 0, shard: '-9223372036854775808', lt: last_transaction.transaction_id.lt })
    const page = await tonweb.provider.getBlockTransactions(0, block.shard, block.seqno)
    expect(page.transactions.map(({ hash }: { hash: string }) => hash)).toContain(last_transaction.transaction_id.hash)
    const after = await tonweb.provider.getBlockTransactions(0, block.shard, block.seqno, 1)
    expect(after).toMatchObject({ req_count: 1 })
  })

  it('tonweb deploys a jetton, mints, transfers and reads it back', async () => {
    const { address, send, text } = await wallet(tonweb.wallet.all.v4R2, 9)
    const minter = new JettonMinter(tonweb.provider, {
      adminAddress: address,
      jettonContentUri: 'https://example.org/tonweb.json',
      jettonWalletCodeHex: JettonWallet.codeHex,
    })
    const minterAddress = await minter.getAddress()
    await send({
      toAddress: minterAddress.toString(true, true, false),
      amount: toNano('1'),
      stateInit: (await minter.createStateInit()).stateInit,
      payload: await minter.createMintBody({ jettonAmount: new BN(5000), destination: address, amount: toNano('0.1') }),
    })
    const data = await minter.getJettonData()
    expect([data.totalSupply.toString(), data.isMutable, data.adminAddress.toString(true, true, true), data.jettonContentUri]).toEqual([
      '5000',
      true,
      text,
      'https://example.org/tonweb.json',
    ])
    const walletAddress = await minter.getJettonWalletAddress(address)
    const jettons = new JettonWallet(tonweb.provider, { address: walletAddress })
    expect((await jettons.getData()).balance.toString()).toBe('5000')
    await send({
      toAddress: walletAddress,
      amount: toNano('0.4'),
      payload: await jettons.createTransferBody({ jettonAmount: new BN(2000), toAddress: new Address(friend), responseAddress: address }),
    })
    const friends = new JettonWallet(tonweb.provider, { address: await minter.getJettonWalletAddress(new Address(friend)) })
    const received = await friends.getData()
    expect([
      received.balance.toString(),
      received.ownerAddress.toString(false),
      received.jettonMinterAddress.toString(true, true, true),
    ]).toEqual(['2000', friend, minterAddress.toString(true, true, true)])
    expect((await jettons.getData()).balance.toString()).toBe('3000')
  })

  it('tonweb deploys an NFT collection and an item, and getTokenData describes both', async () => {
    const { address, send, text } = await wallet(tonweb.wallet.all.v4R2, 10)
    const collection = new NftCollection(tonweb.provider, {
      ownerAddress: address,
      collectionContentUri: 'https://example.org/collection.json',
      nftItemContentBaseUri: 'https://example.org/items/',
      nftItemCodeHex: NftItem.codeHex,
      royalty: 0.05,
      royaltyAddress: address,
    })
    const collectionAddress = await collection.getAddress()
    await send({
      toAddress: collectionAddress.toString(true, true, false),
      amount: toNano('1'),
      stateInit: (await collection.createStateInit()).stateInit,
    })
    await send({
      toAddress: collectionAddress,
      amount: toNano('1'),
      payload: collection.createMintBody({ amount: toNano('0.1'), itemIndex: 0, itemOwnerAddress: address, itemContentUri: '0.json' }),
    })
    const itemAddress = await collection.getNftItemAddressByIndex(0)
    const item = new NftItem(tonweb.provider, { address: itemAddress })
    expect(await collection.methods.getNftItemContent(item)).toMatchObject({
      isInitialized: true,
      index: 0,
      contentUri: 'https://example.org/items/0.json',
    })
    const shown = collectionAddress.toString(true, true, true)
    expect(await service.call('getTokenData', { address: shown })).toMatchObject({
      contract_type: 'nft_collection',
      next_item_index: '1',
      owner_address: text,
      collection_content: { type: 'offchain', data: 'https://example.org/collection.json' },
    })
    expect(await service.call('getTokenData', { address: itemAddress.toString(true, true, false) })).toEqual({
      '@type': 'ext.tokens.nftItemData',
      address: itemAddress.toString(true, true, false),
      contract_type: 'nft_item',
      init: true,
      index: '0',
      collection_address: shown,
      owner_address: text,
      content: { type: 'offchain', data: 'https://example.org/items/0.json' },
    })
  })

  it('tonweb rejects with the service’s text', async () => {
    await expect(tonweb.provider.send('getAddressBalance', { address: 'nonsense' })).rejects.toMatch(/ton_addr/)
    await expect(tonweb.provider.sendBoc('AAAA')).rejects.toMatch(/INVALID_BAG_OF_CELLS/)
  })
})
