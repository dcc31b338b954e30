import { describe, expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { dictFromEntries } from '../../server/cell/dict.ts'
import { stdAddress } from '../../server/tlb/address.ts'
import { loadVmStack } from '../../server/tlb/vm-stack/load.ts'
import { storeVmStack } from '../../server/tlb/vm-stack/store.ts'
import { unpackConfig } from '../../server/tvm/executor/config.ts'
import { exitCodeText } from '../../server/tvm/exit-codes.ts'
import { runVmGetMethod, type VmGetMethodRequest } from '../../server/tvm/get-method.ts'
import { fromStackValue, toStackValues } from '../../server/tvm/machine/vm-stack-value.ts'
import { createEmulator } from '../kit/tvm/emulator/emulator.ts'
import { emulatorConfig } from '../kit/tvm/emulator/forms.ts'
import { compileEmulator } from '../kit/tvm/emulator/wasm.ts'
import { configOf } from './oracle/configs.ts'
import '../kit/tvm/curves.ts'

/* Get-methods on the own machine, beside the emulator where that knows the version. */

const code = (hex: string): Cell => beginCell().storeBytes(Buffer.from(hex, 'hex')).end()
/** A contract of methods by number: DICTPUSHCONST 19, DICTIGETJMPZ, THROWARG 11. */
const contract = (methods: Readonly<Record<number, Cell>>): Cell => {
  const root = dictFromEntries(
    19,
    Object.entries(methods).map(([id, body]) => [BigInt(id), body.slice()] as const),
  )!
  return beginCell().storeBytes(Buffer.from('ff00f4a413f4bcf2c80b', 'hex')).storeRef(root).end()
}

const usual = {
  address: stdAddress(0, Buffer.alloc(32, 0x11)),
  balance: 1_000_000_000n,
  now: 1_700_000_000,
  randomSeed: Buffer.alloc(32, 7),
}
const run = (c: Cell, methodId: number, more: Partial<VmGetMethodRequest> = {}) =>
  runVmGetMethod({ ...usual, code: c, methodId, stack: [], gasLimit: 1_000_000, ...more })

/** Method 1: NOW, BALANCE, MYADDR, GETPARAM of due payment, CONFIGROOT. Method 2: the data as slice. Method 3: a continuation with arguments. */
const METHODS = contract({
  1: code('f823f827f828f82ff829f82a'),
  2: code('ed44d0d31f'),
  3: code('717291a4d911'.slice(0, 10)),
  4: code('7071f82322f810f814'),
  5: code('8100ff7571a90c6f03'),
})

describe('a get-method on the own machine', () => {
  it('a get-method on our machine leaves what the emulator leaves, value by value', async () => {
    const root = configOf(12, 'usual')
    const full = emulatorConfig(root).full
    const emulator = await createEmulator(await compileEmulator())
    const config = unpackConfig(parseBocRoot(full))
    const pointer = emulator.keep(full)
    const base64 = (cell: Cell): string => Buffer.from(serializeBoc(cell, { crc32c: false })).toString('base64')
    const data = beginCell().storeUint(77, 32).storeUint(5, 100).storeRef(METHODS).end()
    const args = [fromStackValue({ type: 'int', value: 1n << 200n }), [1, null, data.slice()], data]
    for (const methodId of [1, 2, 3, 4, 5, 6]) {
      const own = run(METHODS, methodId, { config, data, stack: args })
      const params = {
        code: base64(METHODS),
        data: base64(data),
        verbosity: 0,
        libs: '',
        address: `0:${'11'.repeat(32)}`,
        unixtime: usual.now,
        balance: String(usual.balance),
        rand_seed: '07'.repeat(32),
        gas_limit: '1000000',
        method_id: methodId,
        debug_enabled: false,
      }
      const stack = serializeBoc(storeVmStack(toStackValues(args)), { crc32c: false })
      const answer = JSON.parse(emulator.runGetMethod(JSON.stringify(params), stack, pointer)) as {
        output: { vm_exit_code: number; gas_used: string; stack: string }
      }
      const { vm_exit_code, gas_used, stack: left } = answer.output
      expect([own.exitCode, own.gasUsed]).toEqual([vm_exit_code, Number(gas_used)])
      const theirs = parseBocRoot(Buffer.from(left, 'base64'))
      expect(storeVmStack(toStackValues(own.stack)).hashHex()).toBe(theirs.hashHex())
      expect(loadVmStack(theirs)).toHaveLength(own.stack.length)
    }
  })

  it('a get-method that does not exist ends with exit code 11 and its number', () => {
    const result = run(METHODS, 999)
    expect(result).toMatchObject({ exitCode: 11, stack: [999] })
    expect(exitCodeText(result.exitCode)).toMatch(/method that the contract does not have/)
  })

  it('a get-method costs the same gas every time, also if the way to it is cached', () => {
    const first = run(METHODS, 2, { data: beginCell().storeUint(1, 32).end() })
    for (let i = 0; i < 3; i++) {
      const again = run(parseBocRoot(serializeBoc(METHODS)), 2, { data: beginCell().storeUint(1, 32).end() })
      expect([again.exitCode, again.gasUsed, again.steps]).toEqual([first.exitCode, first.gasUsed, first.steps])
    }
  })

  it('a get-method finds code and data in libraries, and says which one is missing', () => {
    const library = beginCell().storeUint(42, 32).end()
    const reference = beginCell().storeUint(2, 8).storeBytes(library.hash()).endExotic()
    const libraries = [dictFromEntries(256, [[BigInt(`0x${library.hashHex()}`), beginCell().storeBit(1).storeRef(library)]])!]
    expect(run(METHODS, 2, { data: reference, libraries })).toMatchObject({ exitCode: 0 })
    const missing = run(METHODS, 2, { data: reference })
    expect(missing).toMatchObject({ exitCode: 9, missingLibrary: library.hashHex() })
  })

  it('a get-method that needs a pruned cell ends with 9, and with 14 if the state is a proof', () => {
    const pruned = beginCell().storeUint(0x0101, 16).storeBytes(METHODS.hash()).storeUint(3, 16).endExotic()
    const data = beginCell().storeUint(1, 32).storeRef(pruned).end()
    // PUSH c4, CTOS, LDREF, DROP, CTOS
    const c = contract({ 1: code('ed44d0d430d0') })
    expect(run(c, 1, { data }).exitCode).toBe(9)
    expect(run(c, 1, { data, virtual: true }).exitCode).toBe(14)
  })
})

describe('bad input for a get-method', () => {
  it('an endless loop ends with the gas', () => {
    expect(run(contract({ 1: code('91a4ea') }), 1)).toMatchObject({ exitCode: 2 })
    expect(run(contract({ 1: code('7091a4ea') }), 1)).toMatchObject({ exitCode: -14 })
  })

  it('a get-method whose caller has left is dropped within some thousand gas', () => {
    let asked = 0
    const interrupt = (): boolean => ++asked === 3
    expect(() => run(contract({ 1: code('7091a4ea') }), 1, { interrupt })).toThrow('the run was dropped')
    // CHKSIGNU asks beforehand
    const slow: boolean[] = []
    const note = (isSlow: boolean): boolean => {
      slow.push(isSlow)
      return isSlow
    }
    const signature = beginCell().storeBytes(Buffer.alloc(64)).end().slice()
    const chksign = contract({ 1: code('f910') })
    expect(() => run(chksign, 1, { stack: [5, signature, 12345678], interrupt: note })).toThrow('before a slow instruction')
    expect(slow).toEqual([true])
  })

  it('a chain of continuations as long as the gas allows ends with a result', () => {
    // PUSHCONT {}, AGAIN { PUSHCONT {}, SWAP, BOOLAND }
    expect(run(contract({ 1: code('90949001edf0ea') }), 1).exitCode).toBe(-14)
    // PUSHCONT {}, REPEAT 20000 { PUSHCONT {}, SWAP, BOOLAND }, EXECUTE: a chain of as many jumps
    expect(run(contract({ 1: code('90814e20949001edf0e4d8') }), 1, { gasLimit: 10_000_000 }).exitCode).toBe(0)
  })

  it('tuples nested two thousand deep are accepted, and refused as a result that no cell could hold', () => {
    // PUSHNULL, AGAIN { TUPLE 1 }: until the gas is out
    expect(run(contract({ 1: code('6d926f01ea') }), 1).exitCode).toBe(-14)
    // PUSHNULL, REPEAT 2000 { TUPLE 1 }
    const deep = run(contract({ 1: code('6d8107d0926f01e4') }), 1)
    expect(deep.exitCode).toBe(0)
    expect(() => storeVmStack(toStackValues(deep.stack))).toThrow('nested more than')
  })

  it('continuations nested as deep as cells are a result, and deeper ones are refused', () => {
    // PUSHCONT {}, REPEAT { PUSHCONT {}, SWAP, BOOLAND }
    const chain = (count: number) => run(contract({ 1: code(`9081${count.toString(16).padStart(4, '0')}949001edf0e4`) }), 1).stack
    expect(toStackValues(chain(1_020))).toMatchObject([{ type: 'cont', kind: 'std' }])
    expect(() => toStackValues(chain(1_100))).toThrow('depth')
  })

  it('code that is no code ends with exit code 6', () => {
    expect(run(beginCell().storeUint(0xfc, 8).end(), 1).exitCode).toBe(6)
    expect(run(EMPTY_CELL, 1)).toMatchObject({ exitCode: 0, stack: [1] })
  })
})
