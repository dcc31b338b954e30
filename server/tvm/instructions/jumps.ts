import type { Cell } from '../../cell/cell.ts'
import { Continuation, PUSH_INT } from '../machine/continuation.ts'
import { INVALID_OPCODE } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import { call, callWith, extract, jump, jumpWith, ret, retAlt, retWith } from '../machine/jump.ts'
import type { Machine } from '../machine/machine.ts'
import { refContinuation, refText, takeRef } from './constants.ts'
import { extended, fixed, ranged, simple } from './define.ts'

/* 0xD8..0xDB, 0xEDF9, 0xF0..0xF1, 0xFF: calls, jumps, returns, code page. */

const execute = (vm: Machine): void => call(vm, vm.continuation())
const jmpx = (vm: Machine): void => jump(vm, vm.continuation())
const callxargs = (vm: Machine, { pass, results }: Args): void => callWith(vm, vm.continuation(), pass, results)
const jmpxargs = (vm: Machine, pass: number): void => jumpWith(vm, vm.continuation(), pass)
const retbool = (vm: Machine): void => (vm.bool() ? ret(vm) : retAlt(vm))

interface Args {
  readonly pass: number
  readonly results: number
}
export const allButFifteen = (count: number): number => (count === 15 ? -1 : count)
const argsText = (args: number): string => `${args >> 4},${args & 15}`
export const signedArgsText = (args: number): string => `${args >> 4},${allButFifteen(args & 15)}`

/** Jumps to a continuation. The rest of the code is its last argument. Values that are not passed are saved in the rest of the code. */
const callWithCurrent = (vm: Machine, pass: number, results: number): void => {
  const cont = vm.continuation()
  const current = extract(vm, 3, pass, results)
  vm.stack.push(current)
  jump(vm, cont)
}
const callcc = (vm: Machine): void => callWithCurrent(vm, -1, -1)
const callccargs = (vm: Machine, { pass, results }: Args): void => {
  vm.need(pass + 1)
  callWithCurrent(vm, pass, results)
}

const callxvarargs = (vm: Machine): void => {
  vm.need(3)
  const results = vm.small(254, -1)
  const pass = vm.small(254, -1)
  callWith(vm, vm.continuation(), pass, results)
}
const retvarargs = (vm: Machine): void => retWith(vm, vm.small(254, -1))
const jmpxvarargs = (vm: Machine): void => {
  vm.need(2)
  const pass = vm.small(254, -1)
  vm.need(pass + 1)
  jumpWith(vm, vm.continuation(), pass)
}
const callccvarargs = (vm: Machine): void => {
  vm.need(3)
  const results = vm.small(254, -1)
  const pass = vm.small(254, -1)
  vm.need(pass + 1)
  callWithCurrent(vm, pass, results)
}

const pushCode = (vm: Machine): void => {
  vm.stack.push(vm.block.from(vm.ip))
}
const jmpxdata = (vm: Machine): void => {
  const cont = vm.continuation()
  pushCode(vm)
  jump(vm, cont)
}
const retdata = (vm: Machine): void => {
  pushCode(vm)
  ret(vm)
}
const callref = (vm: Machine, cell: Cell): void => call(vm, refContinuation(vm, cell))
const jmpref = (vm: Machine, cell: Cell): void => jump(vm, refContinuation(vm, cell))
const jmprefdata = (vm: Machine, cell: Cell): void => {
  const cont = refContinuation(vm, cell)
  pushCode(vm)
  jump(vm, cont)
}

/** Calls c3 with a method number. Functions of one contract call each other this way. */
const calldict = (vm: Machine, method: number): void => {
  vm.stack.push(method)
  call(vm, vm.c3)
}
const jmpdict = (vm: Machine, method: number): void => {
  vm.stack.push(method)
  jump(vm, vm.c3)
}
const preparedict = (vm: Machine, method: number): void => {
  vm.stack.push(method, vm.c3)
}

const setcp = (_vm: Machine, page: number): void => {
  if (page !== 0) throw INVALID_OPCODE
}
const setcpx = (vm: Machine): void => setcp(vm, vm.small(0x7fff, -0x8000))
const page = (args: number): number => (args >= 0xf0 ? args - 256 : args)

const booleval = (vm: Machine): void => {
  const cont = vm.continuation()
  const current = extract(vm, 3)
  vm.c0 = new Continuation(PUSH_INT, null, -1, null, null, current)
  vm.c1 = new Continuation(PUSH_INT, null, 0, null, null, current)
  jump(vm, cont)
}

const referenced = (opcode: number, name: string, exec: (vm: Machine, cell: Cell) => void): Instruction =>
  extended(opcode, opcode, 16, 0, name, exec, { take: takeRef, text: refText })

export const JUMPS: readonly Instruction[] = [
  simple(0xd8, 8, 'EXECUTE', execute),
  simple(0xd9, 8, 'JMPX', jmpx),
  fixed(0xda, 8, 8, 'CALLXARGS', callxargs, { map: (args) => ({ pass: args >> 4, results: args & 15 }), text: argsText }),
  fixed(0xdb0, 12, 4, 'CALLXARGS', callxargs, { map: (pass) => ({ pass, results: -1 }), text: (pass) => `${pass},-1` }),
  fixed(0xdb1, 12, 4, 'JMPXARGS', jmpxargs),
  fixed(0xdb2, 12, 4, 'RETARGS', retWith),
  simple(0xdb30, 16, 'RET', ret),
  simple(0xdb31, 16, 'RETALT', retAlt),
  simple(0xdb32, 16, 'RETBOOL', retbool),
  simple(0xdb34, 16, 'CALLCC', callcc),
  simple(0xdb35, 16, 'JMPXDATA', jmpxdata),
  fixed(0xdb36, 16, 8, 'CALLCCARGS', callccargs, {
    map: (args) => ({ pass: args >> 4, results: allButFifteen(args & 15) }),
    text: signedArgsText,
  }),
  simple(0xdb38, 16, 'CALLXVARARGS', callxvarargs),
  simple(0xdb39, 16, 'RETVARARGS', retvarargs),
  simple(0xdb3a, 16, 'JMPXVARARGS', jmpxvarargs),
  simple(0xdb3b, 16, 'CALLCCVARARGS', callccvarargs),
  referenced(0xdb3c, 'CALLREF', callref),
  referenced(0xdb3d, 'JMPREF', jmpref),
  referenced(0xdb3e, 'JMPREFDATA', jmprefdata),
  simple(0xdb3f, 16, 'RETDATA', retdata),
  simple(0xedf9, 16, 'BOOLEVAL', booleval),
  fixed(0xf0, 8, 8, 'CALLDICT', calldict),
  fixed(0xf100 >> 6, 10, 14, 'CALLDICT', calldict),
  fixed(0xf140 >> 6, 10, 14, 'JMPDICT', jmpdict),
  fixed(0xf180 >> 6, 10, 14, 'PREPAREDICT', preparedict),
  ranged(0xff00, 0xffef, 16, 8, 'SETCP', setcp, { map: page }),
  simple(0xfff0, 16, 'SETCPX', setcpx),
  ranged(0xfff1, 0xffff, 16, 8, 'SETCP', setcp, { map: page, text: (args) => String(page(args)) }),
]
