import { Address, beginCell, Cell, comment, Dictionary, internal, type OpenedContract, SendMode, toNano } from '@ton/core'
import { keyPairFromSeed, mnemonicToPrivateKey } from '@ton/crypto'
import { JettonMaster, TonClient4, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transferBody } from '../../kit/chain/jetton-bodies.ts'
import { ask, post } from '../../kit/service/client.ts'
import { type Service, startService } from '../../kit/service/service.ts'

/* The unmodified TonClient4 of @ton/ton against the whole service: all that its class offers. Its codecs check the answers. */

let service: Service
let client: TonClient4
let faucet: OpenedContract<WalletContractV4>
let secretKey: Buffer

beforeAll(async () => {
  service = await startService({ liteserverPort: 0 })
  client = new TonClient4({ endpoint: `${service.url}/api/v4` })
  const { wallets } = await service.call('local.wallets', {})
  const keys = await mnemonicToPrivateKey(wallets.find(({ version }) => version === 'v4R2')!.mnemonic)
  faucet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }))
  secretKey = keys.secretKey
})
afterAll(() => service?.close())

const FRIEND = new Address(0, Buffer.alloc(32, 0x44))
const NOBODY = new Address(0, Buffer.alloc(32, 0x45))
const HASH = Buffer.alloc(32, 7)

const newest = async (): Promise<number> => (await client.getLastBlock()).last.seqno
/** Mines until something is so. */
const arrived = async (check: () => Promise<boolean>): Promise<void> => {
  for (let i = 0; i < 50; i++) {
    if (await check()) return
    await service.call('local.mine', { count: 1 })
  }
  throw new Error('it never arrived')
}
const give = async (to: Address, value: string, body: Cell | string = '', bounce = false): Promise<void> => {
  const seqno = await faucet.getSeqno()
  await faucet.sendTransfer({
    seqno,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to, value, bounce, body })],
  })
  await arrived(async () => (await faucet.getSeqno()) > seqno)
}
const lastOf = async (address: Address) => {
  const { last } = (await client.getAccountLite(await newest(), address)).account
  return { lt: BigInt(last!.lt), hash: Buffer.from(last!.hash, 'base64') }
}
const parsedOf = async (address: Address, count?: number) => {
  const { lt, hash } = await lastOf(address)
  return client.getAccountTransactionsParsed(address, lt, hash, count)
}

