import { Address, beginCell, Cell, Dictionary, internal, SendMode } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { augEntries, loadAugE } from '../../server/cell/aug.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { AccountState } from '../../server/chain/chain-port.ts'
import { readWallet } from '../../server/tlb/contracts/wallets.ts'
import { loadAccount } from '../../server/tlb/state/account.ts'
import { loadShardAccount, shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { loadShardState } from '../../server/tlb/state/shard-state.ts'
import { typedState } from '../../server/v2/typed-state.ts'
import { registry } from '../../shared/registry.ts'
import { keys } from '../kit/chain/contracts.ts'
import { readData } from '../kit/data.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { answering } from './answering-contract.ts'
import { b64 } from './cells.ts'
import { BLOCK } from './contracts-chain.ts'

const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex')}`
const account = (byte: number, workchain = 0): Address => new Address(workchain, Buffer.alloc(32, byte))
const compiled = (name: string): Cell =>
  Cell.fromBoc(Buffer.from((JSON.parse(readData(`codes/${name}.json`).toString()) as { hex: string }).hex, 'hex'))[0]!
/** An exotic cell that stands for another by its hash. */
const libraryCell = (cell: Cell): Cell => beginCell().storeUint(2, 8).storeBuffer(cell.hash()).endCell({ exotic: true })
/** Root of Hashmap 256 SimpleLib with public libraries. */
const libraries = (...cells: Cell[]): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: (cell: Cell, b) => b.storeBit(1).storeRef(cell),
    parse: () => Cell.EMPTY,
  })
  for (const cell of cells) dict.set(BigInt(`0x${cell.hash().toString('hex')}`), cell)
  return beginCell().storeDictDirect(dict).endCell()
}

describe('contracts as they stand on mainnet', () => {
  let service: Service
  const admin = account(0x71)
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())
  const put = (address: Address, code: Cell, data: Cell) =>
    service.call('local.setAccount', { address: raw(address), balance: '10000000000', code: b64(code), data: b64(data) })
  const publish = (...cells: Cell[]) =>
    service.call('local.setAccount', {
      address: raw(account(0x70, -1)),
      balance: '1000000000000',
      code: b64(answering({})),
      data: b64(Cell.EMPTY),
      library: b64(libraries(...cells)),
    })

  it('a governed jetton of mainnet has on-chain content, and wallets whose code is a library', async () => {
    const minterCode = compiled('stablecoin-JettonMinter')
    const walletCode = compiled('stablecoin-JettonWallet')
    const inLibrary = libraryCell(walletCode)
    const uri = 'https://example.org/usd.json'
    // total_supply:Coins admin:MsgAddress next_admin:MsgAddress wallet_code:^Cell metadata_uri:^Cell
    const data = beginCell()
      .storeCoins(1_000_000n)
      .storeAddress(admin)
      .storeAddress(null)
      .storeRef(inLibrary)
      .storeRef(beginCell().storeStringTail(uri))
      .endCell()
    const master = account(0x72)
    await put(master, minterCode, data)
    const token = await service.call('getTokenData', { address: raw(master) })
    expect(token).toMatchObject({
      contract_type: 'jetton_master',
      total_supply: '1000000',
      mintable: true,
      admin_address: admin.toString(),
      jetton_content: { type: 'onchain', data: { uri, decimals: '6' } },
      jetton_wallet_code: b64(inLibrary),
    })

    const { stack } = await service.call('runGetMethod', {
      address: raw(master),
      method: 'get_wallet_address',
      stack: [['tvm.Slice', b64(beginCell().storeAddress(admin).endCell())]],
    })
    const wallet = Cell.fromBase64((stack[0]![1] as { bytes: string }).bytes)
      .beginParse()
      .loadAddress()
    // status:uint4 balance:Coins owner:MsgAddress master:MsgAddress
    await put(wallet, inLibrary, beginCell().storeUint(0, 4).storeCoins(77n).storeAddress(admin).storeAddress(master).endCell())
    // Without its library the code cannot be run.
    await expect(service.call('getTokenData', { address: raw(wallet) })).rejects.toMatchObject({ status: 409 })
    expect(await service.call('runGetMethod', { address: raw(wallet), method: 'get_wallet_data', stack: [] })).toMatchObject({
      exit_code: 9,
    })
    await publish(walletCode)
    await service.call('local.mine', {})
    expect(await service.call('getTokenData', { address: raw(wallet) })).toEqual({
      '@type': 'ext.tokens.jettonWalletData',
      address: `0:${wallet.hash.toString('hex').toUpperCase()}`,
      contract_type: 'jetton_wallet',
      balance: '77',
      owner: admin.toString(),
      jetton: master.toString(),
      jetton_wallet_code: b64(inLibrary),
    })
  })

  it('the fee estimate for a wallet whose code is a library equals that of the code itself', async () => {
    const { init } = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    await publish(init.code)
    await service.call('local.mine', {})
    const [plain, shared] = [account(0x74), account(0x75)]
    await put(plain, init.code, init.data)
    await put(shared, libraryCell(init.code), init.data)
    const body = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }).createTransfer({
      seqno: 0,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: admin, value: 1n })],
      timeout: 0xffffffff,
    })
    const fees = async (address: Address) => {
      const { gas_fee, fwd_fee } = (await service.call('estimateFee', { address: raw(address), body: b64(body) })).source_fees
      return { gas_fee, fwd_fee }
    }
    const expected = await fees(plain)
    expect(expected.gas_fee).toBeGreaterThan(0)
    const found = await fees(shared)
    expect(found.fwd_fee).toBe(expected.fwd_fee)
    // Loading the library cell costs gas of its own.
    expect(found.gas_fee).toBeGreaterThanOrEqual(expected.gas_fee)
  })

  it('messages to and from the masterchain are located', async () => {
    const { wallets } = await service.call('local.wallets', {})
    expect(wallets.length).toBeGreaterThan(0)
    const [from, to] = [account(0x76), account(0x77, -1)]
    // Sends what it is sent on to the masterchain account: PUSHREF message, PUSHINT 64, SENDRAWMSG.
    const message = beginCell()
      .storeUint(0x10, 6)
      .storeAddress(to)
      .storeCoins(0)
      .storeUint(0, 1 + 4 + 4 + 64 + 32 + 1 + 1)
      .endCell()
    const forwarder = beginCell()
      .storeBuffer(Buffer.from('ff00', 'hex'))
      .storeUint(0x88, 8)
      .storeRef(message)
      .storeBuffer(Buffer.from('8040fb00', 'hex'))
      .endCell()
    await put(from, forwarder, Cell.EMPTY)
    await service.call('local.sendInternal', { from: raw(admin), to: raw(from), value: '1000000000', bounce: false })
    let received: Awaited<ReturnType<typeof transactions>> = []
    const transactions = () => service.call('getTransactions', { address: raw(to) })
    for (let i = 0; i < 20 && received.length === 0; i++) {
      await service.call('local.mine', {})
      received = await transactions()
    }
    expect(received).toHaveLength(1)
    const [sent] = await service.call('getTransactions', { address: raw(from), limit: 1 })
    const params = { source: raw(from), destination: raw(to), created_lt: received[0]!.in_msg!.created_lt }
    expect(await service.call('tryLocateResultTx', params)).toEqual(received[0])
    expect(await service.call('tryLocateSourceTx', params)).toEqual(sent)
    // Much later, too.
    await service.call('local.mine', { count: 40 })
    expect(await service.call('tryLocateTx', params)).toEqual(received[0])
  })
})

