import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictSet } from '../../../server/cell/dict.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { checkLibrariesWithProof } from '../../../server/chain/proofs/libraries.ts'
import { hashToBig, toHex } from '../../../server/tlb/bytes.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { storeVmStack, type VmStackValue } from '../../../server/tlb/vm-stack/vm-stack.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { wideTree } from '../../kit/bombs.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { countTurns, timeTurns } from '../../kit/turns.ts'

/* A lite-server's queries that take many milliseconds each, on a chain with a parameter of 20,000 cells. */

const { signal } = new AbortController()
const LARGE = -1000
const AT_ONCE = 16
let tvm: Tvm
let local: LocalChain
let id: BlockId

beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm)
  await local.control.setConfig(new Map([[LARGE, wideTree(20_000)]]), signal)
  id = local.head!()!.id
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

it.each([0, 0x8000])('proofs of the whole configuration that are asked for at once have turns of their own (mode %i)', async (mode) => {
  const ask = () => local.query('getConfigAll', { id, mode }, signal)
  await ask()
  const { longest, all } = await timeTurns(() => Promise.all(Array.from({ length: AT_ONCE }, ask)))
  expect(longest).toBeLessThan(all / 2)
})

it('accounts that are asked for at once have turns of their own', async () => {
  const ask = (i: number) => local.query('getAccountState', { id, account: { workchain: 0, hash: new Uint8Array(32).fill(i) } }, signal)
  await ask(0)
  const { longest, all } = await timeTurns(() => Promise.all(Array.from({ length: 256 }, (_, i) => ask(i))))
  expect(longest).toBeLessThan(all / 2)
})

it('a parameter that is asked for 256 times is read once', async () => {
  const ask = (count: number) => local.query('getConfigParams', { id, mode: 0, params: Array(count).fill(LARGE) }, signal)
  const once = await ask(1)
  let many: typeof once | undefined
  const one = await timeTurns(() => ask(1))
  const repeated = await timeTurns(async () => {
    many = await ask(256)
  })
  expect(many).toEqual(once)
  expect(repeated.all).toBeLessThan(10 * one.all + 100)
})

const tupleOf = (value: VmStackValue): VmStackValue => ({ type: 'tuple', items: new Array<VmStackValue>(255).fill(value) })
const WIDE = storeVmStack([tupleOf(tupleOf({ type: 'int', value: 0n }))])
const METHOD = { workchain: 0, hash: new Uint8Array(32).fill(0x51) }
const runMethod = (params: Uint8Array) =>
  local.query('runSmcMethod', { mode: 4, id: local.head!()!.id, account: METHOD, methodId: 1, params }, signal)

it('a result of 65,000 values is taken from a thread and written while other work has its turns', async () => {
  // DROP, PUSHINT 0, PUSHINT 254, PUSHCONT { DUP }, REPEAT, PUSHINT 255, TUPLEVAR; and 254 copies, because one object is written once:
  // PUSHINT 254, PUSHCONT { DUP, PUSHINT 0, SETINDEX 0 }, REPEAT, PUSHINT 255, TUPLEVAR
  const code = beginCell().storeBytes(Buffer.from('30708100fe9120e48100ff6f808100fe9420706f50e48100ff6f80', 'hex')).end()
  await local.control.setAccount(METHOD, { balance: 10n ** 12n, code }, signal)
  let result: Uint8Array | undefined
  const { longest, all } = await timeTurns(async () => {
    ;({ result } = await runMethod(new Uint8Array(0)))
  })
  expect(parseBocRoot(result!).hashHex()).toBe(WIDE.hashHex())
  expect(longest).toBeLessThan(all / 10)
})

it('arguments have at most 1,000 values, so that calls that wait hold few', async () => {
  /** DROP of the method's number: the result is the arguments. */
  const code = beginCell().storeUint(0x30, 8).end()
  await local.control.setAccount(METHOD, { balance: 10n ** 12n, code }, signal)
  const stackOf = (count: number) =>
    storeVmStack([tupleOf({ type: 'null' }), ...new Array<VmStackValue>(count - 256).fill({ type: 'null' })])
  const { result } = await runMethod(serializeBoc(stackOf(1_000)))
  expect(parseBocRoot(result!).hashHex()).toBe(stackOf(1_000).hashHex())
  for (const stack of [stackOf(1_001), WIDE])
    await expect(runMethod(serializeBoc(stack))).rejects.toThrow('the stack cannot be read: more than 1000 values in a stack')
})

it('large libraries are written and checked while other work has its turns', async () => {
  const codes = Array.from({ length: 16 }, (_, i) => wideTree(4_000, (cell, j) => cell.storeUint(i, 8).storeUint(j, 32)))
  const value = (code: Cell) => beginCell().storeBit(1).storeRef(code)
  const library = codes.reduce<Cell | undefined>((all, code) => dictSet(all, 256, hashToBig(code.hash()), value(code)), undefined)!
  const publisher = { workchain: -1, hash: new Uint8Array(32).fill(0x4c) }
  await local.control.setAccount(publisher, { balance: 10n ** 12n, code: beginCell().end(), library }, signal)
  const { id } = local.head!()
  const hashes = codes.map((code) => code.hash())
  const turns = countTurns()
  const { result } = await local.query('getLibraries', { hashes }, signal)
  const withoutProof = turns.count()
  const answer = await local.query('getLibrariesWithProof', { id, mode: 0, hashes }, signal)
  turns.stop()
  expect([withoutProof > 1, turns.count() - withoutProof > 1]).toEqual([true, true])
  expect(answer.result).toEqual(result)
  const check = checkLibrariesWithProof(answer, id, hashes)
  let steps = 0
  let step = check.next()
  for (; !step.done; step = check.next()) steps++
  expect(step.value.map(({ code }) => code.hashHex())).toEqual(result.map(({ hash }) => toHex(hash)))
  expect(steps).toBeGreaterThanOrEqual(codes.length)
}, 120_000)

it('a state of more than 100,000 cells is not handed out as a whole', async () => {
  const ask = () => local.query('getState', { id: local.head!()!.id }, signal)
  expect((await ask()).data.length).toBeGreaterThan(100_000)
  for (const bits of [33, 34]) {
    const account = { workchain: -1, hash: new Uint8Array(32).fill(bits) }
    const data = wideTree(50_000, (cell, i) => cell.storeUint(i, bits))
    await local.control.setAccount(account, { balance: 10n ** 12n, data }, signal)
  }
  await expect(ask()).rejects.toThrow('cannot request total state: possibly too large')
})
