import { Address, beginCell, Cell } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { wideTree } from '../kit/bombs.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { createWaysToCall } from '../kit/service/ways-to-call.ts'
import { countTurns, timeTurns } from '../kit/turns.ts'
import { b64 } from '../v2/cells.ts'

/* Runs that tell their steps: get-methods, and transactions of the embedded chain that are run again. */

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const raw = (byte: number, workchain = 0): string => `${workchain}:${Buffer.alloc(32, byte).toString('hex')}`
const opcodes = (hex: string): string => b64(beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell())
const deploy = (address: string, code: string) =>
  service.call('local.setAccount', { address, balance: '1000000000', code, data: b64(Cell.EMPTY) })
const send = (to: string) => service.call('local.sendInternal', { from: raw(0xee), to, amount: '100000000', bounce: false })

describe('trace: true of a get-method', () => {
  it('a traced get-method tells instructions, stack, gas and registers, and the exit code in words', async () => {
    const { wallets } = await service.call('local.wallets', {})
    const params = { address: wallets[0]!.address, method: 'seqno', stack: [] }
    const plain = await service.call('runGetMethod', params)
    const traced = await service.call('runGetMethod', { ...params, trace: true })
    expect(plain.trace).toBeUndefined()
    const { trace, ...rest } = traced
    expect(rest).toEqual(plain)
    expect(trace).toMatchObject({ exit: 'success', truncated: false })
    const [first, second] = trace!.steps
    expect(first).toMatchObject({ offset: 0, instruction: 'SETCP 0', gas: 4_000_000, stack: ['85143'] })
    expect(Object.keys(first!.registers!)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c7'])
    expect(first!.registers!['c4']).toMatch(/^C\{[0-9a-f]{64}\}$/)
    // What an instruction costs is the difference to the next step.
    expect(second).toMatchObject({ gas: 4_000_000 - 26 })
    expect(second!.registers).toBeUndefined()
    const last = trace!.steps.at(-1)!
    expect([last.instruction, last.gas >= 4_000_000 - plain.gas_used]).toEqual(['implicit RET', true])
    const std = await service.call('runGetMethodStd', { ...params, trace: true })
    expect(std.trace).toEqual(trace)
  })

  it('a traced get-method tells the exception, at every door', async () => {
    const address = raw(0x11)
    // DROP, PUSHINT 5, THROW 57
    await deploy(address, opcodes('3075f239'))
    const params = { address, method: 1, stack: [], trace: true }
    const wanted = {
      exit_code: 57,
      trace: { exit: '', steps: [{ instruction: 'DROP' }, { instruction: 'PUSHINT 5' }, { instruction: 'THROW 57' }] },
    }
    expect(await service.call('runGetMethod', params)).toMatchObject(wanted)
    expect(await service.post('runGetMethod', params)).toMatchObject(wanted)
    const strict = await service.raw('/jsonRPC', { jsonrpc: '2.0', id: 1, method: 'runGetMethod', params })
    expect(strict.body).toMatchObject({ result: wanted })
    await expect(service.post('runGetMethod', { ...params, trace: 'yes' })).rejects.toMatchObject({ status: 422 })
  })

  it('the trace of a get-method is the same over every transport, batches and WebSocket among them', async () => {
    const address = raw(0x13)
    await deploy(address, opcodes('3075f239'))
    const params = { address, method: 1, stack: [], trace: true }
    const { trace } = await service.call('runGetMethod', params)
    const { 'REST GET': _, ...transports } = createWaysToCall(service.url, () => 0)
    for (const [name, ask] of Object.entries(transports)) {
      expect([name, await ask('runGetMethod', params)]).toMatchObject([name, { result: { exit_code: 57, trace } }])
    }
  })

  it('the trace of a get-method ends after 10,000 steps, and says so', async () => {
    const address = raw(0x12)
    // DROP, PUSHINT 0, PUSHCONT { INC }, AGAIN
    await deploy(address, opcodes('307091a4ea'))
    const { trace, exit_code } = await service.call('runGetMethod', { address, method: 1, stack: [], trace: true })
    expect([exit_code, trace!.exit, trace!.steps.length, trace!.truncated]).toEqual([-14, 'out of gas', 10_000, true])
  })

  it('the trace of a get-method of an account without code has no steps', async () => {
    const { trace, exit_code } = await service.call('runGetMethod', { address: raw(0x77), method: 1, stack: [], trace: true })
    expect([exit_code, trace]).toEqual([-13, undefined])
  })
})

describe('local.traceTransaction', () => {
  it('local.traceTransaction runs each of several transactions of an account again', async () => {
    const address = raw(0x21)
    // PUSHINT 7, NEWC, 8 STU, ENDC, POP c4
    await deploy(address, opcodes('77c8cb07c9ed54'))
    const sent = []
    for (let i = 0; i < 3; i++) sent.push(await send(address))
    for (const { transaction_id } of sent) {
      const traced = await service.call('local.traceTransaction', { address, lt: transaction_id.lt })
      expect(traced).toMatchObject({ transaction_id, version: 15, exit_code: 0, result_code: 0, result: 'success' })
      expect(traced.trace.exit).toBe('success')
      expect(traced.trace.steps.map(({ instruction }) => instruction)).toEqual([
        'PUSHINT 7',
        'NEWC',
        'STU 8',
        'ENDC',
        'POP c4',
        'implicit RET',
      ])
      expect(traced.trace.steps.at(-1)!.registers).toMatchObject({ c4: expect.stringMatching(/^C\{/) })
    }
  })

  it('local.traceTransaction answers the same in a batch and over WebSocket', async () => {
    const address = raw(0x24)
    await deploy(address, opcodes('77c8cb07c9ed54'))
    const { transaction_id } = await send(address)
    const params = { address, lt: transaction_id.lt }
    const traced = await service.call('local.traceTransaction', params)
    const { batch, ws } = createWaysToCall(service.url, () => 0)
    expect(await batch!('local.traceTransaction', params)).toEqual({ result: traced })
    expect(await ws!('local.traceTransaction', params)).toEqual({ result: traced })
  })

  it('local.traceTransaction tells in words why a transaction failed', async () => {
    const address = raw(0x22)
    // ADD of a slice
    await deploy(address, opcodes('a0'))
    const { transaction_id } = await send(address)
    const traced = await service.call('local.traceTransaction', { address, lt: transaction_id.lt })
    expect(traced).toMatchObject({ exit_code: 7, result_code: null, result: '', trace: { exit: expect.stringContaining('type check') } })
    expect(traced.trace.steps.map(({ instruction }) => instruction)).toEqual(['ADD', 'exception 7'])
  })

  it('local.traceTransaction of an account without code has no steps', async () => {
    const address = raw(0x23)
    const { transaction_id } = await service.call('local.fund', { address, amount: '5000' })
    const traced = await service.call('local.traceTransaction', { address, lt: transaction_id.lt })
    expect(traced).toMatchObject({ exit_code: null, gas_used: null, trace: { steps: [], exit: '', truncated: false } })
  })

  it('local.traceTransaction of an unknown transaction is NOT_FOUND', async () => {
    for (const params of [
      { address: raw(0x21), lt: '1' },
      { address: raw(0x99), lt: '5' },
      { address: raw(0x21), lt: '9000000000000000000' },
    ])
      await expect(service.call('local.traceTransaction', params)).rejects.toThrow(/has no transaction at lt/)
    await expect(service.call('local.traceTransaction', { address: raw(1), lt: '0' })).rejects.toThrow('lt should be positive')
  })
})

describe('an account that does not exist after its transaction', () => {
  it('local.sendInternal answers the transaction that bounced, and each is run again, although no account is there', async () => {
    const to = raw(0x61)
    const before = await service.call('local.fund', { address: raw(0x62), amount: '1' })
    for (const amount of ['100000000', '100000001', '100000000']) {
      const sent = await service.call('local.sendInternal', { from: raw(0xee), to, amount })
      expect(BigInt(sent.transaction_id.lt)).toBeGreaterThan(BigInt(before.transaction_id.lt))
      expect(sent.trace_id).toBe(sent.transaction_id.hash)
      expect(await service.call('getAddressInformation', { address: to })).toMatchObject({ state: 'uninitialized', balance: '0' })
      const traced = await service.call('trace.transaction', { address: to, lt: sent.transaction_id.lt })
      expect(traced).toMatchObject({ transaction_id: sent.transaction_id, exit_code: null, trace: { steps: [] } })
    }
    await expect(service.call('trace.transaction', { address: to, lt: '9000000000000000000' })).rejects.toThrow(/has no transaction at lt/)
    const masterchain = await service.call('local.sendInternal', { from: raw(0xee), to: raw(0x61, -1), amount: '5' })
    expect(masterchain.block.seqno).toBeGreaterThan(before.block.seqno)
  })

  it('a contract that deletes itself: its transactions are answered, run again, and have their steps', async () => {
    const address = raw(0x63)
    // A message to another account with all coins, which deletes an empty account.
    const message = beginCell()
      .storeUint(0x10, 6)
      .storeAddress(Address.parseRaw(raw(0x64)))
      .storeCoins(0)
      .storeUint(0, 107)
      .endCell()
    // DROP, SEMPTY, THROWIFNOT 57, PUSHREF, PUSHINT 160, SENDRAWMSG
    const code = beginCell().storeBuffer(Buffer.from('30c700f2b9888100a0fb00', 'hex')).storeRef(message).endCell()
    await deploy(address, b64(code))
    const body = b64(beginCell().storeUint(1, 1).endCell())
    const failed = await service.call('local.sendInternal', { from: raw(0xee), to: address, amount: '100000000', bounce: false, body })
    const { transaction_id } = await send(address)
    expect(await service.call('getAddressInformation', { address })).toMatchObject({ state: 'uninitialized', balance: '0' })
    const stepsOf = async (lt: string) =>
      (await service.call('trace.transaction', { address, lt })).trace.steps.map(({ instruction }) => instruction)
    expect((await stepsOf(transaction_id.lt)).slice(-2)).toEqual(['SENDRAWMSG', 'implicit RET'])
    expect((await stepsOf(failed.transaction_id.lt)).at(-1)).toBe('THROWIFNOT 57')
    const { transactions } = await service.call('local.trace', { address, lt: failed.transaction_id.lt })
    expect(transactions[0]!.last_steps.join('\n')).toContain('THROWIFNOT 57')
  })
})

describe('local.trace', () => {
  const thrower = raw(0x31)
  const forwarder = raw(0x32)
  /** A message with 0.02 coins and an op, as a contract sends it. */
  const toAccount = (account: string, bounce = true): Cell =>
    beginCell()
      .storeUint(bounce ? 0x18 : 0x10, 6)
      .storeAddress(Address.parseRaw(account))
      .storeCoins(20_000_000n)
      .storeUint(0, 107)
      .storeUint(0xabcdef01, 32)
      .endCell()

  it('local.trace joins a message, its answer and the bounce without an index, and tells why one failed', async () => {
    // THROW 57
    await deploy(thrower, opcodes('f239'))
    // A message that is not bounced makes it send `toThrower`: CTOS of the message, skip 3 bits, load the flag "bounced", throw if it is set.
    const code = beginCell()
      .storeBuffer(Buffer.from('3030d0d3033071b0f27c', 'hex'))
      .storeBuffer(Buffer.from('88', 'hex'))
      .storeBuffer(Buffer.from('71fb00', 'hex'))
      .storeRef(toAccount(thrower))
      .endCell()
    await deploy(forwarder, b64(code))
    const { transaction_id } = await service.call('local.sendInternal', { from: raw(0xee), to: forwarder, amount: '100000000' })
    const trace = await service.call('local.trace', { address: forwarder, lt: transaction_id.lt })
    expect(trace).toMatchObject({ complete: true, truncated: false })
    expect(trace.transactions.map(({ account, parent, from, bounced }) => ({ account, parent, from, bounced }))).toEqual([
      { account: forwarder, parent: null, from: raw(0xee), bounced: false },
      { account: thrower, parent: 0, from: forwarder, bounced: false },
      { account: forwarder, parent: 1, from: thrower, bounced: true },
    ])
    const [first, second] = trace.transactions
    expect(first).toMatchObject({
      transaction_id,
      success: true,
      exit: 'success',
      result: 'success',
      value: '100000000',
      op: null,
      last_steps: [],
    })
    expect(second).toMatchObject({ success: false, aborted: true, exit_code: 57, exit: '', op: 0xabcdef01, value: '20000000' })
    expect(second!.last_steps).toEqual([expect.stringMatching(/^THROW 57 {2}\[.* CS\{.*\} 0\]$/)])
    // The same by the hash of any of its transactions, and of any of their messages.
    const hashes = trace.transactions.map(({ transaction_id: { hash } }) => hash)
    const [sent] = await service.call('getTransactions', { address: forwarder, lt: transaction_id.lt, hash: transaction_id.hash, limit: 1 })
    const messages = [sent!.in_msg!, ...sent!.out_msgs].map(({ hash }) => hash)
    for (const hash of [...hashes, Buffer.from(hashes[1]!, 'base64').toString('hex'), ...messages])
      expect([hash, await service.call('local.trace', { hash })]).toEqual([hash, trace])
    // The same by the block before it, without what blocks do for themselves.
    const { seqno } = (await service.call('getMasterchainInfo', {})).last
    const all = await service.call('local.trace', { after: seqno - 1 })
    expect(all.transactions.map(({ transaction_id: id }) => id)).toEqual(
      trace.transactions.map(({ transaction_id: id }) => id).slice(-all.transactions.length),
    )
  })

  it('local.trace tells that messages wait while automine is off, and leaves out what blocks do for themselves', async () => {
    const { seqno } = (await service.call('getMasterchainInfo', {})).last
    const master = raw(0x43, -1)
    await service.call('local.setAutomine', { automine: false })
    await deploy(
      master,
      b64(
        beginCell()
          .storeBuffer(Buffer.from('8871fb00', 'hex'))
          .storeRef(toAccount(raw(0x44), false))
          .endCell(),
      ),
    )
    const { transaction_id } = await service.call('local.sendInternal', { from: raw(0xee), to: master, amount: '900000000' })
    const shown = async () => {
      const { complete, transactions } = await service.call('local.trace', { after: seqno })
      return [complete, ...transactions.map(({ account, exit }) => `${account} ${exit}`)]
    }
    expect(await shown()).toEqual([false, `${master} success`])
    // The message that waits was sent before this block.
    const now = (await service.call('getMasterchainInfo', {})).last.seqno
    expect(await service.call('local.trace', { after: now })).toEqual({
      complete: false,
      truncated: false,
      transactions: [],
      address_book: {},
    })
    await service.call('local.setAutomine', { automine: true })
    expect(await shown()).toEqual([true, `${master} success`, `${raw(0x44)} no contract is there`])
    expect((await service.call('local.trace', { address: master, lt: transaction_id.lt })).transactions).toHaveLength(2)
  })

  it('local.trace finds an external message by its own hash and by the normalized one', async () => {
    const address = raw(0x45)
    // ACCEPT
    await deploy(address, opcodes('f800'))
    const body = beginCell().storeUint(7, 32).endCell()
    // The body stands in the message itself, so its hash is not the normalized one.
    const message = beginCell()
      .storeUint(0b10, 2)
      .storeUint(0, 2)
      .storeAddress(Address.parseRaw(address))
      .storeCoins(0)
      .storeBit(0)
      .storeBit(0)
    const external = message.storeSlice(body.beginParse()).endCell()
    const { hash_norm } = await service.call('sendBocReturnHash', { boc: b64(external) })
    const own = external.hash().toString('base64')
    expect(hash_norm).not.toBe(own)
    for (const hash of [own, hash_norm])
      expect(await service.call('local.trace', { hash })).toMatchObject({
        complete: true,
        transactions: [{ account: address, success: true }],
      })
  })

  it('local.trace finds a message of local.sendInternal to the masterchain before the sender has a later block', async () => {
    const params = { from: raw(0xee), to: raw(0x55, -1), amount: '100000000', bounce: false }
    const { trace_id, transaction_id } = await service.call('local.sendInternal', params)
    const { transactions } = await service.call('local.trace', { hash: trace_id })
    expect(transactions.map((one) => one.transaction_id)).toEqual([transaction_id])
  })

  it('local.trace finds the beginning of a long trace without reading its blocks for each transaction', async () => {
    const address = raw(0x46)
    const message = beginCell().storeUint(0x10, 6).storeAddress(Address.parseRaw(address)).storeCoins(0).storeUint(0, 107).endCell()
    // PUSHREF, PUSHINT 64, SENDRAWMSG: the message to itself carries what is left of the coins.
    const code = beginCell().storeBuffer(Buffer.from('888040fb00', 'hex')).storeRef(message).endCell()
    await deploy(address, b64(code))
    const first = await service.call('local.sendInternal', { from: raw(0xee), to: address, amount: '30000000', bounce: false })
    const { transactions } = await service.call('local.trace', { address, lt: first.transaction_id.lt })
    expect(transactions.length).toBeGreaterThan(200)
    const timeOf = async (params: { hash: string } | { address: string; lt: string }): Promise<number> => {
      const began = process.cpuUsage()
      expect((await service.call('local.trace', params)).transactions).toHaveLength(transactions.length)
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 1000
    }
    const fromTheFirst = await timeOf({ address, lt: first.transaction_id.lt })
    expect(await timeOf({ hash: transactions.at(-1)!.transaction_id.hash })).toBeLessThan(1000 + 5 * fromTheFirst)
  })

  it('local.trace reads many blocks in many turns of the event loop', async () => {
    await service.call('local.mine', { count: 400 })
    const turns = countTurns()
    await expect(service.call('local.trace', { hash: 'cd'.repeat(32) })).rejects.toThrow('none of the newest 1000 blocks')
    turns.stop()
    expect(turns.count()).toBeGreaterThan(50)
  })

  it('local.trace writes many large bodies in turns of the event loop', async () => {
    const body = wideTree(4_000)
    const after = (await service.call('getMasterchainInfo', {})).last.seqno
    const message = {
      from: raw(0xee),
      to: raw(0x77),
      amount: '100000000',
      bounce: false,
      body: Buffer.from(serializeBoc(body)).toString('base64'),
    }
    for (let i = 0; i < 20; i++) await service.call('local.sendInternal', message)
    await service.call('local.trace', { after })
    const oneByOne = performance.now()
    for (let i = 0; i < 20; i++) serializeBoc(body)
    const writing = performance.now() - oneByOne
    let transactions: readonly unknown[] = []
    const { longest } = await timeTurns(async () => {
      transactions = (await service.call('local.trace', { after })).transactions
    })
    expect(transactions).toHaveLength(20)
    expect(longest).toBeLessThan(writing / 2)
  })

  it.each([
    [{}, 'exactly one of address with lt, hash, and after should be specified'],
    [{ address: thrower }, 'exactly one of address with lt, hash, and after should be specified'],
    [{ address: thrower, lt: '5', after: 1 }, 'exactly one of address with lt, hash, and after should be specified'],
    [{ address: thrower, lt: '5' }, 'has no transaction at lt 5'],
    [{ after: 1, hash: 'ab'.repeat(32) }, 'exactly one of address with lt, hash, and after should be specified'],
    [{ hash: 'ab'.repeat(32) }, 'none of the newest 1000 blocks has a transaction or a message of the hash q6urq'],
    [{ hash: 'ab' }, 'hash'],
    [{ after: -1 }, 'after'],
    [{ after: 1_000_000 }, 'after must be at most '],
  ])('local.trace of %j says what is wrong', async (params, text) => {
    await expect(service.call('local.trace', params)).rejects.toThrow(text)
  })
})
