import { Address, beginCell, Cell, Dictionary } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { serializeBoc } from '../../server/cell/boc.ts'
import { accountHandlers } from '../../server/v2/accounts.ts'
import { parseAddress } from '../../shared/fields/address.ts'
import { registry } from '../../shared/registry.ts'
import { wideTree } from '../kit/bombs.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { timeTurns } from '../kit/turns.ts'
import { type Answer, answering, idOf } from './answering-contract.ts'
import { b64, sha256Key } from './cells.ts'
import {
  addressOf,
  collectionData,
  itemData,
  jettonMinterCode,
  jettonWalletCode,
  minterData,
  nftCollectionCode,
  nftItemCode,
  walletData,
} from './clients/tonweb-codes.ts'
import { type Contract, contractsChain } from './contracts-chain.ts'

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())
const call = { signal: new AbortController().signal } as Call

const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex')}`
const upper = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
const account = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))

const read = async (contracts: Readonly<Record<string, Contract>>, address: string) => {
  const { getTokenData } = accountHandlers({ chain: contractsChain(tvm, contracts) })
  const data = await getTokenData({ address: parseAddress(address)! }, call)
  expect(registry.getTokenData.result.safeParse(data).error).toBeUndefined()
  return data
}
/** One contract of the given answers, asked by its raw address. */
const readAnswers = (methods: Readonly<Record<string, readonly Answer[]>>, others: Readonly<Record<string, Contract>> = {}) =>
  read({ ...others, [raw(account(1))]: { code: answering(methods), data: Cell.EMPTY } }, raw(account(1)))

const slice = (address: Address | null): Answer => ({ slice: beginCell().storeAddress(address).endCell() })
const content = (uri: string): Answer => ({ cell: beginCell().storeUint(1, 8).storeStringTail(uri).endCell() })
const anyCode = beginCell().storeUint(5, 8).endCell()

describe('getTokenData of standard contracts', () => {
  const admin = account(0x77)
  const minter = addressOf(jettonMinterCode, minterData(admin, 'https://example.org/jetton.json'))
  const wallet = addressOf(jettonWalletCode, walletData(0n, admin, minter))
  const collection = addressOf(nftCollectionCode, collectionData(admin, 0, 'https://example.org/c.json', 'https://example.org/'))
  const item = addressOf(nftItemCode, itemData(3, collection))
  const contracts: Record<string, Contract> = {
    [raw(minter)]: { code: jettonMinterCode, data: minterData(admin, 'https://example.org/jetton.json', 123_456_789_012_345_678_901n) },
    [raw(wallet)]: { code: jettonWalletCode, data: walletData(42n, admin, minter) },
    [raw(collection)]: { code: nftCollectionCode, data: collectionData(admin, 7, 'https://example.org/c.json', 'https://example.org/') },
    [raw(item)]: { code: nftItemCode, data: itemData(3, collection, admin, '3.json') },
  }

  it('getTokenData reads a jetton master', async () => {
    expect(await read(contracts, raw(minter))).toEqual({
      '@type': 'ext.tokens.jettonMasterData',
      address: upper(minter),
      contract_type: 'jetton_master',
      total_supply: '123456789012345678901',
      mintable: true,
      admin_address: admin.toString(),
      jetton_content: { type: 'offchain', data: 'https://example.org/jetton.json' },
      jetton_wallet_code: expect.stringMatching(/^te6cck/),
    })
  })

  it('getTokenData reads a jetton wallet, in the form it was asked by', async () => {
    const rest = {
      '@type': 'ext.tokens.jettonWalletData',
      contract_type: 'jetton_wallet',
      balance: '42',
      owner: admin.toString(),
      jetton: minter.toString(),
    }
    expect(await read(contracts, raw(wallet))).toMatchObject({ ...rest, address: upper(wallet) })
    for (const form of [{ bounceable: false }, { testOnly: true }, { bounceable: false, testOnly: true }, {}]) {
      expect(await read(contracts, wallet.toString({ ...form, urlSafe: false }))).toMatchObject({ ...rest, address: wallet.toString(form) })
    }
    expect(await read(contracts, raw(wallet))).not.toHaveProperty('mintless_is_claimed')
  })

  it('getTokenData reads an NFT collection', async () => {
    expect(await read(contracts, raw(collection))).toEqual({
      '@type': 'ext.tokens.nftCollectionData',
      address: upper(collection),
      contract_type: 'nft_collection',
      next_item_index: '7',
      owner_address: admin.toString(),
      collection_content: { type: 'offchain', data: 'https://example.org/c.json' },
    })
  })

  it('getTokenData reads an NFT item, whatever flags its address has', async () => {
    for (const form of [{ bounceable: false }, { testOnly: true }, {}]) {
      expect(await read(contracts, item.toString(form))).toEqual({
        '@type': 'ext.tokens.nftItemData',
        address: item.toString(form),
        contract_type: 'nft_item',
        init: true,
        index: '3',
        collection_address: collection.toString(),
        owner_address: admin.toString(),
        content: { type: 'offchain', data: 'https://example.org/3.json' },
      })
    }
  })

  it('a wallet that its master does not know is no token', async () => {
    const forged = account(0x55)
    const all = { ...contracts, [raw(forged)]: { code: jettonWalletCode, data: walletData(42n, admin, minter) } }
    await expect(read(all, raw(forged))).rejects.toMatchObject({ kind: 'NOT_A_TOKEN', message: 'Smart contract is not Jetton or NFT' })
  })

  it('an item that its collection does not know is no token', async () => {
    const forged = account(0x56)
    const all = { ...contracts, [raw(forged)]: { code: nftItemCode, data: itemData(3, collection, admin, '3.json') } }
    await expect(read(all, raw(forged))).rejects.toMatchObject({ kind: 'NOT_A_TOKEN' })
  })

  it.each([
    ['nothing', undefined],
    ['an account without code', {}],
    ['a contract without these methods', { code: answering({}), data: Cell.EMPTY }],
  ])('%s is no token', async (_, contract) => {
    const all: Record<string, Contract> = contract ? { [raw(account(1))]: contract } : {}
    await expect(read(all, raw(account(1)))).rejects.toMatchObject({ kind: 'NOT_A_TOKEN' })
  })
})

