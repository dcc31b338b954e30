import { Address, beginCell, Cell, TupleBuilder } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { internal, TonClient, WalletContractV4 } from '@ton/ton'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectTrace, findTransactions } from '../../server/start/expect.ts'
import type { Trace } from '../../server/start/types.ts'
import { useTonway } from '../../server/start/vitest.ts'

/* What a test is told about what it did: recorded transactions, assertions about them, and why something failed. One chain for the file. */

const chain = useTonway({ port: 'off' })
const raw = (byte: number): string => `0:${Buffer.alloc(32, byte).toString('hex')}`
const THROWER = raw(0x31)
const FRIEND = raw(0x77)
const opcodes = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell()
const b64 = (cell: Cell): string => cell.toBoc().toString('base64')

beforeAll(async () => {
  // PUSHINT 5, THROW 57
  await chain.client.local.setAccount({ address: THROWER, balance: '1000000000', code: b64(opcodes('75f239')), data: b64(Cell.EMPTY) })
})

/** The first funded wallet as TonClient opens it, and its sender. */
const openWallet = async () => {
  const keys = await mnemonicToPrivateKey([...chain.wallets[0]!.mnemonic])
  const client = new TonClient({ endpoint: chain.endpoint, httpAdapter: chain.httpAdapter })
  const contract = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  const wallet = client.open(contract)
  const send = async (to: string, seqno?: number): Promise<void> => {
    const messages = [
      internal({ to: Address.parse(to), value: '0.5', bounce: true, body: beginCell().storeUint(0x12345678, 32).endCell() }),
    ]
    // The message stays valid when a test moves the time.
    const timeout = 0xffff_ffff
    await wallet.sendTransfer({ seqno: seqno ?? (await wallet.getSeqno()), secretKey: keys.secretKey, messages, timeout })
  }
  return { client, address: contract.address, send }
}