describe('the 6,325 accounts of a recorded shard', () => {
  it('the 6,325 accounts of a recorded shard are recognised by their code, in the form of the registry', async () => {
    const state = loadShardState(parseBocRoot(readData('chain/mainnet-shard2000-571525-571555.state-571524.boc.gz')))
    const names = new Map<string, string>()
    type Code = { readonly code_hash: string; readonly names?: readonly string[] }
    for (const { code_hash, names: known } of JSON.parse(readData('codes/by-hash.json.gz').toString()) as Code[]) {
      if (known?.[0]) names.set(code_hash, known[0])
    }
    const kinds = new Map<string, number>()
    const count = (name: string): void => void kinds.set(name, (kinds.get(name) ?? 0) + 1)
    let accounts = 0
    for (const [, , value] of augEntries(shardAccountsAug, loadAugE(state.accounts.slice(), shardAccountsAug), { cells: 1e9 })) {
      accounts++
      const { accountCell, lastTransHash, lastTransLt } = loadShardAccount(value)
      const found = loadAccount(accountCell)
      const fields = { id: { workchain: 0, hash: new Uint8Array(32) }, block: BLOCK, shardBlock: BLOCK, genUtime: 1_575_000_000, genLt: 0n }
      const told = await typedState(
        {
          ...fields,
          account: found,
          lastTransLt,
          lastTransHash,
          balance: found?.balance ?? { grams: 0n },
          status: 'active',
          accountCell,
        } as AccountState,
        new AbortController().signal,
      )
      expect(registry.getExtendedAddressInformation.result.shape.account_state.safeParse(told.account_state).success).toBe(true)
      const init = found?.state.type === 'active' ? found.state.init : undefined
      const wallet = init?.code && readWallet(init.code, init.data)
      const name = init?.code && names.get(init.code.hashHex())
      const expected = name?.match(/^wallet_v(\d)r(\d)$/)
      expect(wallet?.wallet_type, name).toBe(expected ? `wallet v${expected[1]} r${expected[2]}` : undefined)
      if (wallet && 'seqno' in told.account_state) expect(told.account_state.seqno).toBe(wallet.seqno)
      count(told.account_state['@type'])
      if (wallet) count(wallet.wallet_type)
    }
    expect(accounts).toBe(6325)
    expect(kinds.get('wallet v3 r1')).toBe(kinds.get('wallet.v3.accountState'))
    expect(Object.fromEntries(kinds)).toMatchInlineSnapshot(`
      {
        "raw.accountState": 269,
        "uninited.accountState": 4552,
        "wallet v1 r1": 78,
        "wallet v1 r2": 42,
        "wallet v2 r1": 4,
        "wallet v3 r1": 1504,
        "wallet.v3.accountState": 1504,
      }
    `)
  })
})