describe('getTokenData of unusual contracts', () => {
  it('getTokenData leaves out a missing admin and a missing owner', async () => {
    const master = await readAnswers({ get_jetton_data: [1n, 0n, slice(null), content('x'), { cell: anyCode }] })
    expect(master).toEqual({
      '@type': 'ext.tokens.jettonMasterData',
      address: upper(account(1)),
      contract_type: 'jetton_master',
      total_supply: '1',
      mintable: false,
      jetton_content: { type: 'offchain', data: 'x' },
      jetton_wallet_code: b64(anyCode),
    })
    expect(await readAnswers({ get_collection_data: [-1n, content('x'), slice(null)] })).toEqual({
      '@type': 'ext.tokens.nftCollectionData',
      address: upper(account(1)),
      contract_type: 'nft_collection',
      next_item_index: '-1',
      collection_content: { type: 'offchain', data: 'x' },
    })
    expect(await readAnswers({ get_nft_data: [0n, 2n ** 255n, slice(null), slice(null), content('x')] })).toEqual({
      '@type': 'ext.tokens.nftItemData',
      address: upper(account(1)),
      contract_type: 'nft_item',
      init: false,
      index: (2n ** 255n).toString(),
      content: { type: 'offchain', data: 'x' },
    })
  })

  it('code of as many cells as an account can have is written in turns', async () => {
    const code = wideTree(65_536)
    const run = await contractsChain(tvm, {
      [raw(account(1))]: { code: answering({ get_jetton_data: [1n, 0n, slice(null), content('x')] }) },
    }).runGetMethod({ workchain: 0, hash: account(1).hash }, idOf('get_jetton_data'), [], undefined, call.signal)
    const stack = [...run.stack, { type: 'cell', cell: code } as const]
    const contracts = { [raw(account(1))]: { code: anyCode } }
    const { getTokenData } = accountHandlers({ chain: contractsChain(tvm, contracts, { runGetMethod: async () => ({ ...run, stack }) }) })
    let data: object | undefined
    const { longest, all } = await timeTurns(async () => {
      data = await getTokenData({ address: parseAddress(raw(account(1)))! }, call)
    })
    expect(data).toMatchObject({ jetton_wallet_code: Buffer.from(serializeBoc(code)).toString('base64') })
    expect(longest).toBeLessThan(all / 3)
  })

  it('getTokenData reads any mintable but zero as true', async () => {
    for (const mintable of [1n, -1n, 2n ** 200n]) {
      expect(await readAnswers({ get_jetton_data: [1n, mintable, slice(null), content('x'), { cell: anyCode }] })).toMatchObject({
        mintable: true,
      })
    }
  })

  it('getTokenData says whether a mintless jetton was claimed', async () => {
    const data = [5n, slice(account(2)), slice(account(3)), { cell: anyCode }]
    const master = { [raw(account(3))]: { code: answering({ get_wallet_address: [slice(account(1))] }), data: Cell.EMPTY } }
    expect(await readAnswers({ get_wallet_data: data, is_claimed: [-1n] }, master)).toMatchObject({ mintless_is_claimed: true })
    expect(await readAnswers({ get_wallet_data: data, is_claimed: [0n] }, master)).toMatchObject({ mintless_is_claimed: false })
    expect(await readAnswers({ get_wallet_data: data, is_claimed: [null] }, master)).not.toHaveProperty('mintless_is_claimed')
    expect(await readAnswers({ get_wallet_data: data, is_claimed: [0n, 0n] }, master)).not.toHaveProperty('mintless_is_claimed')
  })

  it('getTokenData takes the first kind whose data is valid', async () => {
    const nft = { get_collection_data: [1n, content('c'), slice(null)], get_nft_data: [-1n, 1n, slice(null), slice(null), content('i')] }
    const jetton = { get_jetton_data: [1n, -1n, slice(null), content('m'), { cell: anyCode }] }
    expect(await readAnswers({ ...nft, ...jetton })).toMatchObject({ contract_type: 'jetton_master' })
    // Too few entries, an entry of another type, content that is none: the next kind is tried.
    expect(await readAnswers({ ...nft, get_jetton_data: [1n, -1n, slice(null), content('m')] })).toMatchObject({
      contract_type: 'nft_collection',
    })
    expect(await readAnswers({ ...nft, get_jetton_data: [null, -1n, slice(null), content('m'), { cell: anyCode }] })).toMatchObject({
      contract_type: 'nft_collection',
    })
    expect(await readAnswers({ ...nft, get_jetton_data: [1n, -1n, slice(null), { cell: anyCode }, { cell: anyCode }] })).toMatchObject({
      contract_type: 'nft_collection',
    })
    expect(await readAnswers({ ...nft, get_collection_data: [1n, { cell: Cell.EMPTY }, slice(null)] })).toMatchObject({
      contract_type: 'nft_item',
    })
  })

  it('a contract whose method runs out of gas or leaves a huge stack is no token', async () => {
    // AGAIN over an empty continuation; 255-tuples of each other, 4 deep.
    await expect(readAnswers({ get_jetton_data: [{ code: '9100ea' }] })).rejects.toMatchObject({ kind: 'NOT_A_TOKEN' })
  })
})