describe('record and expectTrace', () => {
  let trace: Trace
  it('a recorded transfer by TonClient tells every transaction, its failure and its bounce', async () => {
    const wallet = await openWallet()
    const recorded = await chain.record(async () => {
      await wallet.send(THROWER)
      return 'done'
    })
    trace = recorded
    expect([recorded.result, recorded.complete, recorded.transactions.length]).toEqual(['done', true, 3])
    const { address } = wallet
    const expected = expectTrace(recorded)
    expected.toHaveTransaction({ from: null, to: address, success: true, outMessagesCount: 1, value: null })
    expected.toHaveTransaction({
      from: address,
      to: THROWER,
      op: 0x12345678,
      value: (coins) => coins !== null && coins > 499_000_000n,
      success: false,
      aborted: true,
      exitCode: 57,
    })
    expected.toHaveTransaction({ from: address.toString(), on: THROWER, exitCode: (code) => code !== null && code > 50, deploy: false })
    expected.toHaveTransaction({
      to: THROWER,
      body: beginCell().storeUint(0x12345678, 32).endCell(),
      oldStatus: 'active',
      endStatus: 'active',
    })
    expected.toHaveTransaction({
      from: THROWER,
      to: address,
      inMessageBounced: true,
      inMessageBounceable: false,
      totalFees: (fees) => fees >= 0n,
    })
    expected.not.toHaveTransaction({ to: FRIEND })
    expected.not.toHaveTransaction({ to: THROWER, success: true })
    expect(findTransactions(recorded, { to: address })).toHaveLength(2)
  })

  it('a failed assertion shows what no transaction has, and the tree with the last steps of what failed', () => {
    const failure = (run: () => void): string => {
      try {
        run()
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`
      }
      return 'nothing was thrown'
    }
    const text = failure(() => expectTrace(trace).toHaveTransaction({ to: THROWER, success: true, value: 500_000_000n }))
    expect(text).toContain('AssertionError: expected the trace to have a transaction with\n')
    expect(text).toContain(
      `  to: ${Address.parseRaw(THROWER).toString()}\n  success: true\n  value: 500000000   <- no transaction has this\n`,
    )
    expect(text).toContain(`\nok ${chain.wallets[0]!.address} external message, `)
    expect(text).toMatch(
      new RegExp(`\n {2}failed ${Address.parseRaw(THROWER).toString()} op 0x12345678, 0.49\\d+ GRAM from ${chain.wallets[0]!.address}\n`),
    )
    expect(text).toContain('exit code 57: a code of the contract')
    expect(text).toMatch(/\n {6}PUSHINT 5 {2}\[.*\]\n {6}THROW 57 {2}\[.* 5\]\n/)
    expect(text).toContain(`\n    ok ${chain.wallets[0]!.address} bounced op 0x12345678, `)
    expect(failure(() => expectTrace(trace).toHaveTransaction({ to: FRIEND }))).toContain(
      `to: ${Address.parseRaw(FRIEND).toString()}   <- no transaction has this`,
    )
    const friend = Address.parseRaw(FRIEND)
    for (const bounceable of [true, false])
      for (const given of [{ urlSafe: false }, { testOnly: true }])
        expect(failure(() => expectTrace(trace).toHaveTransaction({ to: friend.toString({ bounceable, ...given }) }))).toContain(
          `to: ${friend.toString({ bounceable })}   <- no transaction has this`,
        )
    expect(failure(() => expectTrace(trace).toHaveTransaction({ value: friend as never }))).toContain(`value: ${friend.toString()} is no`)
    expect(failure(() => expectTrace(trace).toHaveTransaction({ op: 0x1234567 }))).toContain(
      '  op: 0x01234567   <- no transaction has this\n',
    )
    expect(failure(() => expectTrace(trace).not.toHaveTransaction({ exitCode: 57 }))).toContain(
      'not to have a transaction with\n  exitCode: 57\n',
    )
  })

  it.each([
    [{ form: THROWER }, 'unknown field of a transaction form; did you mean from?'],
    [{}, 'a transaction is looked for by at least one of from, to'],
    [{ to: 'nowhere' }, 'to: "nowhere" is not valid; expected: address'],
    [{ from: undefined, to: THROWER }, 'from is undefined: leave it out if it may be anything'],
    [{ to: null }, 'to: null is not valid; expected: address'],
    [{ oldStatus: 'uninitialized' }, 'oldStatus: "uninitialized" is not valid; expected: status: uninit, frozen, active, nonexist'],
    [{ exitCode: '57' }, 'exitCode: "57" is not valid; expected: integer, or null'],
    [{ op: '0x12345678' }, 'op: "0x12345678" is not valid; expected: integer, or null'],
    [{ success: 1 }, 'success: 1 is not valid; expected: boolean'],
    [{ value: '' }, 'value: "" is not valid; expected: amount: a bigint, or decimal digits, or null'],
    [{ body: 5 }, 'body: 5 is not valid; expected: cell'],
    [{ body: 'abc' }, 'body: "abc" is not valid; expected: cell'],
  ])('a filter %j that can find nothing is an error', (wanted, text) => {
    const look = (): void => expectTrace(trace).not.toHaveTransaction(wanted as never)
    expect(look).toThrow(TypeError)
    expect(look).toThrow(text)
  })

  it('what is no trace is an error that says what one is', () => {
    for (const [what, value] of Object.entries({ promise: Promise.resolve(trace), list: trace.transactions, nothing: undefined }))
      expect(() => expectTrace(value as never).toHaveTransaction({ to: THROWER }), what).toThrow(
        'this is not a trace; pass the whole value of `await tonway.record(...)`',
      )
  })
})

describe('a trace that is not whole, or was begun in the middle of something', () => {
  const forwarder = `-1:${'53'.repeat(32)}`
  beforeAll(async () => {
    // A contract of the masterchain that passes all coins on to the thrower (SENDRAWMSG of its reference, mode 64), who gets them in the next block.
    const message = beginCell().storeUint(0x10, 6).storeAddress(Address.parseRaw(THROWER)).storeCoins(0).storeUint(0, 107)
    const code = beginCell().storeBuffer(Buffer.from('888040fb00', 'hex')).storeRef(message.endCell()).endCell()
    await chain.client.local.setAccount({ address: forwarder, balance: '1000000000', code: b64(code), data: b64(Cell.EMPTY) })
  })
  const passOn = () => chain.client.local.sendInternal({ from: raw(0xee), to: forwarder, amount: '900000000', bounce: false })

  it('while a message waits for a block, nothing is said of what the trace does not have', async () => {
    const { local } = chain.client
    await local.setAutomine({ automine: false })
    const wallet = await openWallet()
    const waiting = await chain.record(() => wallet.send(THROWER))
    expect(waiting).toMatchObject({ complete: false, transactions: [] })
    expect(() => expectTrace(waiting).not.toHaveTransaction({ success: false })).toThrow(
      /^the trace is not whole, so nothing can be said of what it does not have; it is\nno transactions\n\.\.\. and messages that wait for a block$/,
    )
    const sent = await chain.record(passOn)
    expect([sent.complete, sent.transactions.map(({ account }) => account)]).toEqual([false, [forwarder]])
    await local.setAutomine({ automine: true })
    const whole = await local.trace({ after: sent.result.block.seqno - 1 })
    expect(whole.complete).toBe(true)
    expect(() => expectTrace({ ...whole, truncated: true }).not.toHaveTransaction({ exitCode: 99 })).toThrow('the trace is not whole')
    expectTrace(whole).not.toHaveTransaction({ exitCode: 99 })
  })

  it('record does not tell what was still going on before it', async () => {
    await passOn()
    const { transactions } = await chain.record(() => chain.client.local.mine({ count: 1 }))
    expect(transactions).toEqual([])
  })

  it('record rejects if the chain was reverted to an earlier block, and tells what was done after a revert to a later one', async () => {
    const { local } = chain.client
    const { snapshot } = await local.snapshot()
    await local.mine({ count: 2 })
    const reverted = chain.record(async () => {
      await local.revert({ snapshot })
      // Empty blocks of the same second would be the same as those before.
      await local.fund({ address: FRIEND, amount: '6' })
      await local.mine({ count: 5 })
    })
    await expect(reverted).rejects.toThrow('record: the chain was reverted to a block before those to record')
    const { transactions } = await chain.record(async () => {
      const later = await local.snapshot()
      await passOn()
      await local.revert(later)
      await local.fund({ address: FRIEND, amount: '7' })
    })
    expect(transactions.map(({ account, value }) => [account, value])).toEqual([[FRIEND, '7']])
  })

  it('coins for the elector are told, and the fees that blocks bring it are not', async () => {
    const elector = `-1:${'33'.repeat(32)}`
    const { transactions } = await chain.record(() => chain.client.local.fund({ address: elector, amount: '5000000000' }))
    expect(transactions.map(({ account, value }) => [account, value])).toEqual([[elector, '5000000000']])
  })
})

describe('local.impersonate', () => {
  const from = raw(0x51)
  beforeAll(async () => {
    // A contract without any function: it throws whatever it gets.
    await chain.client.local.setAccount({ address: from, balance: '3000000000', code: b64(opcodes('f23a')), data: b64(opcodes('abcd')) })
  })

  it('a contract sends without its key, pays for it, and is the same contract afterwards', async () => {
    const before = await chain.client.getAddressInformation({ address: from })
    const body = beginCell().storeUint(0xfeed, 32).endCell()
    const trace = await chain.record(() => chain.client.local.impersonate({ from, to: THROWER, amount: '1000000000', body: b64(body) }))
    expect(trace.transactions[0]).toMatchObject({
      transaction_id: trace.result.transaction_id,
      account: from,
      total_fees: expect.stringMatching(/^[1-9]/),
    })
    expectTrace(trace).toHaveTransaction({ from: null, to: from, success: true, outMessagesCount: 1 })
    expectTrace(trace).toHaveTransaction({ from, to: THROWER, op: 0xfeed, value: 1_000_000_000n, exitCode: 57 })
    // The bounce met its own code again.
    expectTrace(trace).toHaveTransaction({ from: THROWER, to: from, inMessageBounced: true, exitCode: 58 })
    const after = await chain.client.getAddressInformation({ address: from })
    expect([after.code, after.data, after.state]).toEqual([before.code, before.data, 'active'])
    expect(BigInt(after.balance)).toBeLessThan(BigInt(before.balance))
  })

  it('storage fees are those of a transfer that the wallet signs', async () => {
    const { local } = chain.client
    const { snapshot } = await local.snapshot()
    const { address, send } = await openWallet()
    const storageFee = async (work: () => Promise<unknown>): Promise<number> => {
      await local.revert({ snapshot })
      await local.increaseTime({ seconds: 365 * 86_400 })
      await chain.record(work)
      // The newest of them is the bounce.
      const newest = await chain.client.getTransactions({ address: address.toRawString(), limit: 2 })
      return Math.max(...newest.map(({ storage_fee }) => Number(storage_fee)))
    }
    const signed = await storageFee(() => send(FRIEND))
    const unsigned = await storageFee(() =>
      local.impersonate({ from: address.toRawString(), to: FRIEND, amount: '500000000', body: b64(opcodes('12345678')) }),
    )
    expect(signed).toBeGreaterThan(1_000_000)
    // A second more or less costs less than a nanogram.
    expect(Math.abs(unsigned - signed)).toBeLessThan(100)
    await local.revert({ snapshot })
  })

  it('a contract sends all its coins and deletes itself, and its transaction is answered', async () => {
    const { local } = chain.client
    const address = raw(0x54)
    await local.setAccount({ address, balance: '2000000000', code: b64(opcodes('f23a')), data: b64(opcodes('abcd')) })
    const trace = await chain.record(() => local.impersonate({ from: address, to: FRIEND, amount: '0', bounce: false, mode: 160 }))
    expect(trace.transactions[0]).toMatchObject({ transaction_id: trace.result.transaction_id, account: address, destroyed: true })
    expect(await chain.client.getAddressInformation({ address })).toMatchObject({ state: 'uninitialized', balance: '0' })
  })

  it('the elector of the masterchain sends too', async () => {
    const elector = `-1:${'33'.repeat(32)}`
    await chain.client.local.fund({ address: elector, amount: '5000000000' })
    const trace = await chain.record(() => chain.client.local.impersonate({ from: elector, to: FRIEND, amount: '7', bounce: false }))
    expectTrace(trace).toHaveTransaction({ from: elector, to: FRIEND, value: 7n })
  })

  it('a wallet sends several messages in a row in blocks of their own, with all its coins in the last', async () => {
    const wallet = Address.parse(chain.wallets[0]!.address)
    const seqno = await chain.get(wallet.toRawString(), 'seqno')
    const { impersonate } = chain.client.local
    const send = (amount: string, mode: number) => impersonate({ from: wallet.toRawString(), to: FRIEND, amount, bounce: false, mode })
    const sent = await Promise.all([send('1', 1), send('2', 1), send('0', 128)])
    expect(new Set(sent.map(({ block }) => block.seqno)).size).toBe(3)
    expect(await chain.client.getAddressBalance({ address: wallet.toRawString() })).toBe('0')
    expect(BigInt(await chain.client.getAddressBalance({ address: FRIEND }))).toBeGreaterThan(999_999n * 10n ** 9n)
    expect((await chain.get(wallet.toRawString(), 'seqno')).stack).toEqual(seqno.stack)
  })

  it.each([
    [{ from: FRIEND, amount: '1' }, 'has no contract; local.sendInternal sends as such an address'],
    [{ from, amount: '9000000000' }, 'cannot send the message: result code 37, not enough nanograms for an action'],
    [{ from, amount: '1', mode: 256 }, 'mode should be less or equal 255'],
    [{ from, amount: '1', body: 'AAAA' }, 'failed to parse body'],
    [{ from, amount: '1', to: `5:${'33'.repeat(32)}` }, 'workchain 5 does not exist'],
  ])('impersonate of %j says why nothing was sent, and the chain goes on', async (params, text) => {
    const before = await chain.client.getAddressInformation({ address: from })
    await expect(chain.client.local.impersonate({ to: FRIEND, bounce: false, ...params })).rejects.toThrow(text)
    await chain.client.local.mine({ count: 1 })
    expect(await chain.client.getAddressInformation({ address: from })).toMatchObject({ code: before.code, balance: before.balance })
  })
})

describe('errors that say why', () => {
  it('a refused message tells the exit code and the steps in the error of TonClient', async () => {
    const { send } = await openWallet()
    await expect(send(FRIEND, 77)).rejects.toThrow(
      /^Request failed with status code 500: .*External message was not accepted[\s\S]*exitcode=33[\s\S]*execute /,
    )
  })

  it('a get-method of startTonway resolves with the stack, and rejects with the meaning of the exit code and the last steps', async () => {
    const wallet = chain.wallets[0]!.address
    const { stack } = await chain.get(wallet, 'seqno')
    expect(stack).toEqual([['num', expect.stringMatching(/^0x/)]])
    expect((await chain.get(Address.parse(wallet), 'seqno')).stack).toEqual(stack)
    const failed = chain.get(THROWER, 'anything', [['num', '7']])
    await expect(failed).rejects.toMatchObject({ exitCode: 57 })
    await expect(failed).rejects.toThrow(
      /^get-method anything of EQAxMTEx\S* ended with exit code 57: a code of the contract\n.*PUSHINT 5 .*\n {2}THROW 57 .* 5\]$/,
    )
    await expect(chain.get(FRIEND, 'seqno')).rejects.toThrow('exit code -13: the account has no code')
    await expect(chain.get(wallet, 'seqqno')).rejects.toThrow(`get-method seqqno of ${wallet} ended with exit code 11: unknown error`)
  })

  it('an object of @ton/core where a text is wanted is told how it is given', async () => {
    const { local } = chain.client
    const object = (value: unknown) => value as string
    const fund = local.fund({ address: object(Address.parseRaw(FRIEND)), amount: '1' })
    await expect(fund).rejects.toThrow(/; an Address is given by its toString\(\)\)/)
    const send = local.sendInternal({ from: FRIEND, to: FRIEND, amount: '1', body: object(Cell.EMPTY) })
    await expect(send).rejects.toThrow(/; a Cell is given by its toBoc\(\)\.toString\('base64'\)\)/)
    await expect(local.fund({ address: '7', amount: '1' })).rejects.not.toThrow('toString')
  })

  it('the code of an unknown opcode is told in the words of the page', async () => {
    const address = raw(0x32)
    // PUSHPOW2DEC 16 (65535), THROWANY
    await chain.client.local.setAccount({ address, balance: '1', code: b64(opcodes('840ff2f0')), data: b64(Cell.EMPTY) })
    const { result: _, ...unknown } = await chain.record(() =>
      chain.client.local.sendInternal({ from: FRIEND, to: address, amount: '1000000000' }),
    )
    expect(() => expectTrace(unknown).toHaveTransaction({ to: address, success: true })).toThrow(
      'exit code 65535: the contract most likely does not know this opcode',
    )
  })

  it('a get-method of startTonway takes arguments of @ton/core beside pairs', async () => {
    const address = `0:${'41'.repeat(32)}`
    // DROP: the method's number goes, and the arguments are the result.
    const code = beginCell().storeUint(0x30, 8).endCell()
    await chain.client.local.setAccount({ address, balance: '1', code: code.toBoc().toString('base64') })
    const cell = beginCell().storeUint(7, 8).endCell()
    const inner = new TupleBuilder()
    inner.writeNumber(-3n)
    const stack = new TupleBuilder()
    stack.writeNumber(2n ** 100n)
    stack.writeCell(cell)
    stack.writeSlice(cell)
    stack.writeTuple(inner.build())
    stack.writeCell(null)
    const given = await chain.get(address, 'any', [['num', 5n], ...stack.build()])
    expect(given.stack).toMatchObject([
      ['num', '0x5'],
      ['num', `0x1${'0'.repeat(25)}`],
      ['cell', { bytes: cell.toBoc().toString('base64') }],
      ['cell', { bytes: cell.toBoc().toString('base64') }],
      ['tuple', { elements: [{ number: { number: '-3' } }] }],
      ['list', { elements: [] }],
    ])
    await expect(chain.get(address, 'any', [{ type: 'builder', cell }])).rejects.toThrow('a builder cannot be an argument of a get-method')
    for (const wrong of [5n, 5, null, undefined, 'x', {}])
      await expect(chain.get(address, 'any', [wrong as never])).rejects.toThrow("an argument of a get-method is { type: 'int', value: 5n }")
    for (const wrong of ['5', 5n, {}, null])
      await expect(chain.get(address, 'any', wrong as never)).rejects.toThrow('the arguments of a get-method are an array')
  })

  it('record says that it takes a function', async () => {
    await expect(chain.record(Promise.resolve() as never)).rejects.toThrow('record takes a function that does the work')
  })
})
