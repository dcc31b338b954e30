import { createHash } from 'node:crypto'
import { Address, beginCell, Cell, toNano } from '@ton/core'
import { JettonMaster, JettonWallet, TonClient } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallError } from '../kit/service/client.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { b64 } from '../v2/cells.ts'

/* Jettons, NFTs, SBTs and domains of local.*: made as a developer makes them, and read by the real @ton/ton and by v2's token reader. */

let service: Service
let client: TonClient
let owner: string
beforeAll(async () => {
  service = await startService()
  client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC` })
  owner = (await service.call('local.wallets', {})).wallets[0]!.address
})
afterAll(() => service?.close())

const person = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const alice = person(0xa1)
const bob = person(0xb0)

/** A message in somebody's name, without a wallet of theirs. */
const send = (from: Address | string, to: Address | string, value: bigint, body: Cell) =>
  service.call('local.sendInternal', { from: String(from), to: String(to), value: value.toString(), body: b64(body) })

const token = (address: Address | string) => service.call('getTokenData', { address: String(address) })
const refused = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof CallError)) throw new Error(`not refused: ${JSON.stringify(error)}`)
  return error.message
}

/** op of the last message that an account received, and its comment-less body. */
const lastReceived = async (account: Address): Promise<{ readonly op: number; readonly body: Cell }> => {
  const [transaction] = await client.getTransactions(account, { limit: 1 })
  const { body } = transaction!.inMessage!
  return { op: body.beginParse().loadUint(32), body }
}

describe('jettons', () => {
  let minter: Address
  beforeAll(async () => {
    const { address } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN', decimals: 6, description: 'Of an oak.' })
    minter = Address.parse(address)
  })
  const walletOf = (of: Address) => client.open(JettonMaster.create(minter)).getWalletAddress(of)
  const balanceOf = async (of: Address) => client.open(JettonWallet.create(await walletOf(of))).getBalance()
  const supply = async () => (await client.open(JettonMaster.create(minter)).getJettonData()).totalSupply

  it('a jetton master follows TEP-74 and TEP-64, as the first wallet makes it', async () => {
    expect(await token(minter)).toMatchObject({
      contract_type: 'jetton_master',
      total_supply: '0',
      mintable: true,
      jetton_content: { type: 'onchain', data: { name: 'Acorn', symbol: 'ACRN', decimals: '6', description: 'Of an oak.' } },
    })
    const data = await client.open(JettonMaster.create(minter)).getJettonData()
    expect(data.adminAddress.toString({ bounceable: false })).toBe(owner)
  })

  it('jettons can have off-chain and semi-chain content', async () => {
    const uri = 'https://example.com/acorn.json'
    const { address: off } = await service.call('local.deployJetton', { uri })
    expect(await token(off)).toMatchObject({ jetton_content: { type: 'offchain', data: uri } })
    const { address: semi } = await service.call('local.deployJetton', { uri, symbol: 'A'.repeat(100), description: 'é'.repeat(500) })
    expect(await token(semi)).toMatchObject({
      jetton_content: { type: 'onchain', data: { uri, symbol: 'A'.repeat(100), description: 'é'.repeat(500), decimals: '9' } },
    })
  })

  it('a mint makes a wallet that knows its master, and a second mint adds up', async () => {
    const { address } = await service.call('local.mintJetton', { jetton: minter.toString(), owner: alice.toString(), amount: '1000' })
    expect(Address.parse(address).equals(await walletOf(alice))).toBe(true)
    expect(await token(address)).toMatchObject({ contract_type: 'jetton_wallet', balance: '1000' })
    await service.call('local.mintJetton', { jetton: minter.toString(), owner: alice.toString(), amount: (2n ** 100n).toString() })
    expect(await balanceOf(alice)).toBe(1000n + 2n ** 100n)
    expect(await supply()).toBe(1000n + 2n ** 100n)
  })

  const transfer = (amount: bigint, to: Address, forward = 0n, payload = beginCell().storeBit(0).endCell()) =>
    beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(7, 64)
      .storeCoins(amount)
      .storeAddress(to)
      .storeAddress(alice)
      .storeBit(0)
      .storeCoins(forward)
      .storeSlice(payload.beginParse())
      .endCell()

  it('a jetton transfer notifies the receiver and returns the excess to the sender', async () => {
    const before = await balanceOf(alice)
    await send(
      alice,
      await walletOf(alice),
      toNano('0.2'),
      transfer(400n, bob, 1n, beginCell().storeBit(0).storeUint(0, 32).storeStringTail('hi').endCell()),
    )
    expect(await balanceOf(bob)).toBe(400n)
    expect(await balanceOf(alice)).toBe(before - 400n)
    const notified = (await lastReceived(bob)).body.beginParse().skip(32 + 64)
    expect(notified.loadCoins()).toBe(400n)
    expect(notified.loadAddress().equals(alice)).toBe(true)
    expect(notified.skip(1 + 32).loadStringTail()).toBe('hi')
    expect((await lastReceived(alice)).op).toBe(0xd53276db)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['from somebody else', async () => send(bob, await walletOf(alice), toNano('0.2'), transfer(1n, bob))],
    ['of more than there is', async () => send(alice, await walletOf(alice), toNano('0.2'), transfer(2n ** 110n, bob))],
    ['with too little for the way', async () => send(alice, await walletOf(alice), toNano('0.02'), transfer(1n, bob))],
    ['without a payload bit', async () => send(alice, await walletOf(alice), toNano('0.2'), transfer(1n, bob, 0n, beginCell().endCell()))],
    ['into the masterchain', async () => send(alice, await walletOf(alice), toNano('0.2'), transfer(1n, new Address(-1, alice.hash)))],
    [
      'told by a wallet that is none',
      async () =>
        send(
          person(9),
          await walletOf(bob),
          toNano('0.2'),
          beginCell()
            .storeUint(0x178d4519, 32)
            .storeUint(0, 64)
            .storeCoins(5n)
            .storeAddress(alice)
            .storeAddress(null)
            .storeCoins(0)
            .storeBit(0)
            .endCell(),
        ),
    ],
    [
      'minted by somebody else',
      async () =>
        send(
          bob,
          minter,
          toNano('0.3'),
          beginCell()
            .storeUint(0x642b7d07, 32)
            .storeUint(0, 64)
            .storeAddress(bob)
            .storeCoins(toNano('0.1'))
            .storeRef(
              beginCell()
                .storeUint(0x178d4519, 32)
                .storeUint(0, 64)
                .storeCoins(5n)
                .storeAddress(null)
                .storeAddress(bob)
                .storeCoins(0)
                .storeBit(0)
                .endCell(),
            )
            .endCell(),
        ),
    ],
  ])('no jettons move: %s', async (_, act) => {
    const before = [await balanceOf(alice), await balanceOf(bob), await supply()]
    await act()
    expect([await balanceOf(alice), await balanceOf(bob), await supply()]).toEqual(before)
  })

  it('a burn lowers wallet and supply together', async () => {
    const before = await supply()
    const body = beginCell().storeUint(0x595f07bc, 32).storeUint(1, 64).storeCoins(150n).storeAddress(bob).storeBit(0).endCell()
    await send(bob, await walletOf(bob), toNano('0.1'), body)
    expect(await balanceOf(bob)).toBe(250n)
    expect(await supply()).toBe(before - 150n)
    expect((await lastReceived(bob)).op).toBe(0xd53276db)
  })

  it('a jetton master answers requests for a wallet address (TEP-89)', async () => {
    await send(bob, minter, toNano('0.1'), beginCell().storeUint(0x2c76b973, 32).storeUint(3, 64).storeAddress(alice).storeBit(1).endCell())
    const told = await lastReceived(bob)
    const slice = told.body.beginParse().skip(32 + 64)
    expect(told.op).toBe(0xd1735400)
    expect(slice.loadAddress().equals(await walletOf(alice))).toBe(true)
    expect(slice.loadMaybeRef()!.beginParse().loadAddress().equals(alice)).toBe(true)
  })

  it('a jetton master without an admin cannot be minted', async () => {
    const { address } = await service.call('local.deployJetton', { symbol: 'GONE', admin: alice.toString() })
    await send(alice, address, toNano('0.1'), beginCell().storeUint(3, 32).storeUint(0, 64).storeAddress(null).endCell())
    expect(await token(address)).toMatchObject({ mintable: false })
    expect(await refused(service.call('local.mintJetton', { jetton: address, owner: bob.toString(), amount: '1' }))).toMatch(/no admin/)
  })
})

describe('NFTs', () => {
  let collection: string
  beforeAll(async () => {
    const royalty = { numerator: 5, denominator: 100, destination: bob.toString() }
    ;({ address: collection } = await service.call('local.deployCollection', {
      name: 'Leaves',
      image: 'https://example.com/l.png',
      royalty,
    }))
  })

  it('an NFT collection follows TEP-62 and TEP-66', async () => {
    expect(await token(collection)).toMatchObject({
      contract_type: 'nft_collection',
      next_item_index: '0',
      collection_content: { type: 'onchain', data: { name: 'Leaves', image: 'https://example.com/l.png' } },
    })
    const { stack } = await client.runMethod(Address.parse(collection), 'royalty_params')
    expect([stack.readNumber(), stack.readNumber()]).toEqual([5, 100])
    expect(stack.readAddress().equals(bob)).toBe(true)
  })

  it('NFT items have their own content, and only their owner can transfer them', async () => {
    for (const index of ['0', '1']) {
      const minted = await service.call('local.mintNft', { collection, owner: alice.toString(), name: `Leaf ${index}` })
      expect(minted.index).toBe(index)
      expect(await token(minted.address)).toMatchObject({
        contract_type: 'nft_item',
        init: true,
        index,
        content: { type: 'onchain', data: { name: `Leaf ${index}` } },
      })
    }
    const { stack } = await client.runMethod(Address.parse(collection), 'get_nft_address_by_index', [{ type: 'int', value: 1n }])
    const item = stack.readAddress()
    const move = (from: Address, to: Address) =>
      send(
        from,
        item,
        toNano('0.2'),
        beginCell()
          .storeUint(0x5fcc3d14, 32)
          .storeUint(0, 64)
          .storeAddress(to)
          .storeAddress(from)
          .storeBit(0)
          .storeCoins(1n)
          .storeBit(0)
          .endCell(),
      )
    const holder = async () => {
      const { stack } = await client.runMethod(item, 'get_nft_data')
      return stack.skip(3).readAddress().toString()
    }
    await move(bob, bob)
    expect(await holder()).toBe(alice.toString())
    await move(alice, bob)
    expect(await holder()).toBe(bob.toString())
    expect((await lastReceived(bob)).op).toBe(0x05138d91)
    expect((await lastReceived(alice)).op).toBe(0xd53276db)
  })

  it('minting refuses an index that is not the next one, and parameters of other kinds', async () => {
    expect(await refused(service.call('local.mintNft', { collection, owner: owner, index: '7' }))).toMatch(/next one, 2/)
    expect(await refused(service.call('local.mintNft', { collection, owner: owner, domain: 'x' }))).toMatch(/domain/)
    expect(await refused(service.call('local.mintNft', { collection, owner: owner, authority: owner }))).toMatch(/authority/)
    expect(await refused(service.call('local.mintNft', { collection: owner, owner }))).toMatch(/was not deployed by local/)
    expect(await refused(service.call('local.deployCollection', { domain: 'ton' }))).toMatch(/kind dns/)
    expect(await refused(service.call('local.deployJetton', {}))).toMatch(/at least one of/)
    expect(await refused(service.call('local.deployJetton', { symbol: 'X', decimals: 256 }))).toMatch(/255/)
  })
})

describe('SBTs (TEP-85)', () => {
  it('SBTs (TEP-85) stay with their owner, prove it, and can be revoked by their authority', async () => {
    const { address: collection } = await service.call('local.deployCollection', { kind: 'sbt', name: 'Diplomas' })
    const minted = await service.call('local.mintNft', { collection, owner: alice.toString(), name: 'Diploma', authority: bob.toString() })
    const item = Address.parse(minted.address)
    const told = async (method: string) => (await client.runMethod(item, method)).stack
    expect(await token(minted.address)).toMatchObject({ contract_type: 'nft_item', index: '0' })
    expect((await told('get_authority_address')).readAddress().equals(bob)).toBe(true)
    expect((await told('get_revoked_time')).readNumber()).toBe(0)

    const move = beginCell()
      .storeUint(0x5fcc3d14, 32)
      .storeUint(0, 64)
      .storeAddress(bob)
      .storeAddress(bob)
      .storeBit(0)
      .storeCoins(0)
      .storeBit(0)
    await send(alice, item, toNano('0.2'), move.endCell())
    expect((await told('get_nft_data')).skip(3).readAddress().equals(alice)).toBe(true)

    // Code that does nothing takes everything.
    const witness = person(0x77)
    const empty = b64(beginCell().endCell())
    await service.call('local.setAccount', { address: witness.toString(), balance: '1000000000', code: empty, data: empty })
    const prove = beginCell()
      .storeUint(0x04ded148, 32)
      .storeUint(9, 64)
      .storeAddress(witness)
      .storeRef(beginCell().storeUint(5, 8))
      .storeBit(1)
    await send(bob, item, toNano('0.2'), prove.endCell())
    expect(await client.getTransactions(witness, { limit: 1 })).toEqual([])
    await send(alice, item, toNano('0.2'), prove.endCell())
    const proof = await lastReceived(witness)
    expect(proof.op).toBe(0x0524c7ae)
    expect(
      proof.body
        .beginParse()
        .skip(32 + 64 + 256)
        .loadAddress()
        .equals(alice),
    ).toBe(true)

    const revoke = beginCell().storeUint(0x6f89f5e3, 32).storeUint(0, 64).endCell()
    await send(alice, item, toNano('0.2'), revoke)
    expect((await told('get_revoked_time')).readNumber()).toBe(0)
    await send(bob, item, toNano('0.2'), revoke)
    expect((await told('get_revoked_time')).readNumber()).toBeGreaterThan(0)

    await send(alice, item, toNano('0.2'), beginCell().storeUint(0x1f04537a, 32).storeUint(0, 64).endCell())
    expect((await told('get_nft_data')).skip(3).readAddressOpt()).toBe(null)
  })
})

describe('domains (TEP-81)', () => {
  const category = (name: string) => createHash('sha256').update(name).digest()
  const resolve = async (name: string) => {
    const { config } = await service.call('getConfigParam', { config_id: 4 })
    const root = new Address(-1, Cell.fromBase64(config.bytes).beginParse().loadBuffer(32))
    return (await service.call('dnsResolve', { address: root.toString(), name, category: '', ttl: 4 })).entries
  }

  it('domains (TEP-81) are resolved from the root of the configuration', async () => {
    const { address: collection } = await service.call('local.deployCollection', { kind: 'dns', name: 'Names' })
    const minted = await service.call('local.mintNft', { collection, owner: alice.toString(), domain: 'acorn' })
    expect(await token(minted.address)).toMatchObject({ contract_type: 'nft_item', index: minted.index })
    expect(BigInt(minted.index)).toBe(BigInt(`0x${beginCell().storeStringTail('acorn').endCell().hash().toString('hex')}`))
    expect(await resolve('acorn.ton')).toEqual([])

    // dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8)
    const record = beginCell().storeUint(0x9fd3, 16).storeAddress(bob).storeUint(0, 8).endCell()
    const change = beginCell().storeUint(0x4eb1f0f9, 32).storeUint(0, 64).storeBuffer(category('wallet')).storeRef(record).endCell()
    await send(bob, minted.address, toNano('0.1'), change)
    expect(await resolve('acorn.ton')).toEqual([])
    await send(alice, minted.address, toNano('0.1'), change)
    expect(await resolve('acorn.ton')).toMatchObject([{ entry: { smc_address: { account_address: bob.toString() } } }])
    await send(
      alice,
      minted.address,
      toNano('0.1'),
      beginCell().storeUint(0x4eb1f0f9, 32).storeUint(0, 64).storeBuffer(category('wallet')).endCell(),
    )
    expect(await resolve('acorn.ton')).toEqual([])

    const { stack } = await client.runMethod(Address.parse(minted.address), 'get_editor')
    expect(stack.readAddress().equals(alice)).toBe(true)
    expect(await refused(service.call('local.mintNft', { collection, owner, domain: 'acorn' }))).toMatch(/exists already/)
    expect(await refused(service.call('local.mintNft', { collection, owner, domain: 'a.b' }))).toMatch(/domain/)
    expect(await refused(service.call('local.mintNft', { collection, owner }))).toMatch(/domain is required/)
  })
})