describe('getTokenData of domains', () => {
  const record = (tag: number, fill: (b: ReturnType<typeof beginCell>) => ReturnType<typeof beginCell>): Cell =>
    fill(beginCell().storeUint(tag, 16)).endCell()
  const records = (values: Readonly<Record<string, Cell>>): Cell => {
    const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
    for (const [name, cell] of Object.entries(values)) dict.set(sha256Key(name), cell)
    return beginCell().storeDictDirect(dict).endCell()
  }
  const hash = Buffer.alloc(32, 0xab)
  const item = (more: Readonly<Record<string, readonly Answer[]>>) =>
    readAnswers(
      { get_nft_data: [-1n, 9n, slice(account(3)), slice(account(4)), { cell: Cell.EMPTY }], ...more },
      {
        [raw(account(3))]: {
          code: answering({ get_nft_address_by_index: [slice(account(1))], get_nft_content: [content('domain.json')] }),
          data: Cell.EMPTY,
        },
      },
    )
  const domain: Answer = { cell: beginCell().storeStringTail('example').endCell() }
  const plain = { content: { type: 'offchain', data: 'domain.json' } }

  it('getTokenData of a domain has the domain and its records by name', async () => {
    const all = records({
      wallet: record(0x9fd3, (b) => b.storeAddress(account(5)).storeUint(0, 8)),
      site: record(0xad01, (b) => b.storeBuffer(hash).storeUint(0, 8)),
      storage: record(0x7473, (b) => b.storeBuffer(hash)),
      dns_next_resolver: record(0xba93, (b) => b.storeAddress(new Address(-1, hash))),
      other: record(0x7473, (b) => b.storeBuffer(hash)),
      text: record(0x1eda, (b) => b.storeUint(1, 8).storeUint(1, 8).storeStringTail('t')),
      broken: record(0x9fd3, (b) => b),
    })
    const data = await item({ dnsresolve: [8n, { cell: all }], get_domain: [domain] })
    const hex = hash.toString('hex')
    expect(data).toEqual({
      '@type': 'ext.tokens.nftItemData',
      address: upper(account(1)),
      contract_type: 'nft_item',
      init: true,
      index: '9',
      collection_address: account(3).toString(),
      owner_address: account(4).toString(),
      content: {
        domain: 'example.ton',
        data: {
          wallet: {
            '@type': 'dns_smc_address',
            smc_addr: { '@type': 'addr_std', workchain_id: 0, address: account(5).hash.toString('hex') },
          },
          site: { '@type': 'dns_adnl_address', adnl_addr: hex },
          storage: { '@type': 'dns_storage_address', bag_id: hex },
          dns_next_resolver: { '@type': 'dns_next_resolver', resolver: { '@type': 'addr_std', workchain_id: -1, address: hex } },
          [sha256Key('other').toString(16).padStart(64, '0').toUpperCase()]: { '@type': 'dns_storage_address', bag_id: hex },
        },
      },
    })
  })

  it('an item that resolves nothing or has no name is an ordinary item', async () => {
    expect(await item({})).toMatchObject(plain)
    expect(await item({ dnsresolve: [8n, null], get_domain: [domain] })).toMatchObject(plain)
    expect(await item({ dnsresolve: [{ cell: Cell.EMPTY }], get_domain: [domain] })).toMatchObject(plain)
    expect(await item({ dnsresolve: [8n, { cell: records({ site: Cell.EMPTY }) }] })).toMatchObject(plain)
    // A cell that is no dictionary.
    expect(await item({ dnsresolve: [8n, { cell: Cell.EMPTY }], get_domain: [domain] })).toMatchObject(plain)
  })
})
