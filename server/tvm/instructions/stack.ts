import { STACK_UNDERFLOW } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import type { Machine } from '../machine/machine.ts'
import type { Value } from '../machine/value.ts'
import { fixed, ranged, register, reservedOpcode, simple } from './define.ts'

/* 0x00..0x6C: moving entries of the stack. s0 is the top. */

export const swap = (s: Value[], top: number, i: number, j: number): void => {
  const x = s[top - i]!
  s[top - i] = s[top - j]!
  s[top - j] = x
}

const nop = (): void => {}

export const xchg0 = (vm: Machine, x: number): void => {
  const s = vm.stack
  const top = s.length - 1
  if (x > top || top < 0) throw STACK_UNDERFLOW
  const value = s[top]!
  s[top] = s[top - x]!
  s[top - x] = value
}

const xchg = (vm: Machine, { x, y }: Two): void => {
  vm.need(y + 1)
  swap(vm.stack, vm.stack.length - 1, x, y)
}

export const push = (vm: Machine, x: number): void => {
  const s = vm.stack
  const top = s.length - 1
  if (x > top) throw STACK_UNDERFLOW
  s.push(s[top - x]!)
}

const pop = (vm: Machine, x: number): void => {
  const s = vm.stack
  const top = s.length - 1
  if (x > top) throw STACK_UNDERFLOW
  s[top - x] = s[top]!
  s.pop()
}

const drop = (vm: Machine): void => {
  if (vm.stack.length === 0) throw STACK_UNDERFLOW
  vm.stack.pop()
}

export interface Two {
  readonly x: number
  readonly y: number
}
interface Three extends Two {
  readonly z: number
}
export const two = (args: number): Two => ({ x: args >> 4, y: args & 15 })
const three = (args: number): Three => ({ x: args >> 8, y: (args >> 4) & 15, z: args & 15 })
/** Text of two registers. The assembler writes the second register minus `less`, such as `PUXC s(i),s(j-1)`. */
const twoText =
  (less: number) =>
  (args: number): string =>
    `s${args >> 4},s${(args & 15) - less}`
const threeText =
  (lessY: number, lessZ: number) =>
  (args: number): string =>
    `s${args >> 8},s${((args >> 4) & 15) - lessY},s${(args & 15) - lessZ}`

/* In the names, XC means exchange and PU means push. Their order is that of the entries, from the deepest entry to the top. */

const xchg2 = (vm: Machine, { x, y }: Two): void => {
  vm.need(Math.max(x, y, 1) + 1)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 1, x)
  swap(vm.stack, top, 0, y)
}
const xcpu = (vm: Machine, { x, y }: Two): void => {
  vm.need(Math.max(x, y) + 1)
  swap(vm.stack, vm.stack.length - 1, 0, x)
  push(vm, y)
}
const puxc = (vm: Machine, { x, y }: Two): void => {
  vm.need(Math.max(x + 1, y))
  push(vm, x)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 0, 1)
  swap(vm.stack, top, 0, y)
}
const push2 = (vm: Machine, { x, y }: Two): void => {
  vm.need(Math.max(x, y) + 1)
  push(vm, x)
  push(vm, y + 1)
}
const xchg3 = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x, y, z, 2) + 1)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 2, x)
  swap(vm.stack, top, 1, y)
  swap(vm.stack, top, 0, z)
}
const xc2pu = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x, y, z, 1) + 1)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 1, x)
  swap(vm.stack, top, 0, y)
  push(vm, z)
}
const xcpuxc = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x + 1, y + 1, 2, z))
  swap(vm.stack, vm.stack.length - 1, 1, x)
  push(vm, y)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 0, 1)
  swap(vm.stack, top, 0, z)
}
const xcpu2 = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x, y, z) + 1)
  swap(vm.stack, vm.stack.length - 1, 0, x)
  push(vm, y)
  push(vm, z + 1)
}
const puxc2 = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x + 1, 2, y, z))
  push(vm, x)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 2, 0)
  swap(vm.stack, top, 1, y)
  swap(vm.stack, top, 0, z)
}
const puxcpu = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x + 1, y, z))
  push(vm, x)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 0, 1)
  swap(vm.stack, top, 0, y)
  push(vm, z)
}
const pu2xc = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x + 1, y, z - 1))
  push(vm, x)
  swap(vm.stack, vm.stack.length - 1, 1, 0)
  push(vm, y)
  const top = vm.stack.length - 1
  swap(vm.stack, top, 1, 0)
  swap(vm.stack, top, 0, z)
}
const push3 = (vm: Machine, { x, y, z }: Three): void => {
  vm.need(Math.max(x, y, z) + 1)
  push(vm, x)
  push(vm, y + 1)
  push(vm, z + 2)
}