describe('TonClient4', () => {
  it('TonClient4 reads the newest block as v2 tells it', async () => {
    const block = await client.getLastBlock()
    const { last, init, state_root_hash } = await service.call('getMasterchainInfo', {})
    expect(block).toMatchObject({
      last: { seqno: last.seqno, shard: last.shard, workchain: -1, rootHash: last.root_hash, fileHash: last.file_hash },
      init: { rootHash: init.root_hash, fileHash: init.file_hash },
      stateRootHash: state_root_hash,
    })
    const { workchain, shard, seqno } = last
    const header = await service.call('getBlockHeader', { workchain, shard, seqno })
    expect(block.now).toBe(header.gen_utime)
  })

  it('TonClient4 reads blocks with their shard blocks and transactions, by number and by time', async () => {
    await give(FRIEND, '1', 'hello, v4')
    await arrived(async () => (await client.getAccountLite(await newest(), FRIEND)).account.last !== null)
    const last = await newest()
    const found = new Map<string, { account: string; hash: string; lt: string }[]>()
    for (let seqno = 1; seqno <= last; seqno++) {
      const { shards } = await client.getBlock(seqno)
      expect(shards[0]).toMatchObject({ workchain: -1, seqno })
      for (const { workchain, shard, seqno: number, rootHash, fileHash, transactions } of shards) {
        const id = { workchain, shard, seqno: number }
        const name = JSON.stringify(id)
        // No block is in two answers.
        expect(found.has(name)).toBe(false)
        found.set(name, transactions)
        expect(await service.call('lookupBlock', id)).toMatchObject({ root_hash: rootHash, file_hash: fileHash })
        const listed = await service.call('getBlockTransactions', { ...id, count: 100 })
        expect(transactions.map(({ account, hash, lt }) => ({ account: Address.parse(account).toRawString(), hash, lt }))).toEqual(
          listed.transactions.map(({ account, hash, lt }) => ({ account, hash, lt })),
        )
      }
    }
    // All shard blocks up to the newest one are there.
    const { shards } = await service.call('getShards', { seqno: last })
    const numbers = [...found.keys()].map((name) => JSON.parse(name)).flatMap(({ workchain, seqno }) => (workchain === 0 ? [seqno] : []))
    expect(numbers).toEqual(Array.from({ length: shards[0]!.seqno }, (_, i) => i + 1))
    const { lt } = await lastOf(FRIEND)
    expect([...found.values()].flat().filter((transaction) => transaction.lt === String(lt))).toMatchObject([
      { account: FRIEND.toString() },
    ])

    const { now } = await client.getLastBlock()
    const byTime = await client.getBlockByUtime(now)
    const first = await service.call('lookupBlock', { workchain: -1, shard: '-9223372036854775808', unixtime: now })
    expect(byTime.shards[0]!.rootHash).toBe(first.root_hash)
    expect(byTime).toEqual(await client.getBlock(first.seqno))
  })

  it('TonClient4 hears that a block is out of scope, before the first and after the newest', async () => {
    const { last, now } = await client.getLastBlock()
    for (const seqno of [0, -5, last.seqno + 100, 2 ** 31 - 1])
      await expect(client.getBlock(seqno)).rejects.toThrow('Block is out of scope')
    for (const utime of [0, -5, now + 1_000]) await expect(client.getBlockByUtime(utime)).rejects.toThrow('Block is out of scope')
    // The answer is another one once the block is there.
    const next = last.seqno + 2
    await expect(client.getBlock(next)).rejects.toThrow('Block is out of scope')
    await service.call('local.mine', { count: 2 })
    expect((await client.getBlock(next)).shards[0]!.seqno).toBe(next)
  })

  it('TonClient4 reads accounts at any block as v2 tells them', async () => {
    const seqno = await newest()
    for (const [address, at] of [
      [faucet.address, seqno],
      [faucet.address, 1],
      [FRIEND, seqno],
      [NOBODY, seqno],
    ] as const) {
      const { account, block } = await client.getAccount(at, address)
      const known = await service.call('getAddressInformation', { address: address.toString(), seqno: at })
      expect(block).toEqual({
        workchain: -1,
        seqno: at,
        shard: known.block_id.shard,
        rootHash: known.block_id.root_hash,
        fileHash: known.block_id.file_hash,
      })
      expect(account.balance).toEqual({ coins: known.balance, currencies: {} })
      const { lt, hash } = known.last_transaction_id
      expect(account.last).toEqual(lt === '0' ? null : { lt, hash })
      const { state } = account
      if (state.type === 'active') expect([state.code, state.data]).toEqual([known.code, known.data])
      else expect([state.type, known.state]).toEqual(['uninit', 'uninitialized'])
      const lite = await client.getAccountLite(at, address)
      expect({ ...lite.account, state: undefined }).toEqual({ ...account, state: undefined })
      if (state.type === 'active' && lite.account.state.type === 'active')
        expect(lite.account.state.codeHash).toBe(Cell.fromBase64(state.code!).hash().toString('base64'))
      expect(await client.isContractDeployed(at, address)).toBe(known.state === 'active')
    }
    expect((await client.getAccount(seqno, NOBODY)).account.storageStat).toBeNull()
    expect((await client.getAccount(seqno, FRIEND)).account.storageStat!.used.cells).toBe(1)
  })

  it('TonClient4 is told whether an account has changed', async () => {
    const { lt } = await lastOf(FRIEND)
    const seqno = await newest()
    expect((await client.isAccountChanged(seqno, FRIEND, lt)).changed).toBe(false)
    expect((await client.isAccountChanged(seqno, FRIEND, lt - 1n)).changed).toBe(true)
    expect((await client.isAccountChanged(seqno, NOBODY, lt)).changed).toBe(true)
  })

  it('TonClient4 reads the configuration, whole and some of its parameters', async () => {
    const seqno = await newest()
    const { config } = await client.getConfig(seqno)
    expect(config.cell).toBe((await service.call('getConfigAll', { seqno })).config.bytes)
    expect(config.address).toBe(new Address(-1, Buffer.alloc(32, 0x55)).toString())
    expect(BigInt(config.globalBalance.coins)).toBeGreaterThan(toNano('1000000'))
    const some = await client.getConfig(seqno, [15, 0, 17, 4_000])
    const dictionary = Cell.fromBase64(some.config.cell).beginParse().loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
    expect(dictionary.keys().sort((a, b) => a - b)).toEqual([0, 15, 17])
    for (const [id, cell] of dictionary) {
      const { config: known } = await service.call('getConfigParam', { config_id: id, seqno })
      expect(cell.equals(Cell.fromBase64(known.bytes))).toBe(true)
    }
  })

  it('TonClient4 runs get-methods with arguments of every type, at any block', async () => {
    const { address: jetton } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    const master = client.open(JettonMaster.create(Address.parse(jetton)))
    const wallet = await master.getWalletAddress(faucet.address)
    const known = await service.call('runGetMethodStd', {
      address: jetton,
      method: 'get_wallet_address',
      stack: [
        {
          '@type': 'tvm.stackEntrySlice',
          slice: { '@type': 'tvm.slice', bytes: beginCell().storeAddress(faucet.address).endCell().toBoc().toString('base64') },
        },
      ],
    })
    expect(JSON.stringify(known)).toContain(beginCell().storeAddress(wallet).endCell().toBoc({ idx: false }).toString('base64'))
    const seqno = await newest()
    const ran = await client.runMethod(seqno, faucet.address, 'seqno')
    expect([ran.exitCode, ran.reader.readNumber(), ran.block.seqno]).toEqual([0, await faucet.getSeqno(), seqno])
    const shards = await service.call('getShards', { seqno })
    expect(ran.shardBlock).toMatchObject({ workchain: 0, seqno: shards.shards[0]!.seqno, rootHash: shards.shards[0]!.root_hash })
    // At block 1 the wallet had sent nothing.
    expect((await client.runMethod(1, faucet.address, 'seqno')).reader.readNumber()).toBe(0)
    expect(await client.runMethod(seqno, NOBODY, 'seqno')).toMatchObject({ exitCode: -13, resultRaw: null, result: [] })
    const failed = await client.runMethod(seqno, faucet.address, 'no_such_method', [
      { type: 'int', value: -(2n ** 255n) },
      { type: 'null' },
      { type: 'nan' },
      { type: 'cell', cell: Cell.EMPTY },
      { type: 'slice', cell: beginCell().storeUint(5, 3).endCell() },
      { type: 'builder', cell: beginCell().storeRef(Cell.EMPTY).endCell() },
      {
        type: 'tuple',
        items: [
          { type: 'int', value: 1n },
          { type: 'tuple', items: [] },
        ],
      },
    ])
    expect(failed.exitCode).toBe(11)
  })

  it.each([
    ['v3R2', WalletContractV3R2.create({ workchain: 0, publicKey: keyPairFromSeed(Buffer.alloc(32, 1)).publicKey }), 1],
    ['v4R2', WalletContractV4.create({ workchain: 0, publicKey: keyPairFromSeed(Buffer.alloc(32, 2)).publicKey }), 2],
    [
      'v5R1',
      WalletContractV5R1.create({ walletId: { networkGlobalId: -3 }, publicKey: keyPairFromSeed(Buffer.alloc(32, 3)).publicKey }),
      3,
    ],
  ] as const)('TonClient4 deploys a wallet %s, sends with it and reads its history', async (_, contract, byte) => {
    const wallet = client.open(contract as WalletContractV4)
    const keys = keyPairFromSeed(Buffer.alloc(32, byte))
    await give(wallet.address, '5')
    await arrived(async () => (await wallet.getBalance()) === toNano('5'))
    expect(await client.provider(wallet.address).getState()).toMatchObject({ balance: toNano('5'), state: { type: 'uninit' } })
    const sent = {
      seqno: 0,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: FRIEND, value: '1.5', bounce: false, body: `from ${byte}` })],
    }
    await wallet.sendTransfer(sent)
    await arrived(async () => client.isContractDeployed(await newest(), wallet.address))
    expect(await wallet.getSeqno()).toBe(1)
    const state = await client.provider(wallet.address).getState()
    expect(state.state.type === 'active' && Cell.fromBoc(state.state.code!)[0]!.equals(wallet.init!.code)).toBe(true)
    await arrived(async () => (await parsedOf(FRIEND)).transactions[0]!.operation.comment === `from ${byte}`)

    const { transactions, blocks } = await parsedOf(wallet.address)
    expect(transactions.map(({ parsed }) => [parsed.kind, parsed.seqno, parsed.status, parsed.amount])).toEqual([
      ['out', 0, 'success', String(-toNano('1.5'))],
      ['in', null, 'success', String(toNano('5'))],
    ])
    expect(blocks).toHaveLength(2)
    expect(transactions[0]).toMatchObject({
      address: wallet.address.toString(),
      oldStatus: 'uninitialized',
      newStatus: 'active',
      parsed: { dest: FRIEND.toString(), body: { type: 'comment', comment: `from ${byte}` }, mentioned: [FRIEND.toString()] },
      operation: { address: wallet.address.toString(), comment: `from ${byte}`, items: [{ kind: 'ton', amount: String(-toNano('1.5')) }] },
    })
    expect(transactions[0]!.operation.op).toBeUndefined()
    expect(transactions[0]!.prevTransaction).toEqual({
      lt: transactions[1]!.lt,
      hash: Buffer.from(transactions[1]!.hash, 'base64').toString('hex'),
    })

    // A message that comes a second time is refused as v2 refuses it.
    await expect(wallet.sendTransfer(sent)).rejects.toMatchObject({
      response: { status: 500, data: { error: expect.stringContaining('cannot apply external message') } },
    })
  })

  it('TonClient4 sends messages by a sender and by an opened contract, and sees a failure in the history', async () => {
    const sender = faucet.sender(secretKey)
    const before = await faucet.getSeqno()
    await client.provider(FRIEND).internal(sender, { value: '0.25', bounce: false, body: 'by a sender' })
    await arrived(async () => (await faucet.getSeqno()) > before)
    await arrived(async () => (await parsedOf(FRIEND)).transactions[0]!.operation.comment === 'by a sender')
    // An order that sends nothing.
    await faucet.sendTransfer({ seqno: before + 1, secretKey, sendMode: SendMode.NONE, messages: [] })
    await arrived(async () => (await faucet.getSeqno()) > before + 1)
    const [failed] = (await parsedOf(faucet.address, 1)).transactions
    expect(failed!.parsed).toMatchObject({ status: 'failed', kind: 'out', seqno: before + 1, dest: null, amount: '0' })
    expect(await client.openAt(1, WalletContractV4.create({ workchain: 0, publicKey: faucet.publicKey })).getSeqno()).toBe(0)
    expect((await client.providerAt(1, FRIEND).getState()).state.type).toBe('uninit')
    await expect(client.provider(NOBODY).get('seqno', [])).rejects.toThrow('Exit code: -13')
  })

  it('TonClient4 reads transactions as v2 has them, whole histories of many pages too', async () => {
    for (let i = 0; i < 3; i++) await give(FRIEND, '0.01', comment('x'.repeat(200 + i)))
    const { lt, hash } = await lastOf(FRIEND)
    const found = await client.getAccountTransactions(FRIEND, lt, hash)
    const known = await service.call('getTransactions', { address: FRIEND.toString(), limit: 20 })
    expect(found.map(({ tx }) => tx.hash().toString('base64'))).toEqual(known.map(({ transaction_id }) => transaction_id.hash))
    for (const { block, tx } of found)
      expect(await service.call('lookupBlock', { workchain: 0, shard: block.shard, lt: String(tx.lt) })).toMatchObject({
        seqno: block.seqno,
        root_hash: block.rootHash,
      })
    const parsed = await parsedOf(FRIEND, 100)
    for (const [i, { data, fee: _, ...transaction }] of known.entries()) {
      expect(parsed.transactions[i]).toMatchObject({
        hash: transaction.transaction_id.hash,
        lt: transaction.transaction_id.lt,
        time: transaction.utime,
        inMessage: { info: { type: 'internal', value: transaction.in_msg!.value, src: transaction.in_msg!.source } },
      })
      expect(Cell.fromBase64(data).hash().toString('base64')).toBe(parsed.transactions[i]!.hash)
    }
    const provider = client.provider(faucet.address)
    const last = await lastOf(faucet.address)
    const whole = await provider.getTransactions(faucet.address, last.lt, last.hash, 1_000)
    const all = await service.call('getTransactions', { address: faucet.address.toString(), limit: 1_000 })
    expect(whole.map((tx) => tx.hash().toString('base64'))).toEqual(all.map(({ transaction_id }) => transaction_id.hash))
  })

  it('TonClient4 takes every operation on jettons, and no word that it does not know', async () => {
    const { address: jetton } = await service.call('local.deployJetton', { name: 'Beech', symbol: 'BCH' })
    await service.call('local.mintJetton', { jetton, owner: faucet.address.toString(), amount: '1000' })
    await service.call('local.mine', { count: 5 })
    const master = client.open(JettonMaster.create(Address.parse(jetton)))
    const wallet = await master.getWalletAddress(faucet.address)
    const body = transferBody({
      amount: 300n,
      to: FRIEND,
      response: faucet.address,
      forward: toNano('0.02'),
      payload: comment('for acorns'),
    })
    await give(wallet, '0.5', body, true)
    await service.call('local.mine', { count: 6 })
    const opsOf = async (address: Address) => (await parsedOf(address, 5)).transactions.map(({ operation }) => operation)
    expect(await opsOf(wallet)).toContainEqual({
      address: FRIEND.toString(),
      comment: 'for acorns',
      items: [
        { kind: 'token', amount: '300' },
        { kind: 'ton', amount: expect.stringMatching(/^\d+$/) },
      ],
      op: { type: 'jetton::transfer' },
    })
    expect((await opsOf(FRIEND))[0]).toEqual({
      address: faucet.address.toString(),
      comment: 'for acorns',
      items: [
        { kind: 'token', amount: '300' },
        { kind: 'ton', amount: String(toNano('0.02')) },
      ],
      op: { type: 'jetton::transfer_notification' },
    })
    expect((await opsOf(faucet.address)).map(({ op }) => op?.type)).toContain('jetton::excesses')
    // The wallet of the receiver got an internal transfer, for which TonClient4 has no word.
    const [received] = await opsOf(await master.getWalletAddress(FRIEND))
    expect([received!.op, received!.items.length]).toEqual([undefined, 1])
  })

  it('TonClient4 reads bodies of pools, bounces, and bodies that end early', async () => {
    const op = (code: number) => beginCell().storeUint(code, 32)
    const withdrawal = (stake: bigint) => op(0xda803efd).storeUint(0, 64).storeCoins(100n).storeCoins(stake).endCell()
    const bodies: readonly (readonly [Cell, unknown])[] = [
      [op(0x7bcd1fef).storeUint(0, 64).storeCoins(1n).endCell(), { type: 'deposit' }],
      [withdrawal(0n), { type: 'withdraw::all' }],
      [withdrawal(toNano('2.5')), { type: 'withdraw', options: { coins: '2.5' } }],
      [op(0x74bb3427).storeUint(0, 64).endCell(), { type: 'withdraw::delayed' }],
      [op(0x23d421e1).storeUint(0, 64).endCell(), { type: 'withdraw::ok' }],
      // Bodies that end early, in an op that TonClient4 knows, and others.
      [op(0xda803efd).endCell(), undefined],
      [op(0x0f8a7ea5).storeUint(0, 64).endCell(), undefined],
      [op(0x7362d09c).endCell(), undefined],
      [op(0).endCell(), undefined],
      [beginCell().storeUint(1, 31).endCell(), undefined],
      [op(0xffffffff).storeUint(0xf8a7ea5, 32).endCell(), undefined],
      [beginCell().endCell(), undefined],
    ]
    for (const [body, expected] of bodies) {
      await service.call('local.sendInternal', {
        from: faucet.address.toString(),
        to: FRIEND.toString(),
        value: '1000000',
        body: body.toBoc().toString('base64'),
      })
      await service.call('local.mine', { count: 1 })
      const [transaction] = (await parsedOf(FRIEND, 1)).transactions
      expect(transaction!.inMessage!.body).toBe(body.toBoc({ idx: false }).toString('base64'))
      expect(transaction!.operation.op).toEqual(expected)
    }
  })
})

