import {
  Address,
  beginCell,
  Cell,
  convertToMerkleProof,
  Dictionary,
  type DictionaryValue,
  internal,
  loadMessage,
  loadMessageRelaxed,
} from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { wideTree } from '../kit/bombs.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { timeTurns } from '../kit/turns.ts'
import { answering } from '../v2/answering-contract.ts'
import { b64 } from '../v2/cells.ts'

/* The controls of the embedded chain, called as a developer calls them, and what v2 tells afterwards. */

const MANY_CELLS = Buffer.from(serializeBoc(wideTree(8_193))).toString('base64')

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const raw = (byte: number, workchain = 0): string => `${workchain}:${Buffer.alloc(32, byte).toString('hex')}`
const balance = (address: string, seqno?: number) =>
  service.call('getAddressBalance', seqno === undefined ? { address } : { address, seqno })
const head = async () => (await service.call('getMasterchainInfo', {})).last

describe('local.*', () => {
  it('fund and sendInternal tell the transaction that received the message, and its trace', async () => {
    const to = `0:${'a7'.repeat(32)}`
    const funded = await service.call('local.fund', { address: to, amount: '1234567' })
    const [first] = await service.call('getTransactions', { address: to, limit: 1 })
    expect(funded.transaction_id).toEqual(first!.transaction_id)
    expect(funded.trace_id).toBe(first!.transaction_id.hash)
    expect(first!.in_msg?.value).toBe('1234567')
    for (const coins of [{ amount: '5000' }, { value: '6000' }]) {
      const sent = await service.call('local.sendInternal', { from: `0:${'b8'.repeat(32)}`, to, bounce: false, ...coins })
      const [newest] = await service.call('getTransactions', { address: to, limit: 1 })
      expect(sent.transaction_id).toEqual(newest!.transaction_id)
      expect(newest!.in_msg?.value).toBe(Object.values(coins)[0])
    }
    const amounts = ['70001', '70002', '70003']
    const together = await Promise.all(amounts.map((amount) => service.call('local.fund', { address: to, amount })))
    const newest = await service.call('getTransactions', { address: to, limit: 3 })
    for (const [i, { transaction_id }] of together.entries())
      expect(newest.find((each) => each.transaction_id.hash === transaction_id.hash)?.in_msg?.value).toBe(amounts[i])
    for (const both of [{}, { amount: '1', value: '1' }])
      await expect(service.call('local.sendInternal', { from: to, to, ...both })).rejects.toThrow(/exactly one of amount and value/)
  })

  it('local.wallets lists funded wallets, whose mnemonics lead to their addresses', async () => {
    const { wallets } = await service.call('local.wallets', {})
    expect(wallets.map(({ version }) => version).sort()).toEqual(['v4R2', 'v5R1'])
    for (const { version, address, raw_address, mnemonic, public_key, balance: shown } of wallets) {
      const { publicKey } = await mnemonicToPrivateKey(mnemonic)
      expect(public_key).toBe(publicKey.toString('hex'))
      const wallet =
        version === 'v4R2'
          ? WalletContractV4.create({ workchain: 0, publicKey })
          : WalletContractV5R1.create({ walletId: { networkGlobalId: -3 }, workchain: 0, publicKey })
      expect(address).toBe(wallet.address.toString({ bounceable: false }))
      expect(Address.parse(raw_address).equals(wallet.address)).toBe(true)
      expect(await balance(address)).toBe(shown)
      expect(BigInt(shown)).toBeGreaterThan(10n ** 12n)
    }
  })

  it('local.fund pays in the block that it names, in both workchains', async () => {
    for (const address of [raw(1), raw(1, -1)]) {
      const { block } = await service.call('local.fund', { address, amount: '1500000000' })
      expect(block).toEqual(await head())
      expect(await balance(address)).toBe('1500000000')
      expect(await balance(address, block.seqno)).toBe('1500000000')
      expect(await balance(address, block.seqno - 1)).toBe('0')
    }
  })

  it('local.mine makes one block, or as many as asked', async () => {
    const { seqno } = await head()
    expect((await service.call('local.mine', {})).block.seqno).toBe(seqno + 1)
    expect((await service.call('local.mine', { count: 25 })).block).toEqual(await head())
    expect((await head()).seqno).toBe(seqno + 26)
  })

  it('setTime and increaseTime change what contracts and headers see', async () => {
    const clock = raw(2)
    // NOW
    await service.call('local.setAccount', {
      address: clock,
      balance: '1',
      code: b64(answering({ time: [{ code: 'f823' }] })),
      data: b64(Cell.EMPTY),
    })
    const time = async (): Promise<number> => {
      const { last } = await service.call('getMasterchainInfo', {})
      const { gen_utime } = await service.call('getBlockHeader', { workchain: -1, shard: last.shard, seqno: last.seqno })
      const { stack } = await service.call('runGetMethod', { address: clock, method: 'time', stack: [] })
      expect(Number(stack[0]![1])).toBe(gen_utime)
      return gen_utime
    }
    const before = await time()
    expect(await service.call('local.setTime', { utime: before + 1000 })).toEqual({ utime: before + 1000 })
    expect(await time()).toBe(before + 1000)
    const { utime } = await service.call('local.increaseTime', { seconds: 86_400 })
    expect(utime).toBeGreaterThanOrEqual(before + 87_400)
    expect(await time()).toBe(utime)
    await expect(service.call('local.setTime', { utime: before })).rejects.toThrow(/before the time of the last block/)
    // While blocks wait for a call, so does the time.
    for (const [method, on, off] of [
      ['local.setAutomine', { automine: false }, { automine: true }],
      ['local.holdShardBlocks', { hold: true }, { hold: false }],
    ] as const) {
      await service.call(method, on)
      const old = await time()
      const { utime } = await service.call('local.increaseTime', { seconds: 1000 })
      expect(utime).toBeGreaterThanOrEqual(old + 1000)
      expect(await time()).toBe(old)
      await service.call(method, off)
      await service.call('local.mine', {})
      expect(await time()).toBeGreaterThanOrEqual(utime)
    }
  })

  it('after a revert everything since the snapshot is undone and never served again', async () => {
    const address = raw(3)
    /** Whole coins: rent takes some nanograms between. */
    const coins = async (): Promise<number> => Math.round(Number(await balance(address)) / 1e9)
    const give = (amount: number) => service.call('local.fund', { address, amount: String(amount * 1e9) })
    await give(1000)
    const at = await head()
    const { snapshot } = await service.call('local.snapshot', {})
    for (let i = 0; i < 3; i++) {
      await give(1)
      expect(await coins()).toBe(1001 + i)
      expect(await service.call('getTransactions', { address })).toHaveLength(2 + i)
    }
    const undone = await head()
    expect((await service.call('local.revert', { snapshot })).block).toEqual(at)
    expect(await head()).toEqual(at)
    expect(await coins()).toBe(1000)
    expect(await service.call('getTransactions', { address })).toHaveLength(1)
    await expect(balance(address, undone.seqno)).rejects.toMatchObject({ status: 500 })
    await expect(service.call('getBlockHeader', { workchain: -1, shard: undone.shard, seqno: undone.seqno })).rejects.toMatchObject({
      status: 500,
    })
    // The same seqno again is another block, and what is told of it is the new one's.
    await give(77)
    await service.call('local.mine', { count: 3 })
    const again = await service.call('lookupBlock', { workchain: -1, shard: undone.shard, seqno: undone.seqno })
    expect(again.root_hash).not.toBe(undone.root_hash)
    expect(await coins()).toBe(1077)
    await expect(service.call('local.revert', { snapshot: 'no such snapshot' })).rejects.toThrow(/no such snapshot/)
    expect((await service.call('local.revert', { snapshot })).block).toEqual(at)
  })

  it('setAccount sets balance, code, data and library, each by itself', async () => {
    const address = raw(4)
    const code = answering({ seven: [7n] })
    await service.call('local.setAccount', { address, balance: '5000000000' })
    expect(await service.call('getAddressInformation', { address })).toMatchObject({ balance: '5000000000', state: 'uninitialized' })
    await service.call('local.setAccount', { address, code: b64(code), data: b64(Cell.EMPTY) })
    expect(await service.call('getAddressInformation', { address })).toMatchObject({
      balance: '5000000000',
      state: 'active',
      data: b64(Cell.EMPTY),
    })
    await service.call('local.setAccount', { address, data: b64(beginCell().storeUint(9, 8).endCell()) })
    const { code: kept, data } = await service.call('getAddressInformation', { address })
    expect([Cell.fromBase64(kept).equals(code), data]).toEqual([true, b64(beginCell().storeUint(9, 8).endCell())])
    expect(await service.call('runGetMethod', { address, method: 'seven', stack: [] })).toMatchObject({ stack: [['num', '0x7']] })
    await service.call('local.setAccount', { address, balance: '0' })
    expect(await balance(address)).toBe('0')
    // Libraries are public where an account of the masterchain says so.
    const keeper = `-1:${'04'.repeat(32)}`
    const publicLib: DictionaryValue<Cell> = {
      serialize: (cell, builder) => builder.storeBit(true).storeRef(cell),
      parse: (slice) => slice.skip(1).loadRef(),
    }
    const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), publicLib).set(code.hash(), code)
    const root = beginCell().storeDictDirect(libraries).endCell()
    await service.call('local.setAccount', { address: keeper, code: b64(code), data: b64(Cell.EMPTY), library: b64(root) })
    expect((await service.call('getLibraries', { libraries: [code.hash().toString('hex')] })).result).toMatchObject([{ data: b64(code) }])
    const noDictionary = { address: keeper, library: b64(beginCell().storeUint(1, 1).endCell()) }
    await expect(service.call('local.setAccount', noDictionary)).rejects.toThrow('library is not the root of a Hashmap 256 SimpleLib')
    for (let i = 0; i < 600; i++) {
      const cell = beginCell().storeUint(i, 32).endCell()
      libraries.set(cell.hash(), cell)
    }
    const tooMany = { address: keeper, library: b64(beginCell().storeDictDirect(libraries).endCell()) }
    await expect(service.call('local.setAccount', tooMany)).rejects.toThrow('too many cells')
  })

  it('setBalance sets a balance in the block that it names, in both workchains, and leaves code and data', async () => {
    for (const workchain of [0, -1]) {
      const address = raw(7, workchain)
      const { block } = await service.call('local.setBalance', { address, balance: '5000000000' })
      expect(block).toEqual(await head())
      expect(await service.call('getAddressInformation', { address })).toMatchObject({ balance: '5000000000', state: 'uninitialized' })
      await service.call('local.setAccount', { address, code: b64(answering({ seven: [7n] })), data: b64(Cell.EMPTY) })
      const { code, data, last_transaction_id } = await service.call('getAddressInformation', { address })
      await service.call('local.setBalance', { address, balance: '3' })
      const after = await service.call('getAddressInformation', { address })
      expect(after).toMatchObject({ balance: '3', state: 'active', code, data, last_transaction_id })
      expect(await balance(address, block.seqno)).toBe('5000000000')
    }
  })

  it('cells with pruned branches outside of Merkle cells are refused, because no block may have them', async () => {
    const stub = beginCell().storeUint(0x0101, 16).storeBuffer(Buffer.alloc(32, 7)).storeUint(3, 16).endCell({ exotic: true })
    const pruned = b64(beginCell().storeUint(0, 32).storeRef(stub).endCell())
    const [from, to] = [raw(0x66), raw(0x67)]
    const { seqno } = await head()
    await expect(service.call('local.sendInternal', { from, to, amount: '1', body: pruned, bounce: false })).rejects.toThrow(
      /body must have zero level/,
    )
    await expect(service.call('local.sendInternal', { from, to, amount: '1', init: pruned })).rejects.toThrow(/init must have zero level/)
    await expect(service.call('local.setAccount', { address: to, data: pruned })).rejects.toThrow(/data must have zero level/)
    await expect(service.call('local.setConfig', { params: { '-999': pruned } })).rejects.toThrow(/params.-999 must have zero level/)
    expect((await head()).seqno).toBe(seqno)
  })

  it('three Merkle cells inside each other are refused, because no chain has them in a state', async () => {
    let proofs = beginCell().storeUint(1, 8).endCell()
    for (let i = 0; i < 3; i++) proofs = convertToMerkleProof(proofs)
    const given = { params: { '-999': b64(proofs) } }
    await expect(service.call('local.setConfig', given)).rejects.toThrow(/params.-999 has more than 2 Merkle cells inside each other/)
    await service.call('local.setConfig', { params: { '-999': b64(proofs.refs[0]!) } })
    await service.call('getConfigAll', {})
    await service.call('local.setConfig', { params: { '-999': null } })
  })

  it('sendInternal sends a message from any address, with body and init', async () => {
    const [from, to] = [raw(5), raw(6)]
    const body = beginCell().storeUint(0, 32).storeStringTail('from nowhere').endCell()
    await service.call('local.sendInternal', { from, to, value: '123456789', body: b64(body), bounce: false })
    const [transaction] = await service.call('getTransactions', { address: to })
    expect(transaction).toMatchObject({
      in_msg: {
        source: Address.parse(from).toString(),
        destination: Address.parse(to).toString(),
        value: '123456789',
        message: 'from nowhere',
      },
    })
    const init = { code: answering({}), data: beginCell().storeUint(6, 8).endCell() }
    const state = beginCell().storeUint(0, 2).storeMaybeRef(init.code).storeMaybeRef(init.data).storeBit(0).endCell()
    const deployed = `0:${state.hash().toString('hex')}`
    await service.call('local.sendInternal', { from, to: deployed, value: '1000000000', init: b64(state) })
    expect(await service.call('getAddressState', { address: deployed })).toBe('active')
  })

  it('signTransfer signs what the wallet would send itself, and sendBoc sends it', async () => {
    const to = raw(0x71)
    const { wallets } = await service.call('local.wallets', {})
    let before = 0n
    for (const { version, address, mnemonic } of wallets) {
      const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic)
      const comment = `acorns of a ${version}`
      for (const [seqno, bounce] of [false, true].entries()) {
        const asked = { from: address, to, amount: '250000000', bounce, comment }
        const { boc, hash, hash_norm } = await service.call('local.signTransfer', asked)
        const messages = [internal({ to: Address.parse(to), value: 250_000_000n, bounce, body: comment })]
        const order = { seqno, secretKey, timeout: 0xffff_ffff, sendMode: 3, messages }
        const expected =
          version === 'v4R2'
            ? WalletContractV4.create({ workchain: 0, publicKey }).createTransfer(order)
            : WalletContractV5R1.create({ walletId: { networkGlobalId: -3 }, workchain: 0, publicKey }).createTransfer(order)
        const message = loadMessage(Cell.fromBase64(boc).asSlice())
        expect([version, seqno, message.body.toString()]).toEqual([version, seqno, expected.toString()])
        expect(hash).toBe(Cell.fromBase64(boc).hash().toString('base64'))
        const sent = await service.call('sendBocReturnHash', { boc })
        expect([sent.hash, sent.hash_norm]).toEqual([hash, hash_norm])
        // The second one comes back: it bounces from an account without code.
        if (!bounce) before += 250_000_000n
        await expect.poll(async () => (await service.call('getWalletInformation', { address })).seqno).toBe(seqno + 1)
        // Storage takes a few nanograms.
        await expect.poll(async () => Math.round(Number(await balance(to)) / 1e6)).toBe(Number(before) / 1e6)
      }
    }
    // A comment of several cells arrives in whole.
    const long = 'oak '.repeat(200)
    const told = await service.call('local.signTransfer', { from: wallets[0]!.address, to, amount: '1000', bounce: false, comment: long })
    await service.call('sendBoc', { boc: told.boc })
    await expect
      .poll(async () => (await service.call('getTransactions', { address: to, limit: 1 }))[0]!.in_msg)
      .toMatchObject({ value: '1000', message: long })
    const body = beginCell().storeUint(0x1234, 16).endCell()
    const { boc } = await service.call('local.signTransfer', { from: wallets[0]!.address, to, amount: '1', body: b64(body) })
    const order = loadMessage(Cell.fromBase64(boc).asSlice()).body
    expect(loadMessageRelaxed(order.refs.at(-1)!.asSlice()).body.equals(body)).toBe(true)
  })

  it.each([
    ['a non-bounceable address', (to: Address) => to.toString({ bounceable: false }), undefined, false],
    ['a bounceable address', (to: Address) => to.toString(), undefined, true],
    ['a raw address', (to: Address) => to.toRawString(), undefined, true],
    ['a non-bounceable address, told to bounce', (to: Address) => to.toString({ bounceable: false }), true, true],
  ])('signTransfer to %s sets the flag of the message accordingly', async (_, write, bounce, expected) => {
    const { wallets } = await service.call('local.wallets', {})
    const to = write(Address.parse(raw(0x72)))
    const { boc } = await service.call('local.signTransfer', { from: wallets[0]!.address, to, amount: '1', ...(bounce && { bounce }) })
    const { info } = loadMessageRelaxed(loadMessage(Cell.fromBase64(boc).asSlice()).body.refs.at(-1)!.asSlice())
    expect(info).toMatchObject({ bounce: expected })
  })

  it('thousands of parameters of setConfig are replaced in several turns', async () => {
    const many = Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [String(-1_000 - i), b64(Cell.EMPTY)]))
    const set = service.call('local.setConfig', { params: { ...many, 0: null } })
    const { longest, all } = await timeTurns(() => expect(set).rejects.toThrow(/parameter 0 is missing/))
    expect(longest).toBeLessThan(all / 3)
  })

  it('setConfig replaces and removes parameters, in a key block', async () => {
    const cell = beginCell().storeUint(0xcafe, 16).endCell()
    const { block } = await service.call('local.setConfig', { params: { '-999': b64(cell) } })
    const header = await service.call('getBlockHeader', { workchain: -1, shard: block.shard, seqno: block.seqno })
    expect(header.is_key_block).toBe(true)
    const all = async () =>
      Dictionary.loadDirect(
        Dictionary.Keys.Int(32),
        Dictionary.Values.Cell(),
        Cell.fromBase64((await service.call('getConfigAll', {})).config.bytes),
      )
    expect((await all()).get(-999)?.equals(cell)).toBe(true)
    await service.call('local.setConfig', { params: { '-999': null } })
    expect((await all()).has(-999)).toBe(false)
  })

  it.each<[string, string, object, RegExp]>([
    ['an unknown workchain', 'local.fund', { address: raw(1, 5), amount: '1' }, /workchain/],
    ['an amount that is no number', 'local.fund', { address: raw(1), amount: 'many' }, /amount/],
    ['an amount below zero', 'local.fund', { address: raw(1), amount: '-1' }, /amount/],
    ['an amount over 120 bits', 'local.fund', { address: raw(1), amount: (2n ** 120n).toString() }, /amount/],
    ['no blocks', 'local.mine', { count: 0 }, /count/],
    ['too many blocks', 'local.mine', { count: 100_001 }, /count/],
    ['a step back in time', 'local.increaseTime', { seconds: -1 }, /seconds/],
    ['no balance', 'local.setBalance', { address: raw(1) }, /balance/],
    ['a balance below zero', 'local.setBalance', { address: raw(1), balance: '-1' }, /balance/],
    ['a balance of a workchain that is not there', 'local.setBalance', { address: raw(1, 5), balance: '1' }, /workchain/],
    ['nothing to set', 'local.setAccount', { address: raw(1) }, /at least one/],
    ['code that is no BoC', 'local.setAccount', { address: raw(1), code: 'AAAA' }, /code/],
    ['data that is no base64', 'local.setAccount', { address: raw(1), data: '****' }, /data/],
    ['a body that is no BoC', 'local.sendInternal', { from: raw(1), to: raw(2), value: '1', body: 'AAAA' }, /body/],
    ['a transfer of an account that is no funded wallet', 'local.signTransfer', { from: raw(1), to: raw(2), amount: '1' }, /funded wallet/],
    [
      'a transfer of two bodies',
      'local.signTransfer',
      { from: raw(1), to: raw(2), amount: '1', comment: 'x', body: b64(Cell.EMPTY) },
      /one of/,
    ],
    [
      'a transfer of more coins than there can be',
      'local.signTransfer',
      { from: raw(1), to: raw(2), amount: (2n ** 120n).toString() },
      /amount/,
    ],
    [
      'an init that is none',
      'local.sendInternal',
      { from: raw(1), to: raw(2), value: '1', init: b64(Cell.EMPTY) },
      /^init is not a StateInit/,
    ],
    [
      'an init that is the code alone',
      'local.sendInternal',
      { from: raw(1), to: raw(2), value: '1', init: b64(answering({})) },
      /^init is not a StateInit, but maybe its code alone \(.* left unread\); storeStateInit of @ton\/core writes one$/,
    ],
    [
      'an impersonated message whose init is the code alone',
      'local.impersonate',
      { from: raw(1), to: raw(2), amount: '1', init: b64(answering({})) },
      /^init is not a StateInit/,
    ],
    [
      'an init of code and data in two members',
      'local.sendInternal',
      { from: raw(1), to: raw(2), value: '1', init: { code: b64(answering({})), data: b64(Cell.EMPTY) } },
      /init '\{"code".*expected the BoC of a StateInit, which is one cell with code and data, as standard padded base64/,
    ],
    ['a configuration parameter that is no BoC', 'local.setConfig', { params: { 5: 'AAAA' } }, /5/],
    ['a configuration parameter without a number', 'local.setConfig', { params: { five: b64(Cell.EMPTY) } }, /params/],
    ['no configuration parameters', 'local.setConfig', { params: {} }, /params/],
    [
      'a body of more cells than a message may have',
      'local.sendInternal',
      { from: raw(1), to: raw(2), value: '1', body: MANY_CELLS },
      /failed to parse body: .*over the limit of 8192/,
    ],
    ['a configuration parameter of as many', 'local.setConfig', { params: { '-7': MANY_CELLS } }, /params.-7: .*over the limit of 8192/],
    ['a parameter that it does not know', 'local.mine', { blocks: 1 }, /blocks/],
  ])('the controls refuse %s, and nothing changes', async (_, method, params, text) => {
    const before = await head()
    const response = await service.raw('/jsonRPC', { jsonrpc: '2.0', id: 1, method, params })
    const { error } = response.body as { error: { code: number; message: string } }
    expect([error.code, error.message]).toEqual([-32602, expect.stringMatching(text)])
    expect(await head()).toEqual(before)
  })
})
