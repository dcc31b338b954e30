import { Address, beginCell, Cell } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { serializeBoc } from '../../server/cell/boc.ts'
import type { GetMethodAnswer } from '../../server/chain/chain-port.ts'
import { runHandlers } from '../../server/v2/run.ts'
import { parseAddress } from '../../shared/fields/address.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import { registry } from '../../shared/registry.ts'
import { wideTree } from '../kit/bombs.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { countTurns } from '../kit/turns.ts'
import { type Answer, answering, idOf, running } from './answering-contract.ts'
import { b64 } from './cells.ts'
import { type Contract, contractsChain } from './contracts-chain.ts'

const tvm = createTestTvm({ workers: 1, deadlineMs: 30_000 })
afterAll(() => tvm.close())
const call = { signal: new AbortController().signal } as Call

const RAW = `0:${'01'.repeat(32)}`
const cell = beginCell().storeUint(0xabc, 12).endCell()
const METHODS: Readonly<Record<string, readonly Answer[]>> = {
  everything: [
    5n,
    -1n,
    null,
    { cell },
    { slice: cell },
    { tuple: [1n, { tuple: [] }, null] },
    { tuple: [2n, { tuple: [3n, null] }] },
    { code: 'c8' },
  ],
  nothing: [],
  // PUSHINT 1000, PUSHCONT { PUSHINT 0 }, REPEAT
  wide: [{ code: '8103e89170e4' }],
  // PUSHINT 0, PUSHINT 1000, PUSHCONT { TUPLE 1 }, REPEAT
  deep: [{ code: '708103e8926f01e4' }],
  // PUSHINT 0, PUSHINT 3, PUSHCONT { PUSHINT 254, PUSHCONT { DUP }, REPEAT, PUSHINT 255, TUPLEVAR }, REPEAT
  bomb: [{ code: '70739b8100fe9120e48100ff6f80e4' }],
  // The same twice only: 65,025 entries.
  wideBomb: [{ code: '70729b8100fe9120e48100ff6f80e4' }],
  // PUSHCONT {}, AGAIN
  loop: [{ code: '90ea' }],
  // THROW 40; PUSHINT 7, THROWARG 41
  fails: [{ code: 'f228' }],
}
const chainOf = (contracts: Readonly<Record<string, Contract>>, by = tvm) =>
  runHandlers({ chain: contractsChain(by, contracts), isEmbedded: false })
const { runGetMethod, runGetMethodStd } = chainOf({ [RAW]: { code: answering(METHODS), data: Cell.EMPTY, lastTransLt: 77n } })
const params = (method: string) => ({ address: parseAddress(RAW)!, method: methodId(method), stack: [] })
const legacy = (method: string) => runGetMethod(params(method), call)
const std = (method: string) => runGetMethodStd(params(method), call)
const number = (text: string) => ({ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: text } })
const tuple = (...elements: unknown[]) => ({ '@type': 'tvm.tuple', elements })
const list = (...elements: unknown[]) => ({ '@type': 'tvm.list', elements })

