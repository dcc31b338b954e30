import { Address, beginCell, Cell } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import { storeVmStack } from '../../server/tlb/vm-stack/store.ts'
import type { GetMethodRequest } from '../../server/tvm/tvm.ts'
import { keys, walletV3, walletV4, walletV5 } from '../kit/chain/contracts.ts'
import { createExecutor, sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { coreCell, idOf, ownCell, stackItems, stackOf } from '../kit/tvm/cells.ts'

const tvm = createTestTvm({ workers: 2 })
afterAll(() => tvm.close())

const config = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))
const { signal } = new AbortController()
const seed = Buffer.alloc(32, 5)

const SEQNO = 85143
const GET_PUBLIC_KEY = 78748
const request = (
  wallet: typeof walletV4 | typeof walletV3 | typeof walletV5,
  methodId: number,
  more: Partial<GetMethodRequest> = {},
): GetMethodRequest => ({
  config,
  code: ownCell(wallet.init.code!),
  data: ownCell(wallet.init.data!),
  address: idOf(wallet.address),
  balance: 5_000_000_000n,
  methodId,
  stack: stackOf(),
  now: 1_760_000_000,
  randomSeed: seed,
  gasLimit: 1_000_000n,
  ...more,
})
/** A contract whose code ignores its method and leaves what the opcodes (hex) leave. */
const contract = (code: Cell, more: Partial<GetMethodRequest> = {}): GetMethodRequest =>
  request(walletV4, 0, { code: ownCell(code), data: EMPTY_CELL, ...more })
const opcodes = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell()

