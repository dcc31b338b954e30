import { Address, beginCell, Cell, Dictionary } from '@ton/core'
import { runTolkCompiler } from '@ton/tolk-js'
import { JettonMaster, JettonWallet, TonClient } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { int, address as keyOf } from '../../server/index/topics/contracts/stack-values.ts'
import { rawOfKey } from '../../server/store/row-keys.ts'
import wallets from '../data/jetton-wallets.json' with { type: 'json' }
import { speaking } from '../index/topics/kit.ts'
import { transferBody } from '../kit/chain/jetton-bodies.ts'
import { readJson } from '../kit/data.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { idOf } from '../v2/answering-contract.ts'
import { b64 } from '../v2/cells.ts'

/* local.setJettonBalance with every jetton wallet code of the data, and with masters that make wallets in different ways. */

const codes = new Map(
  readJson<{ code_hash: string; boc: string }[]>('codes/by-hash.json').map(({ code_hash, boc }) => [code_hash, Cell.fromBase64(boc)]),
)
const codeOf = (hash: string): Cell => codes.get([...codes.keys()].find((each) => each.startsWith(hash))!)!

let service: Service
let client: TonClient
beforeAll(async () => {
  service = await startService()
  client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC` })
  // Codes that wallets name by a library cell.
  const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: (cell: Cell, b) => b.storeBit(1).storeRef(cell),
    parse: () => Cell.EMPTY,
  })
  for (const hash of ['8f452d7a', '12bebb0d']) libraries.set(BigInt(`0x${codeOf(hash).hash().toString('hex')}`), codeOf(hash))
  const library = b64(beginCell().storeDictDirect(libraries).endCell())
  await service.call('local.setAccount', {
    address: `-1:${'70'.repeat(32)}`,
    balance: '1000000000000',
    code: b64(Cell.EMPTY),
    data: b64(Cell.EMPTY),
    library,
  })
})
afterAll(() => service?.close())

const never = AbortSignal.timeout(600_000)
const person = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const idOfAddress = ({ workChain, hash }: Address) => ({ workchain: workChain, hash })
const place = (address: Address, code: Cell, data: Cell) =>
  service.call('local.setAccount', { address: address.toString(), balance: '1000000000', code: b64(code), data: b64(data) })

/** What get_wallet_data answers: balance, owner, master, hash of the code. */
const walletData = async (address: Address) => {
  const { chain } = service.tonway.app.network
  const { exitCode, stack } = await chain.runGetMethod(idOfAddress(address), idOf('get_wallet_data'), [], undefined, never)
  const [balance, owner, master, code] = stack
  const raw = (value: typeof owner) => Address.parse(rawOfKey(keyOf(value)!)).toString()
  return {
    exitCode,
    balance: int(balance),
    owner: raw(owner),
    master: raw(master),
    code: code?.type === 'cell' ? code.cell.hashHex() : undefined,
  }
}

describe('every jetton wallet code of the data', () => {
  it('the data has every code with get_wallet_data but one, which keeps no balance', () => {
    const without = [...codes.keys()].filter((hash) => hash.startsWith('0f70ec46'))
    expect([wallets.length, without.length, new Set(wallets.map(({ name }) => name)).size]).toEqual([28, 1, 28])
  })

  it.each(wallets)('$name ($code_hash): the balance is set, owner, master and code stay', async ({ code_hash, data }) => {
    const wallet = new Address(0, Buffer.from(code_hash, 'hex'))
    await place(wallet, codeOf(code_hash), Cell.fromBase64(data))
    const before = await walletData(wallet)
    const master = speaking({
      get_wallet_address: [{ slice: beginCell().storeAddress(wallet).endCell() }],
      get_jetton_data: [5n, -1n, { slice: beginCell().storeAddress(null).endCell() }, { cell: Cell.EMPTY }, { cell: codeOf(code_hash) }],
    })
    await place(Address.parse(before.master), master, Cell.EMPTY)
    const set = (balance: bigint) =>
      service.call('local.setJettonBalance', {
        jetton: before.master,
        owner: before.owner,
        balance: balance.toString(),
      })
    for (const balance of [2n ** 100n + 7n, 0n, 1n]) {
      const { address, was } = await set(balance)
      expect(address).toBe(wallet.toString())
      expect(BigInt(was)).toBe(balance === 2n ** 100n + 7n ? before.balance : balance === 0n ? 2n ** 100n + 7n : 0n)
      expect(await walletData(wallet)).toEqual({ ...before, balance })
    }
    // What is beside the balance stays too: the balance as it was gives the data as they were.
    await set(before.balance!)
    const state = await service.call('getAddressInformation', { address: wallet.toString() })
    expect(Cell.fromBase64(state.data).equals(Cell.fromBase64(data))).toBe(true)
  })
})

/** A master in Tolk whose wallets are those of stablecoin or our own layout. */
const tolkMaster = async (shard: string): Promise<Cell> => {
  const source = `
tolk 1.3
struct Data { supply: coins  walletCode: cell }
struct Wallet { balance: coins  owner: address  minter: address  code: cell }
get fun get_jetton_data(): (int, int, slice, cell, cell) {
  val d = Data.fromCell(contract.getData());
  return (d.supply, -1, createEmptySlice(), createEmptyCell(), d.walletCode);
}
get fun get_wallet_address(owner: address): address {
  val d = Data.fromCell(contract.getData());
  val wallet: Wallet = { balance: 0, owner, minter: contract.getAddress(), code: d.walletCode };
  val to: AutoDeployAddress = { stateInit: { code: d.walletCode, data: wallet.toCell() }${shard} };
  return to.calculateAddress();
}
fun onInternalMessage(in: InMessage) { }
`
  const result = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source })
  if (result.status === 'error') throw new Error(result.message)
  return Cell.fromBase64(result.codeBoc64)
}

describe('wallets that are not deployed', () => {
  const walletOf = (master: Address, owner: Address) => client.open(JettonMaster.create(master)).getWalletAddress(owner)

  it('a wallet of local.deployJetton begins to be, and its jettons can be sent; the supply changes only if that is asked', async () => {
    const owner = (await service.call('local.wallets', {})).wallets[0]!.address
    const { address } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    const master = client.open(JettonMaster.create(Address.parse(address)))
    const set = (balance: string, supply?: boolean) =>
      service.call('local.setJettonBalance', { jetton: address, owner, balance, ...(supply && { supply }) })
    const first = await set('1000')
    expect([first.was, (await master.getJettonData()).totalSupply]).toEqual(['0', 0n])
    await set('1500', true)
    expect((await master.getJettonData()).totalSupply).toBe(500n)
    const wallet = await walletOf(master.address, Address.parse(owner))
    expect(first.address).toBe(wallet.toString())
    const body = transferBody({ amount: 600n, to: person(0xb1), response: Address.parse(owner) })
    const { boc } = await service.call('local.signTransfer', { from: owner, to: wallet.toString(), amount: '200000000', body: b64(body) })
    await service.call('sendBoc', { boc })
    await service.call('local.mine', { count: 2 })
    const balance = async (of: Address) => client.open(JettonWallet.create(await walletOf(master.address, of))).getBalance()
    expect([await balance(Address.parse(owner)), await balance(person(0xb1))]).toEqual([900n, 600n])
    await expect(set('0', true)).rejects.toThrow(/supply would be -400/)
    expect(await balance(Address.parse(owner))).toBe(900n)
  })

  const content = beginCell().storeUint(1, 8).storeStringTail('https://example.com/a.json').endCell()
  const library = beginCell().storeUint(2, 8).storeBuffer(codeOf('8f452d7a').hash()).endCell({ exotic: true })
  const admin = person(0xad)
  it.each<[string, () => Promise<readonly [Cell, Cell]>, number]>([
    [
      'stablecoin, whose wallets are library cells',
      async () => [
        codeOf('18d5b6e7'),
        beginCell().storeCoins(77n).storeAddress(admin).storeAddress(null).storeRef(library).storeRef(content).endCell(),
      ],
      0,
    ],
    [
      'Tolk, which hashes the parts of a StateInit',
      async () => [await tolkMaster(''), beginCell().storeCoins(77n).storeRef(codeOf('9e06ca30')).endCell()],
      0,
    ],
    [
      'Jetton 2.0: a wallet in the shard of its owner',
      async () => [
        await tolkMaster(', toShard: { fixedPrefixLength: 8, closeTo: owner }'),
        beginCell().storeCoins(77n).storeRef(codeOf('9e06ca30')).endCell(),
      ],
      8,
    ],
  ])('%s', async (name, make, prefix) => {
    const [code, data] = await make()
    const master = new Address(0, Buffer.from(code.hash()).fill(name.length, 0, 1))
    await place(master, code, data)
    for (const byte of [0xc1, 0x3e]) {
      const owner = person(byte)
      const { address, was } = await service.call('local.setJettonBalance', {
        jetton: master.toString(),
        owner: owner.toString(),
        balance: '123456',
        supply: byte === 0xc1,
      })
      const wallet = await walletOf(master, owner)
      expect([address, was]).toEqual([wallet.toString(), '0'])
      if (prefix > 0) expect(wallet.hash[0]).toBe(byte)
      expect(await walletData(wallet)).toMatchObject({ exitCode: 0, balance: 123456n, owner: owner.toString(), master: master.toString() })
      expect((await service.call('getAddressInformation', { address })).balance).toBe('50000000')
    }
    const { stack } = await service.tonway.app.network.chain.runGetMethod(
      idOfAddress(master),
      idOf('get_jetton_data'),
      [],
      undefined,
      never,
    )
    expect(int(stack[0])).toBe(77n + 123456n)
  })
})

describe('what local.setJettonBalance refuses', () => {
  const set = (jetton: Address, owner = person(1)) =>
    service.call('local.setJettonBalance', { jetton: jetton.toString(), owner: owner.toString(), balance: '1' })
  const jettonData = [5n, -1n, { slice: beginCell().storeAddress(null).endCell() }, { cell: Cell.EMPTY }, { cell: Cell.EMPTY }] as const

  it('a contract that is no master, and wallets that are of another owner, cannot be made, or keep no balance', async () => {
    await expect(set(person(0x11))).rejects.toThrow(/no jetton master/)
    const stub = new Address(0, Buffer.from(codeOf('0f70ec46').hash()))
    await place(stub, codeOf('0f70ec46'), Cell.EMPTY)
    const answering = (wallet: Address) =>
      speaking({ get_wallet_address: [{ slice: beginCell().storeAddress(wallet).endCell() }], get_jetton_data: [...jettonData] })
    await place(person(0x12), answering(stub), Cell.EMPTY)
    await expect(set(person(0x12))).rejects.toThrow(/is no wallet of this owner and jetton/)
    await place(person(0x13), answering(person(0x14)), Cell.EMPTY)
    await expect(set(person(0x13))).rejects.toThrow(/is not deployed, and get_wallet_address of the jetton hashes no StateInit/)
    const address = (of: Address) => ({ slice: beginCell().storeAddress(of).endCell() })
    const constant = speaking({ get_wallet_data: [9n, address(person(1)), address(person(0x15)), { cell: Cell.EMPTY }] })
    await place(person(0x16), constant, beginCell().storeCoins(9n).endCell())
    await place(person(0x15), answering(person(0x16)), Cell.EMPTY)
    await expect(set(person(0x15))).rejects.toThrow(/cannot be set: no change of its data/)
    await place(person(0x17), speaking({ get_jetton_data: [{ code: '90ea' }] }), Cell.EMPTY)
    await expect(set(person(0x17))).rejects.toThrow(/no jetton master/)
  })

  it('a wallet whose balance no contract can keep: below zero, or over 2^120', async () => {
    const address = (of: Address) => ({ slice: beginCell().storeAddress(of).endCell() })
    for (const [i, balance] of [-5n, 2n ** 200n].entries()) {
      const [master, wallet] = [person(0x20 + i), person(0x28 + i)]
      const code = speaking({
        get_wallet_address: [address(wallet)],
        get_jetton_data: [...jettonData],
        get_wallet_data: [balance, address(person(1)), address(master), { cell: Cell.EMPTY }],
      })
      await place(master, code, Cell.EMPTY)
      await place(wallet, code, Cell.EMPTY)
      await expect(set(master)).rejects.toThrow(/cannot be set: no change of its data/)
    }
  })
})