describe('get-methods', () => {
  it('of many get-methods with large arguments a few run at once, some wait, and the rest are refused', async () => {
    const boc = serializeBoc(wideTree(900, (cell, i) => cell.storeUint(i, 32).storeBytes(new Uint8Array(120))))
    const ended: (() => void)[] = []
    const ownCall = () => ({ signal: new AbortController().signal }) as Call
    const runGetMethod = () => new Promise<never>((_, reject) => ended.push(() => reject(new Error('it ended'))))
    const handlers = runHandlers({ chain: { ...contractsChain(tvm, {}), runGetMethod }, isEmbedded: false })
    const runs = [boc, new Uint8Array(1)].map((bytes) =>
      Array.from({ length: 170 }, () =>
        handlers.runGetMethodStd({ ...params('nothing'), stack: [{ type: 'cell', boc: bytes }] }, ownCall()),
      ),
    )
    const large = Promise.allSettled(runs[0]!)
    // Small arguments do not wait: these are no bags of cells, which is told at once.
    for (const { status } of await Promise.allSettled(runs[1]!)) expect(status).toBe('rejected')
    await expect.poll(() => ended.length).toBe(32)
    for (let round = 0; round < 5; round++) {
      await expect.poll(() => ended.length).toBe(32)
      for (const end of ended.splice(0)) end()
    }
    const texts = (await large).map((each) => (each.status === 'rejected' ? String(each.reason) : ''))
    expect(texts.filter((text) => text.includes('it ended'))).toHaveLength(160)
    expect(texts.filter((text) => text.includes('too many get-methods with large arguments'))).toHaveLength(10)
  })

  it('large results of calls at the same time are written in several turns', async () => {
    const contracts = {
      [RAW]: {
        code: answering({ ...METHODS, large: [{ cell: Cell.fromBoc(Buffer.from(serializeBoc(wideTree(20_000))))[0]! }] }),
        data: Cell.EMPTY,
      },
    }
    const chain = contractsChain(tvm, contracts)
    const ran = async (method: string) => await chain.runGetMethod(parseAddress(RAW)!, methodId(method), [], undefined, call.signal)
    const [small, large] = [await ran('nothing'), await ran('large')]
    const quick = (answer: GetMethodAnswer) => runHandlers({ chain: { ...chain, runGetMethod: async () => answer }, isEmbedded: false })
    expect(await quick(small).runGetMethod(params('nothing'), call)).toMatchObject({ exit_code: 0, stack: [] })
    const counted = countTurns()
    const { runGetMethod: one, runGetMethodStd: other } = quick(large)
    const turns: number[] = []
    await Promise.all(
      [one, other, one, other].map(async (method) => {
        await method(params('large'), call)
        turns.push(counted.count())
      }),
    )
    counted.stop()
    expect(new Set(turns).size).toBeGreaterThan(1)
  })

  it('both implementations agree on the number of a name', () => {
    for (const name of ['seqno', 'get_jetton_data', 'dnsresolve', 'имя']) expect(methodId(name)).toBe(idOf(name))
    expect(methodId('seqno')).toBe(85143)
  })

  it('get-methods return every kind of value, in the legacy form', async () => {
    const result = await legacy('everything')
    const object = { data: { b64: 'q8g=', len: 12 }, refs: [], special: false }
    expect(result).toEqual({
      '@type': 'smc.runResult',
      gas_used: expect.any(Number),
      stack: [
        ['num', '0x5'],
        ['num', '-0x1'],
        ['list', list()],
        ['cell', { bytes: b64(cell), object }],
        ['cell', { bytes: b64(cell), object }],
        ['tuple', tuple(number('1'), { '@type': 'tvm.stackEntryTuple', tuple: tuple() }, { '@type': 'tvm.stackEntryList', list: list() })],
        ['list', list(number('2'), number('3'))],
        ['unsupported', ''],
      ],
      exit_code: 0,
      block_id: expect.objectContaining({ '@type': 'ton.blockIdExt', seqno: 101 }),
      last_transaction_id: { '@type': 'internal.transactionId', lt: '77', hash: Buffer.alloc(32, 9).toString('base64') },
    })
    expect(result.gas_used).toBeGreaterThan(100)
    expect(registry.runGetMethod.result.safeParse(result).error).toBeUndefined()
  })

  it('get-methods return every kind of value, in the typed form', async () => {
    const result = await std('everything')
    expect(result).toEqual({
      '@type': 'smc.runResult',
      gas_used: expect.any(Number),
      stack: [
        number('5'),
        number('-1'),
        { '@type': 'tvm.stackEntryList', list: list() },
        { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: b64(cell) } },
        { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: b64(cell) } },
        {
          '@type': 'tvm.stackEntryTuple',
          tuple: tuple(number('1'), { '@type': 'tvm.stackEntryTuple', tuple: tuple() }, { '@type': 'tvm.stackEntryList', list: list() }),
        },
        { '@type': 'tvm.stackEntryList', list: list(number('2'), number('3')) },
        { '@type': 'tvm.stackEntryUnsupported' },
      ],
      exit_code: 0,
    })
    expect(registry.runGetMethodStd.result.safeParse(result).error).toBeUndefined()
    expect(await std('nothing')).toMatchObject({ stack: [], exit_code: 0 })
  })

  it('get-methods take arguments of every kind and give them back', async () => {
    const { runGetMethod } = chainOf({ [RAW]: { code: running({ back: '' }), data: Cell.EMPTY } })
    const stack = registry.runGetMethod.params.shape.stack.parse([
      ['num', '-0x10'],
      ['num', 7],
      ['tvm.Cell', b64(cell)],
      ['tvm.Slice', b64(cell)],
      ['cell', { bytes: b64(cell) }],
      ['list', { '@type': 'tvm.list', elements: [number('1')] }],
      ['tuple', { '@type': 'tvm.tuple', elements: [number('1'), number('2')] }],
    ])
    const result = await runGetMethod({ address: parseAddress(RAW)!, method: methodId('back'), stack }, call)
    const shown = { bytes: b64(cell), object: { data: { b64: 'q8g=', len: 12 }, refs: [], special: false } }
    expect(result.stack).toEqual([
      ['num', '-0x10'],
      ['num', '0x7'],
      ['cell', shown],
      ['cell', shown],
      ['cell', shown],
      ['list', list(number('1'))],
      ['tuple', tuple(number('1'), number('2'))],
    ])
  })

  it('a get-method that fails is an answer with its exit code', async () => {
    expect(await legacy('fails')).toMatchObject({ exit_code: 40, stack: [['num', '0x0']] })
    expect(await legacy('not there')).toMatchObject({ exit_code: 11 })
    expect(await std('loop')).toMatchObject({ exit_code: -14 })
    const nobody = chainOf({})
    expect(await nobody.runGetMethod(params('seqno'), call)).toMatchObject({ exit_code: -13, last_transaction_id: { lt: '0' } })
    expect(await nobody.runGetMethodStd(params('seqno'), call)).toMatchObject({ exit_code: -13 })
  })

  it('1,000 values on a stack are answered, and 1,000 nested ones refused', async () => {
    const wide = await legacy('wide')
    expect([wide.exit_code, wide.stack.length, wide.stack.at(-1)]).toEqual([0, 1000, ['num', '0x0']])
    expect((await std('wide')).stack).toHaveLength(1000)
    await expect(legacy('deep')).rejects.toMatchObject({ kind: 'STACK_TOO_DEEP', message: 'Result stack depth >= 100' })
    await expect(std('deep')).rejects.toMatchObject({ kind: 'STACK_TOO_DEEP', message: 'Result stack depth >= 256' })
  })

  it('endless tuples of tuples are refused', async () => {
    const { runGetMethod } = chainOf({ [RAW]: { code: answering(METHODS), data: Cell.EMPTY } })
    const tooMany = { name: 'TvmError', kind: 'rejected', message: 'TVM stack size exceeds limit' }
    await expect(runGetMethod(params('bomb'), call)).rejects.toMatchObject(tooMany)
    expect(await runGetMethod(params('everything'), call)).toMatchObject({ exit_code: 0 })
    await expect(std('wideBomb')).rejects.toMatchObject({ message: 'TVM stack size exceeds limit' })
  })

  it('get-methods know their own address and balance', async () => {
    // MYADDR; GETPARAM 7 (balance)
    const { runGetMethodStd } = chainOf({
      [RAW]: { code: answering({ self: [{ code: 'f828' }, { code: 'f827' }] }), data: Cell.EMPTY, balance: 99n },
    })
    const { stack } = await runGetMethodStd(params('self'), call)
    const slice = stack[0] as { slice: { bytes: string } }
    expect(
      Cell.fromBase64(slice.slice.bytes)
        .beginParse()
        .loadAddress()
        .equals(new Address(0, Buffer.alloc(32, 1))),
    ).toBe(true)
    // Balance and extra currencies: a pair whose second is null, which is a list.
    expect(stack[1]).toMatchObject({ list: { elements: [number('99')] } })
  })
})
