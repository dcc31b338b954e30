import { Address, beginCell, Cell, comment, external, internal, type OpenedContract, SendMode, storeMessage, toNano } from '@ton/core'
import { keyPairFromSeed, mnemonicToPrivateKey } from '@ton/crypto'
import { JettonMaster, TonClient, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../kit/service/service.ts'
import { addressOf, jettonMinterCode, jettonWalletCode, minterData, walletData } from './tonweb-codes.ts'

/* The unmodified TonClient of @ton/ton against the whole service: what a developer's first script does. */

let service: Service
let client: TonClient
let faucet: OpenedContract<WalletContractV4>
let faucetKey: Buffer

beforeAll(async () => {
  service = await startService()
  client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC` })
  const { wallets } = await service.call('local.wallets', {})
  const { mnemonic, raw_address } = wallets.find(({ version }) => version === 'v4R2')!
  const keys = await mnemonicToPrivateKey(mnemonic)
  faucet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }))
  faucetKey = keys.secretKey
  expect(faucet.address.equals(Address.parse(raw_address))).toBe(true)
})
afterAll(() => service?.close())

const keysOf = (byte: number) => keyPairFromSeed(Buffer.alloc(32, byte))
/** Sends from the faucet and waits for the block. */
const give = async (to: Address, value: string, body: Cell | string = '', init?: { code: Cell; data: Cell }): Promise<void> => {
  const seqno = await faucet.getSeqno()
  await faucet.sendTransfer({
    seqno,
    secretKey: faucetKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to, value, bounce: false, body, ...(init && { init }) })],
  })
  await arrived(async () => (await faucet.getSeqno()) > seqno)
}
/** Blocks are made at once when a message waits; what they send is delivered in the next ones. */
const arrived = async (check: () => Promise<boolean>): Promise<void> => {
  for (let i = 0; i < 50; i++) {
    if (await check()) return
    await service.call('local.mine', { count: 1 })
  }
  throw new Error('it never arrived')
}

describe('TonClient', () => {
  it('TonClient reads the masterchain, its shards and their transactions', async () => {
    const info = await client.getMasterchainInfo()
    expect(info.workchain).toBe(-1)
    expect(info.initSeqno).toBe(0)
    const shards = await client.getWorkchainShards(info.latestSeqno)
    expect(shards.map(({ workchain, shard }) => [workchain, shard])).toEqual([[0, '-9223372036854775808']])
    expect(await client.getShardTransactions(0, shards[0]!.seqno, shards[0]!.shard)).toEqual([])
  })

  it.each([
    ['v4R2', () => WalletContractV4.create({ workchain: 0, publicKey: keysOf(21).publicKey }), 21],
    ['v5R1', () => WalletContractV5R1.create({ walletId: { networkGlobalId: -3 }, workchain: 0, publicKey: keysOf(22).publicKey }), 22],
  ] as const)('TonClient deploys a wallet %s and transfers with a comment', async (_, create, byte) => {
    const wallet = client.open(create() as WalletContractV4)
    const { secretKey } = keysOf(byte)
    const friend = new Address(0, Buffer.alloc(32, byte + 100))
    expect(await client.isContractDeployed(wallet.address)).toBe(false)
    expect(await client.getBalance(wallet.address)).toBe(0n)
    await give(wallet.address, '5')
    await arrived(async () => (await client.getBalance(wallet.address)) === toNano('5'))
    const before = await client.getContractState(wallet.address)
    expect(before).toMatchObject({ state: 'uninitialized', balance: toNano('5'), code: null, data: null })

    const transfer = await wallet.createTransfer({
      seqno: 0,
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: friend, value: '1.5', bounce: false, body: 'hello, TON' })],
    } as Parameters<typeof wallet.createTransfer>[0])
    const fees = await client.estimateExternalMessageFee(wallet.address, {
      body: transfer,
      initCode: wallet.init.code,
      initData: wallet.init.data,
      ignoreSignature: false,
    })
    await wallet.send(transfer)
    await arrived(async () => (await client.getBalance(friend)) === toNano('1.5'))
    expect(await wallet.getSeqno()).toBe(1)
    expect(await client.isContractDeployed(wallet.address)).toBe(true)
    const after = await client.getContractState(wallet.address)
    expect(after.state).toBe('active')
    expect(Cell.fromBoc(after.code!)[0]!.equals(wallet.init.code)).toBe(true)

    const [deployment, funding] = await client.getTransactions(wallet.address, { limit: 10 })
    expect(funding!.inMessage?.info).toMatchObject({ type: 'internal', value: { coins: toNano('5') } })
    expect(deployment!.inMessage?.info.type).toBe('external-in')
    expect(deployment!.outMessagesCount).toBe(1)
    const [received] = await client.getTransactions(friend, { limit: 1 })
    const body = received!.inMessage!.body.beginParse()
    expect([body.loadUint(32), body.loadStringTail()]).toEqual([0, 'hello, TON'])

    // What was estimated is what it cost: fees of the sender and the forward fee of its one message.
    const forward = deployment!.outMessages.get(0)!.info
    const { description } = deployment!
    if (description.type !== 'generic' || description.computePhase.type !== 'vm' || forward.type !== 'internal')
      throw new Error('no computation')
    expect(BigInt(fees.source_fees.gas_fee)).toBe(description.computePhase.gasFees)
    expect(BigInt(fees.source_fees.fwd_fee)).toBe(description.actionPhase!.totalFwdFees)
    expect(
      deployment!.totalFees.coins -
        description.computePhase.gasFees -
        description.actionPhase!.totalActionFees! -
        (description.storagePhase?.storageFeesCollected ?? 0n),
    ).toBe(BigInt(fees.source_fees.in_fwd_fee))
  })

  it('TonClient pages transactions by lt and hash, and finds one', async () => {
    const all = await client.getTransactions(faucet.address, { limit: 100 })
    expect(all.length).toBeGreaterThanOrEqual(2)
    const [newest, second] = all as [(typeof all)[0], (typeof all)[0]]
    const cursor = { lt: newest.lt.toString(), hash: newest.hash().toString('base64') }
    expect((await client.getTransactions(faucet.address, { ...cursor, limit: 1, inclusive: true })).map(({ lt }) => lt)).toEqual([
      newest.lt,
    ])
    expect((await client.getTransactions(faucet.address, { ...cursor, limit: 1 })).map(({ lt }) => lt)).toEqual([second.lt])
    expect(
      await client.getTransactions(faucet.address, { ...cursor, limit: 100, inclusive: true, to_lt: second.lt.toString() }),
    ).toHaveLength(1)
    const found = await client.getTransaction(faucet.address, newest.lt.toString(), newest.hash().toString('base64'))
    expect(found!.hash()).toEqual(newest.hash())
    expect(await client.getTransactions(new Address(0, Buffer.alloc(32, 0x99)), { limit: 10 })).toEqual([])
  })

  it('TonClient locates the sender and the receiver of a message', async () => {
    const [sent] = await client.getTransactions(faucet.address, { limit: 1 })
    const info = sent!.outMessages.get(0)!.info
    if (info.type !== 'internal') throw new Error('no internal message')
    const lt = info.createdLt.toString()
    const result = await client.tryLocateResultTx(info.src, info.dest, lt)
    expect(result.inMessage?.info).toMatchObject({ createdLt: info.createdLt })
    const source = await client.tryLocateSourceTx(info.src, info.dest, lt)
    expect(source.hash()).toEqual(sent!.hash())
    await expect(client.tryLocateResultTx(info.dest, info.src, lt)).rejects.toThrow('404')
  })

  it('TonClient reads the shard transactions of a block', async () => {
    const { last_transaction_id } = await service.call('getAddressInformation', { address: faucet.address.toString() })
    const block = await service.call('lookupBlock', { workchain: 0, shard: '-9223372036854775808', lt: last_transaction_id.lt })
    const found = await client.getShardTransactions(0, block.seqno, block.shard)
    expect(found.map(({ account }) => account.toString())).toContain(faucet.address.toString())
    expect(found.find(({ lt }) => lt === last_transaction_id.lt)?.hash).toBe(last_transaction_id.hash)
  })

  it('TonClient deploys a jetton, mints, transfers and reads all of it back', async () => {
    const owner = client.open(WalletContractV4.create({ workchain: 0, publicKey: keysOf(31).publicKey }))
    const { secretKey } = keysOf(31)
    const friend = new Address(0, Buffer.alloc(32, 0x31))
    await give(owner.address, '20')
    const send = async (to: Address, value: string, body: Cell, init?: { code: Cell; data: Cell }): Promise<void> => {
      const seqno = await owner.getSeqno()
      await owner.sendTransfer({
        seqno,
        secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: [internal({ to, value, body, ...(init && { init }) })],
      })
      await arrived(async () => (await owner.getSeqno()) > seqno)
    }
    const init = { code: jettonMinterCode, data: minterData(owner.address, 'https://example.org/jetton.json') }
    const minter = addressOf(init.code, init.data)
    const mint = beginCell()
      .storeUint(21, 32)
      .storeUint(0, 64)
      .storeAddress(owner.address)
      .storeCoins(toNano('0.2'))
      .storeRef(
        beginCell()
          .storeUint(0x178d4519, 32)
          .storeUint(0, 64)
          .storeCoins(1_000_000n)
          .storeAddress(null)
          .storeAddress(null)
          .storeCoins(0n)
          .storeBit(0),
      )
      .endCell()
    await send(minter, '1', mint, init)
    await arrived(() => client.isContractDeployed(addressOf(jettonWalletCode, walletData(0n, owner.address, minter))))

    const master = client.open(JettonMaster.create(minter))
    const wallet = await master.getWalletAddress(owner.address)
    expect(wallet.equals(addressOf(jettonWalletCode, walletData(0n, owner.address, minter)))).toBe(true)
    expect(await master.getJettonData()).toMatchObject({ totalSupply: 1_000_000n, mintable: true })

    const transfer = beginCell()
      .storeUint(0xf8a7ea5, 32)
      .storeUint(1, 64)
      .storeCoins(250_000n)
      .storeAddress(friend)
      .storeAddress(owner.address)
      .storeBit(0)
      .storeCoins(1n)
      .storeMaybeRef(comment('for you'))
      .endCell()
    await send(wallet, '0.5', transfer)
    const friendWallet = await master.getWalletAddress(friend)
    await arrived(() => client.isContractDeployed(friendWallet))
    const balance = async (address: Address): Promise<bigint> => {
      const { stack } = await client.runMethod(address, 'get_wallet_data')
      return stack.readBigNumber()
    }
    expect([await balance(wallet), await balance(friendWallet)]).toEqual([750_000n, 250_000n])

    expect(await service.call('getTokenData', { address: minter.toString() })).toMatchObject({
      contract_type: 'jetton_master',
      total_supply: '1000000',
      admin_address: owner.address.toString(),
      jetton_content: { type: 'offchain', data: 'https://example.org/jetton.json' },
    })
    expect(await service.call('getTokenData', { address: friendWallet.toString({ bounceable: false }) })).toMatchObject({
      contract_type: 'jetton_wallet',
      balance: '250000',
      owner: friend.toString(),
      jetton: minter.toString(),
    })
    await expect(service.call('getTokenData', { address: owner.address.toString() })).rejects.toMatchObject({
      status: 409,
      message: 'Smart contract is not Jetton or NFT',
    })
  })

  it('TonClient gets TON’s own text when a message is refused', async () => {
    const message = external({
      to: faucet.address,
      body: await faucet.createTransfer({ seqno: 9999, secretKey: faucetKey, sendMode: SendMode.NONE, messages: [] }),
    })
    const file = beginCell().store(storeMessage(message)).endCell().toBoc()
    await expect(client.sendFile(file)).rejects.toMatchObject({ response: { status: 500 } })
    const response = await service.raw('/api/v2/jsonRPC', { method: 'sendBoc', params: { boc: file.toString('base64') } })
    const { error } = response.body as { error: string }
    expect(error).toMatch(/^LITE_SERVER_UNKNOWN: cannot apply external message to current state/)
    expect(error).toContain('exitcode=33')
  })

  it('TonClient runs get-methods that fail, and gets their exit code', async () => {
    await expect(client.runMethod(faucet.address, 'no_such_method')).rejects.toThrow('exit_code: 11')
    const { exit_code, gas_used } = await client.runMethodWithError(new Address(0, Buffer.alloc(32, 0x98)), 'seqno')
    expect([exit_code, gas_used]).toEqual([-13, 0])
  })
})