describe('get-methods', () => {
  it.each([
    ['v3R2', walletV3],
    ['v4R2', walletV4],
    ['v5R1', walletV5],
  ] as const)('get-methods of a wallet %s answer seqno and public key', async (_, wallet) => {
    const seqno = await tvm.runGetMethod(request(wallet, SEQNO), signal)
    expect(seqno.exitCode).toBe(0)
    expect(stackItems(seqno.stack)).toEqual([{ type: 'int', value: 0n }])
    const key = await tvm.runGetMethod(request(wallet, GET_PUBLIC_KEY), signal)
    expect(stackItems(key.stack)).toEqual([{ type: 'int', value: BigInt(`0x${keys.publicKey.toString('hex')}`) }])
  })

  it('get-methods give the same as the sandbox: stack, gas, exit code', async () => {
    const executor = await createExecutor()
    for (const [wallet, methodId] of [
      [walletV3, SEQNO],
      [walletV4, SEQNO],
      [walletV4, 107305],
      [walletV5, SEQNO],
      [walletV5, 12345],
    ] as const) {
      const theirs = await executor.runGetMethod({
        code: wallet.init.code!,
        data: wallet.init.data!,
        methodId,
        stack: [],
        config: sandboxConfig(),
        verbosity: 'short',
        address: wallet.address,
        unixTime: 1_760_000_000,
        balance: 5_000_000_000n,
        randomSeed: seed,
        gasLimit: 1_000_000n,
        debugEnabled: false,
      })
      const ours = await tvm.runGetMethod(request(wallet, methodId), signal)
      if (!theirs.output.success) throw new Error('the sandbox failed')
      expect(coreCell(storeVmStack(ours.stack)).hash().toString('hex')).toBe(Cell.fromBase64(theirs.output.stack).hash().toString('hex'))
      expect([ours.exitCode, ours.gasUsed.toString()]).toEqual([theirs.output.vm_exit_code, theirs.output.gas_used])
    }
  })

  it('get-methods fail with TON’s exit code: 11 for a missing method, 2 for a stack underflow, or the thrown number', async () => {
    expect((await tvm.runGetMethod(request(walletV4, 1), signal)).exitCode).toBe(11)
    expect((await tvm.runGetMethod(contract(opcodes('3030')), signal)).exitCode).toBe(2)
    // THROW 57
    expect((await tvm.runGetMethod(contract(opcodes('f239')), signal)).exitCode).toBe(57)
  })

  it('get-methods take arguments and return cells', async () => {
    const argument = beginCell().storeUint(77, 32).endCell()
    // DROP: the method id; the argument stays
    const result = await tvm.runGetMethod(contract(opcodes('30'), { stack: stackOf([{ type: 'cell', cell: argument }]) }), signal)
    expect(result.exitCode).toBe(0)
    const [item] = stackItems(result.stack)
    expect(item?.type === 'cell' && item.cell.equals(argument)).toBe(true)
  })

  it('get-methods see balance, time and address', async () => {
    // DROP MYADDR NOW BALANCE FIRST
    const result = await tvm.runGetMethod(contract(opcodes('30f828f823f8276f10')), signal)
    const [address, now, balance] = stackItems(result.stack)
    expect(address?.type === 'slice' && address.cell.beginParse().loadAddress().equals(walletV4.address)).toBe(true)
    expect([now, balance]).toEqual([
      { type: 'int', value: 1_760_000_000n },
      { type: 'int', value: 5_000_000_000n },
    ])
  })

  it('get-methods see every extra currency', async () => {
    // DROP BALANCE SECOND (DUP PUSHINT 32 pairs are read by the test)
    const run = async (extraCurrencies: ReadonlyMap<number, bigint>) => {
      const result = await tvm.runGetMethod(contract(opcodes('30f8276f11'), { extraCurrencies }), signal)
      expect(result.exitCode).toBe(0)
      return stackItems(result.stack)[0]
    }
    const { Dictionary } = await import('@ton/core')
    const currencies = new Map([
      [100, 5n],
      [239, 1n << 100n],
      [7, 12n],
    ])
    const item = await run(currencies)
    if (item?.type !== 'cell') throw new Error('no dictionary')
    const read = Dictionary.loadDirect(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5), item.cell)
    expect(new Map([...read])).toEqual(currencies)
    expect(await run(new Map())).toEqual({ type: 'null' })
  })

  it('get-methods see a balance beyond 63 bits unchanged', async () => {
    const result = await tvm.runGetMethod(contract(opcodes('30f8276f10'), { balance: 1n << 70n }), signal)
    expect(stackItems(result.stack)).toEqual([{ type: 'int', value: 1n << 70n }])
  })

  it('get-methods get the given seed, not a random one', async () => {
    // DROP RANDU256
    const run = async (randomSeed: Uint8Array) =>
      stackItems((await tvm.runGetMethod(contract(opcodes('30f810'), { randomSeed }), signal)).stack)[0]
    expect(await run(seed)).toEqual(await run(seed))
    expect(await run(Buffer.alloc(32, 6))).not.toEqual(await run(seed))
    await expect(run(new Uint8Array(31).fill(1))).rejects.toMatchObject({ kind: 'rejected' })
  })

  it('get-methods report a library that is missing and run when it is given', async () => {
    const library = opcodes('3071')
    const code = beginCell().storeUint(2, 8).storeBuffer(library.hash()).endCell({ exotic: true })
    const missing = await tvm.runGetMethod(contract(code), signal)
    expect([missing.exitCode, missing.missingLibrary]).toEqual([9, library.hash().toString('hex')])
    const { Dictionary } = await import('@ton/core')
    const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), {
      serialize: (cell: Cell, builder) => void builder.storeUint(0, 2).storeRef(cell),
      parse: (slice) => slice.loadRef(),
    }).set(library.hash(), library)
    const found = await tvm.runGetMethod(contract(code, { libraries: [ownCell(beginCell().storeDictDirect(libraries).endCell())] }), signal)
    expect([found.exitCode, found.missingLibrary]).toEqual([0, undefined])
    expect(stackItems(found.stack)).toEqual([{ type: 'int', value: 1n }])
  })

  it('get-methods are refused if an argument is a continuation or the configuration has no prices', async () => {
    for (const bad of [{ stack: [{ type: 'cont', kind: 'quit', cell: EMPTY_CELL }] as const }, { config: EMPTY_CELL }]) {
      await expect(tvm.runGetMethod(request(walletV4, SEQNO, bad), signal)).rejects.toMatchObject({ name: 'TvmError', kind: 'rejected' })
      expect((await tvm.runGetMethod(request(walletV4, SEQNO), signal)).exitCode).toBe(0)
    }
    // Libraries that are no dictionary have nothing in them.
    expect((await tvm.runGetMethod(request(walletV4, SEQNO, { libraries: [EMPTY_CELL] }), signal)).exitCode).toBe(0)
  })

  it('get-methods leave the address of a masterchain account unchanged', async () => {
    const address = new Address(-1, Buffer.alloc(32, 0x33))
    const result = await tvm.runGetMethod(contract(opcodes('30f828'), { address: idOf(address) }), signal)
    const [item] = stackItems(result.stack)
    expect(item?.type === 'slice' && item.cell.beginParse().loadAddress().equals(address)).toBe(true)
  })
})
