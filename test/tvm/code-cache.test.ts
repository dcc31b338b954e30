import { expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { runVm } from '../../server/tvm/run-vm.ts'
import { wideTree } from '../kit/bombs.ts'
import { collectGarbage } from '../kit/gc.ts'
import { threadTime } from '../kit/turns.ts'

const memory = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

it('making code of cells with many cells below them takes a moment, and keeps none of them', () => {
  const big = wideTree(30_000)
  let list = EMPTY_CELL
  for (let i = 0; i < 20; i++) list = beginCell().storeUint(i, 32).storeRef(list).storeRef(big).end()
  const boc = serializeBoc(list)
  // PUSHCONT { DUP, CTOS, BLESS, DROP, CTOS, LDREF, DROP }, AGAIN
  const code = beginCell().storeBytes(Buffer.from('9820d0ed1e30d0d430ea', 'hex')).end()
  const before = memory()
  let longest = 0
  let last = 0
  const interrupt = (): boolean => {
    const now = threadTime()
    longest = Math.max(longest, now - last)
    last = now
    return false
  }
  const stack = [parseBocRoot(boc)]
  last = threadTime()
  // The last cell has no reference that could be loaded.
  expect(runVm({ code, stack, c7: [], gas: { limit: 1_000_000 }, version: 15, interrupt }).exitCode).toBe(9)
  stack.length = 0
  expect(Math.max(longest, threadTime() - last)).toBeLessThan(100)
  expect(memory() - before).toBeLessThan(20)
})

it('thousands of runs of one code, each of another part of it, keep little of what was decoded', () => {
  let made = 0
  // DUP, PUSHINT 1, AND, SWAP, RSHIFT 1, SWAP, IFJMPREF: the lowest bits of the argument choose the leaf, which is { }, EXECUTE, ...
  const tree = (depth: number): Cell =>
    depth === 0
      ? beginCell()
          .storeUint(0x81, 8)
          .storeUint(made++, 16)
          .storeBytes(Buffer.from(`30${'90d8'.repeat(61)}`, 'hex'))
          .end()
      : beginCell()
          .storeBytes(Buffer.from('2071b001ab0001e302', 'hex'))
          .storeRef(tree(depth - 1))
          .storeRef(tree(depth - 1))
          .end()
  const code = parseBocRoot(serializeBoc(tree(12)))
  const before = memory()
  for (let leaf = 0; leaf < 4_096; leaf++)
    expect(runVm({ code, stack: [leaf], c7: [], gas: { limit: 1_000_000 }, version: 15, interrupt: () => false }).exitCode).toBe(0)
  expect(memory() - before).toBeLessThan(60)
  expect(code.bits).toBe(72)
})
