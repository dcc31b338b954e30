import type { Instruction } from '../machine/instruction.ts'
import type { Machine } from '../machine/machine.ts'
import { fixed, ranged, simple } from './define.ts'
import { push, swap, type Two, two, xchg0 } from './stack.ts'

/* 0x55, 0x58..0x6C: moving blocks of entries, and instructions with a count on the stack. */

const MAX_COUNT = 2 ** 30 - 1
/** Number of entries that an instruction moves for free. */
const FREE_COUNT = 255

const swapBlocks = (vm: Machine, x: number, y: number): void => {
  const s = vm.stack
  const moved = s.splice(s.length - x - y, x)
  for (const value of moved) s.push(value)
}
const blkswap = (vm: Machine, { x, y }: Two): void => {
  vm.need(x + y)
  swapBlocks(vm, x, y)
}
const reverseBlock = (vm: Machine, x: number, y: number): void => {
  const s = vm.stack
  for (let i = s.length - x - y, j = s.length - y - 1; i < j; i++, j--) {
    const value = s[i]!
    s[i] = s[j]!
    s[j] = value
  }
}
const reverse = (vm: Machine, { x, y }: Two): void => {
  vm.need(x + y)
  reverseBlock(vm, x, y)
}
const rot = (vm: Machine): void => {
  vm.need(3)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 1, 2)
  swap(vm.stack, top, 0, 1)
}
const rotrev = (vm: Machine): void => {
  vm.need(3)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 0, 1)
  swap(vm.stack, top, 1, 2)
}
const swap2 = (vm: Machine): void => {
  vm.need(4)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 1, 3)
  swap(vm.stack, top, 0, 2)
}
const drop2 = (vm: Machine): void => {
  vm.need(2)
  vm.stack.length -= 2
}
const dup2 = (vm: Machine): void => {
  vm.need(2)
  push(vm, 1)
  push(vm, 1)
}
const over2 = (vm: Machine): void => {
  vm.need(4)
  push(vm, 3)
  push(vm, 3)
}
const blkdrop = (vm: Machine, x: number): void => {
  vm.need(x)
  vm.stack.length -= x
}
const blkdrop2 = (vm: Machine, { x, y }: Two): void => {
  vm.need(x + y)
  if (x > 0) vm.stack.splice(vm.stack.length - x - y, x)
}
const blkpush = (vm: Machine, { x, y }: Two): void => {
  vm.need(y + 1)
  for (let i = 0; i < x; i++) push(vm, y)
}
const tuck = (vm: Machine): void => {
  vm.need(2)
  swap(vm.stack, vm.stack.length - 1, 0, 1)
  push(vm, 1)
}

const count = (vm: Machine): number => vm.small(MAX_COUNT)

const pick = (vm: Machine): void => {
  push(vm, count(vm))
}
const roll = (vm: Machine): void => {
  const x = count(vm)
  vm.need(x + 1)
  vm.use(Math.max(x - FREE_COUNT, 0))
  const s = vm.stack
  const at = s.length - 1 - x
  const value = s[at]!
  s.copyWithin(at, at + 1)
  s[s.length - 1] = value
}
const rollrev = (vm: Machine): void => {
  const x = count(vm)
  vm.need(x + 1)
  vm.use(Math.max(x - FREE_COUNT, 0))
  const s = vm.stack
  const at = s.length - 1 - x
  const value = s[s.length - 1]!
  s.copyWithin(at + 1, at)
  s[at] = value
}
const blkswx = (vm: Machine): void => {
  vm.need(2)
  const y = count(vm)
  const x = count(vm)
  vm.need(x + y)
  if (x === 0 || y === 0) return
  vm.use(Math.max(x + y - FREE_COUNT, 0))
  swapBlocks(vm, x, y)
}
const revx = (vm: Machine): void => {
  vm.need(2)
  const y = count(vm)
  const x = count(vm)
  vm.need(x + y)
  vm.use(Math.max(x - FREE_COUNT, 0))
  reverseBlock(vm, x, y)
}
const dropx = (vm: Machine): void => blkdrop(vm, count(vm))
const xchgx = (vm: Machine): void => {
  const x = count(vm)
  xchg0(vm, x)
}
const depth = (vm: Machine): void => {
  vm.stack.push(vm.stack.length)
}
const chkdepth = (vm: Machine): void => vm.need(count(vm))
const onlytopx = (vm: Machine): void => {
  const x = count(vm)
  vm.need(x)
  const below = vm.stack.length - x
  if (below === 0) return
  vm.use(Math.max(x - FREE_COUNT, 0))
  vm.stack.splice(0, below)
}
const onlyx = (vm: Machine): void => {
  const x = count(vm)
  vm.need(x)
  vm.stack.length = x
}

export const STACK_BLOCKS: readonly Instruction[] = [
  fixed(0x55, 8, 8, 'BLKSWAP', blkswap, {
    map: (args) => ({ x: (args >> 4) + 1, y: (args & 15) + 1 }),
    text: (args) => `${(args >> 4) + 1},${(args & 15) + 1}`,
  }),
  simple(0x58, 8, 'ROT', rot),
  simple(0x59, 8, 'ROTREV', rotrev),
  simple(0x5a, 8, '2SWAP', swap2),
  simple(0x5b, 8, '2DROP', drop2),
  simple(0x5c, 8, '2DUP', dup2),
  simple(0x5d, 8, '2OVER', over2),
  fixed(0x5e, 8, 8, 'REVERSE', reverse, {
    map: (args) => ({ x: (args >> 4) + 2, y: args & 15 }),
    text: (args) => `${(args >> 4) + 2},${args & 15}`,
  }),
  fixed(0x5f0, 12, 4, 'BLKDROP', blkdrop),
  ranged(0x5f10, 0x5fff, 16, 8, 'BLKPUSH', blkpush, { map: two, text: (args) => `${args >> 4},${args & 15}` }),
  simple(0x60, 8, 'PICK', pick),
  simple(0x61, 8, 'ROLL', roll),
  simple(0x62, 8, 'ROLLREV', rollrev),
  simple(0x63, 8, 'BLKSWX', blkswx),
  simple(0x64, 8, 'REVX', revx),
  simple(0x65, 8, 'DROPX', dropx),
  simple(0x66, 8, 'TUCK', tuck),
  simple(0x67, 8, 'XCHGX', xchgx),
  simple(0x68, 8, 'DEPTH', depth),
  simple(0x69, 8, 'CHKDEPTH', chkdepth),
  simple(0x6a, 8, 'ONLYTOPX', onlytopx),
  simple(0x6b, 8, 'ONLYX', onlyx),
  ranged(0x6c10, 0x6cff, 16, 8, 'BLKDROP2', blkdrop2, { map: two, text: (args) => `${args >> 4},${args & 15}` }),
]