describe('v4 over HTTP', () => {
  const get = (path: string) => ask(`${service.url}/api/v4${path}`)
  const cacheOf = async (path: string) => (await get(path)).headers.get('cache-control')

  it('v4 says of answers for a given block that they stay, and of no other', async () => {
    const seqno = await newest()
    const { now } = await client.getLastBlock()
    const { lt, hash } = await lastOf(FRIEND)
    const place = `${lt}/${hash.toString('base64url')}`
    // This chain can be reverted, so the answers do not stay for long.
    for (const path of [
      ...['', `/${FRIEND}`, `/${FRIEND}/lite`, `/${FRIEND}/changed/1`, `/${faucet.address}/run/seqno`, '/config', '/config/0'].map(
        (rest) => `/block/${seqno}${rest}`,
      ),
      ...[`/block/utime/${now}`, `/account/${FRIEND}/tx/${place}`, `/account/${FRIEND}/tx/parsed/${place}`],
    ])
      for (const _ of ['made', 'cached']) expect([path, await cacheOf(path)]).toEqual([path, 'public, max-age=0, immutable'])
    for (const path of ['/block/latest', `/block/${seqno + 100}`, `/block/utime/${now + 100}`, `/block/${seqno}/nobody`, '/block/x'])
      expect([path, await cacheOf(path)]).toEqual([path, 'no-store'])
  })

  it('v4 answers garbage on each path with an error that names what is wrong', async () => {
    const seqno = await newest()
    const place = `1/${HASH.toString('base64url')}`
    const cases: readonly (readonly [path: string, status: number, text: RegExp])[] = [
      ['/block/1.5', 422, /^failed to parse seqno \(expected 32-bit integer/],
      ['/block/99999999999', 422, /^failed to parse seqno/],
      ['/block/%FF%00', 422, /^failed to parse seqno/],
      ['/block/utime/99999999999', 422, /^failed to parse utime/],
      ['/block/utime/soon', 422, /^failed to parse utime/],
      [`/block/${seqno}/EQbad`, 422, /^failed to parse address \(expected 48 characters/],
      [`/block/0/${FRIEND}`, 422, /^seqno should be positive/],
      [`/block/x/${FRIEND}/lite`, 422, /^failed to parse seqno/],
      [`/block/${seqno + 100}/${FRIEND}`, 404, /^seqno: there is no block \d+; the newest is \d+$/],
      [`/block/${seqno + 100}/${FRIEND}/lite`, 404, /^seqno: there is no block/],
      [`/block/${seqno + 100}/${FRIEND}/run/seqno`, 404, /^seqno: there is no block/],
      [`/block/${seqno + 100}/config`, 404, /^seqno: there is no block/],
      [`/block/${seqno}/${FRIEND}/changed/-1`, 422, /^lt should be non-negative/],
      [`/block/${seqno}/${FRIEND}/changed/99999999999999999999`, 422, /^failed to parse lt/],
      [`/block/${seqno}/config/0,x`, 422, /^failed to parse ids/],
      [`/block/${seqno}/config/2147483648`, 422, /^failed to parse ids \(expected numbers of configuration parameters/],
      [`/block/${seqno}/config/,`, 422, /^failed to parse ids/],
      [`/block/${seqno}/config/${'1,'.repeat(300)}1`, 422, /^failed to parse ids/],
      [`/block/${seqno}/config/4000,4001`, 404, /^ids: the configuration has no parameter 4000, 4001$/],
      [`/block/${seqno}/${FRIEND}/run/${'x'.repeat(256)}`, 422, /^failed to parse method/],
      [`/block/${seqno}/${FRIEND}/run/seqno/!!`, 422, /^failed to parse args/],
      [`/block/${seqno}/${FRIEND}/run/seqno/AAAA`, 422, /^args is not a VmStack in a BoC/],
      [`/block/${seqno}/${FRIEND}/run/seqno/${Cell.EMPTY.toBoc().toString('base64url')}`, 422, /^args is not a VmStack in a BoC/],
      [`/block/${seqno}/${FRIEND}/run/seqno/${'A'.repeat(12_289)}`, 414, /^args is over 12288 characters/],
      [`/account/x/tx/${place}`, 422, /^failed to parse address/],
      [`/account/${FRIEND}/tx/0/${HASH.toString('base64url')}`, 422, /^lt should be positive/],
      [`/account/${FRIEND}/tx/1/abc`, 422, /^failed to parse hash/],
      [`/account/${FRIEND}/tx/${place}`, 500, /^LITE_SERVER_/],
      [`/account/${FRIEND}/tx/parsed/${place}?count=101`, 422, /^count should be less or equal 100/],
      [`/account/${FRIEND}/tx/parsed/${place}?count=0`, 422, /^count should be positive/],
      ['/nothing', 404, /^not found/],
      [`/block/${seqno}/${FRIEND}/nothing`, 404, /^not found/],
      ['/block/latest/', 404, /^not found/],
    ]
    for (const [path, status, text] of cases) {
      const { body, ...answer } = await get(path)
      expect([path, answer.status, body]).toEqual([path, status, { error: expect.stringMatching(text), code: status }])
    }
    const wrongVerb = await post(`${service.url}/api/v4/block/latest`, {})
    expect([wrongVerb.status, wrongVerb.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await get('/send')).status).toBe(405)
    for (const [body, text] of [
      [{}, /^empty boc/],
      [{ boc: 'no base64' }, /^invalid base64 encoded bytes: boc/],
      [{ boc: '' }, /^empty boc/],
      [{ bok: 'AAAA' }, /unknown parameter 'bok'/],
      [[], /an object is expected/],
    ] as const)
      expect(await post(`${service.url}/api/v4/send`, body)).toMatchObject({ status: 422, body: { error: expect.stringMatching(text) } })
    expect(await post(`${service.url}/api/v4/send`, { boc: 'AAAA' })).toMatchObject({
      status: 500,
      body: { error: expect.stringMatching(/^INVALID_BAG_OF_CELLS/) },
    })
  })

  it('v4 takes 12 KB of arguments and every form of addresses and hashes', async () => {
    const seqno = await newest()
    let cell = Cell.EMPTY
    for (let i = 0; i < 70; i++) cell = beginCell().storeBuffer(Buffer.alloc(120, i)).storeRef(cell).endCell()
    const answer = await client.runMethod(seqno, faucet.address, 'seqno', [{ type: 'cell', cell }])
    expect(answer.exitCode).toBe(0)
    const { lt, hash } = await lastOf(FRIEND)
    const first = (await get(`/account/${FRIEND}/tx/${lt}/${hash.toString('base64url')}`)).body
    for (const address of [FRIEND.toRawString(), FRIEND.toString({ bounceable: false }), FRIEND.toString({ testOnly: true })])
      for (const text of [hash.toString('hex'), encodeURIComponent(hash.toString('base64'))])
        expect((await get(`/account/${address}/tx/${lt}/${text}`)).body).toEqual(first)
  })

  it('v4 is served under the name of a network, by JSON-RPC, and over a followed network', async () => {
    const seqno = await newest()
    const named = new TonClient4({ endpoint: `${service.url}/local/api/v4` })
    const follower = await startService({ network: ['copy'], globalConfig: `${service.url}/global.config.json` })
    try {
      const over = new TonClient4({ endpoint: `${follower.url}/api/v4`, timeout: 20_000 })
      await expect.poll(async () => (await over.getLastBlock()).last.seqno).toBeGreaterThanOrEqual(seqno)
      for (const each of [named, over]) {
        expect(await each.getBlock(seqno)).toEqual(await client.getBlock(seqno))
        expect(await each.getAccount(seqno, faucet.address)).toEqual(await client.getAccount(seqno, faucet.address))
        expect(await each.getConfig(seqno)).toEqual(await client.getConfig(seqno))
        expect((await each.runMethod(seqno, faucet.address, 'seqno')).resultRaw).toBe(
          (await client.runMethod(seqno, faucet.address, 'seqno')).resultRaw,
        )
        const { lt, hash } = await lastOf(faucet.address)
        expect(await each.getAccountTransactionsParsed(faucet.address, lt, hash)).toEqual(await parsedOf(faucet.address))
      }
      const before = await faucet.getSeqno()
      await over.open(WalletContractV4.create({ workchain: 0, publicKey: faucet.publicKey })).sendTransfer({
        seqno: before,
        secretKey,
        sendMode: SendMode.NONE,
        messages: [internal({ to: FRIEND, value: '0.1', bounce: false })],
      })
      await arrived(async () => (await faucet.getSeqno()) > before)
    } finally {
      await follower.close()
    }
    const answer = await service.call('v4.getAccountLite', { seqno, address: FRIEND.toString() })
    expect({ account: answer.account }).toEqual(await client.getAccountLite(seqno, FRIEND))
  })
})