/** XCHG s(i),s(j) with 0 < i < j. Other pairs cost gas and are not an instruction. */
const exchanges = (): Instruction[] => {
  const all: Instruction[] = []
  for (let args = 0; args < 256; args++) {
    const { x, y } = two(args)
    const opcode = 0x1000 | args
    all.push(x === 0 || x >= y ? reservedOpcode(opcode, 16) : ranged(opcode, opcode, 16, 8, 'XCHG', xchg, { map: two, text: twoText(0) }))
  }
  return all
}

export const STACK: readonly Instruction[] = [
  simple(0x00, 8, 'NOP', nop),
  simple(0x01, 8, 'SWAP', xchg0, 1),
  ranged(0x02, 0x0f, 8, 4, 'XCHG', xchg0, { text: register }),
  ...exchanges(),
  fixed(0x11, 8, 8, 'XCHG', xchg0, { text: register }),
  ranged(0x12, 0x1f, 8, 4, 'XCHG', xchg, { map: (y) => ({ x: 1, y }), text: (y) => `s1,s${y}` }),
  simple(0x20, 8, 'DUP', push, 0),
  simple(0x21, 8, 'OVER', push, 1),
  ranged(0x22, 0x2f, 8, 4, 'PUSH', push, { text: register }),
  simple(0x30, 8, 'DROP', drop),
  simple(0x31, 8, 'NIP', pop, 1),
  ranged(0x32, 0x3f, 8, 4, 'POP', pop, { text: register }),
  fixed(0x4, 4, 12, 'XCHG3', xchg3, { map: three, text: threeText(0, 0) }),
  fixed(0x50, 8, 8, 'XCHG2', xchg2, { map: two, text: twoText(0) }),
  fixed(0x51, 8, 8, 'XCPU', xcpu, { map: two, text: twoText(0) }),
  fixed(0x52, 8, 8, 'PUXC', puxc, { map: two, text: twoText(1) }),
  fixed(0x53, 8, 8, 'PUSH2', push2, { map: two, text: twoText(0) }),
  fixed(0x540, 12, 12, 'XCHG3', xchg3, { map: three, text: threeText(0, 0) }),
  fixed(0x541, 12, 12, 'XC2PU', xc2pu, { map: three, text: threeText(0, 0) }),
  fixed(0x542, 12, 12, 'XCPUXC', xcpuxc, { map: three, text: threeText(0, 1) }),
  fixed(0x543, 12, 12, 'XCPU2', xcpu2, { map: three, text: threeText(0, 0) }),
  fixed(0x544, 12, 12, 'PUXC2', puxc2, { map: three, text: threeText(1, 1) }),
  fixed(0x545, 12, 12, 'PUXCPU', puxcpu, { map: three, text: threeText(1, 1) }),
  fixed(0x546, 12, 12, 'PU2XC', pu2xc, { map: three, text: threeText(1, 2) }),
  fixed(0x547, 12, 12, 'PUSH3', push3, { map: three, text: threeText(0, 0) }),
  fixed(0x56, 8, 8, 'PUSH', push, { text: register }),
  fixed(0x57, 8, 8, 'POP', pop, { text: register }),
]
