import type { Cell } from '../../cell/cell.ts'
import { AGAIN, Continuation, REPEAT, UNTIL, WHILE_CONDITION } from '../machine/continuation.ts'
import { TYPE_CHECK } from '../machine/exceptions.ts'
import { INVALID, type Instruction } from '../machine/instruction.ts'
import { call, extract, jump, ret, retAlt } from '../machine/jump.ts'
import type { Machine } from '../machine/machine.ts'
import type { Integer } from '../machine/value.ts'
import { typeName } from '../machine/value.ts'
import { refContinuation, refText, takeRef } from './constants.ts'
import { extended, fixed, simple } from './define.ts'
import { savedIn } from './registers.ts'

/* 0xDC..0xEB: conditions and loops. */

interface If {
  readonly when: boolean
  readonly jumps: boolean
}
const ifOp = (vm: Machine, { when, jumps }: If): void => {
  vm.need(2)
  const cont = vm.continuation()
  if (vm.bool() !== when) return
  if (jumps) jump(vm, cont)
  else call(vm, cont)
}
const ifRef = (vm: Machine, { when, jumps, cell }: If & { readonly cell: Cell }): void => {
  if (vm.bool() !== when) return
  const cont = refContinuation(vm, cell)
  if (jumps) jump(vm, cont)
  else call(vm, cont)
}
const ifret = (vm: Machine, when: boolean): void => {
  if (vm.bool() === when) ret(vm)
}
const ifretalt = (vm: Machine, when: boolean): void => {
  if (vm.bool() === when) retAlt(vm)
}
const ifelse = (vm: Machine): void => {
  vm.need(3)
  const otherwise = vm.continuation()
  const then = vm.continuation()
  call(vm, vm.bool() ? then : otherwise)
}
/** One branch is a reference. It runs if the condition is `when`. The other branch is a continuation on the stack. */
const ifelseRef = (vm: Machine, { when, cell }: { readonly when: boolean; readonly cell: Cell }): void => {
  vm.need(2)
  const cont = vm.continuation()
  call(vm, vm.bool() === when ? refContinuation(vm, cell) : cont)
}
const ifrefElseref = (vm: Machine, [then, otherwise]: readonly [Cell, Cell]): void => {
  call(vm, refContinuation(vm, vm.bool() ? then : otherwise))
}
const condsel = (vm: Machine): void => {
  vm.need(3)
  const otherwise = vm.pop()
  const then = vm.pop()
  vm.stack.push(vm.bool() ? then : otherwise)
}
const condselchk = (vm: Machine): void => {
  vm.need(3)
  const otherwise = vm.pop()
  const then = vm.pop()
  if (typeName(then) !== typeName(otherwise)) throw TYPE_CHECK
  vm.stack.push(vm.bool() ? then : otherwise)
}

const bitOf = (value: Integer, bit: number): boolean =>
  typeof value === 'number' ? Math.floor(value / 2 ** bit) % 2 !== 0 : ((value >> BigInt(bit)) & 1n) === 1n
const ifbitjmp = (vm: Machine, args: number): void => {
  vm.need(2)
  const cont = vm.continuation()
  const value = vm.finite()
  vm.stack.push(value)
  if (bitOf(value, args & 31) !== args > 31) jump(vm, cont)
}
const ifbitjmpref = (vm: Machine, { args, cell }: { readonly args: number; readonly cell: Cell }): void => {
  const value = vm.finite()
  vm.stack.push(value)
  if (bitOf(value, args & 31) !== args > 31) jump(vm, refContinuation(vm, cell))
}

/**
 * Returns the continuation that runs after a loop. In the BRK forms, it saves the current c0 and c1 and becomes c1 itself, so that RETALT in the body ends the
 * loop.
 */
const asExit = (vm: Machine, after: Continuation, breaks: boolean): Continuation => {
  if (!breaks) return after
  vm.c1 = savedIn(savedIn(after, 1, vm.c1), 0, vm.c0)
  return vm.c1
}

const startRepeat = (vm: Machine, body: Continuation, after: Continuation, count: number): void =>
  jump(vm, new Continuation(REPEAT, null, count, null, null, body, after))
const popRounds = (vm: Machine): number => vm.small(0x7fffffff, -0x80000000)
const repeat = (vm: Machine, breaks: boolean): void => {
  vm.need(2)
  const body = vm.continuation()
  const count = popRounds(vm)
  if (count > 0) startRepeat(vm, body, asExit(vm, extract(vm, 1), breaks), count)
}
const repeatEnd = (vm: Machine, breaks: boolean): void => {
  const count = popRounds(vm)
  if (count <= 0) {
    ret(vm)
    return
  }
  const body = extract(vm, 0)
  startRepeat(vm, body, asExit(vm, vm.c0, breaks), count)
}

const startUntil = (vm: Machine, body: Continuation, after: Continuation): void => {
  if (body.c0 === null) vm.c0 = new Continuation(UNTIL, null, 0, null, null, body, after)
  jump(vm, body)
}
const until = (vm: Machine, breaks: boolean): void => {
  const body = vm.continuation()
  startUntil(vm, body, asExit(vm, extract(vm, 1), breaks))
}
const untilEnd = (vm: Machine, breaks: boolean): void => {
  const body = extract(vm, 0)
  startUntil(vm, body, asExit(vm, vm.c0, breaks))
}

const startWhile = (vm: Machine, condition: Continuation, body: Continuation, after: Continuation): void => {
  if (condition.c0 === null) vm.c0 = new Continuation(WHILE_CONDITION, null, 0, null, null, body, after, condition)
  jump(vm, condition)
}
const whileOp = (vm: Machine, breaks: boolean): void => {
  vm.need(2)
  const body = vm.continuation()
  const condition = vm.continuation()
  startWhile(vm, condition, body, asExit(vm, extract(vm, 1), breaks))
}
const whileEnd = (vm: Machine, breaks: boolean): void => {
  const condition = vm.continuation()
  const body = extract(vm, 0)
  startWhile(vm, condition, body, asExit(vm, vm.c0, breaks))
}

const startAgain = (vm: Machine, body: Continuation): void => jump(vm, new Continuation(AGAIN, null, 0, null, null, body))
const again = (vm: Machine, breaks: boolean): void => {
  if (breaks) vm.c1 = extract(vm, 3)
  startAgain(vm, vm.continuation())
}
const againEnd = (vm: Machine, breaks: boolean): void => {
  if (breaks) {
    vm.c0 = savedIn(vm.c0, 1, vm.c1)
    vm.c1 = vm.c0
  }
  startAgain(vm, extract(vm, 0))
}

const withRef = (opcode: number, name: string, when: boolean, jumps: boolean): Instruction =>
  extended(opcode, opcode, 16, 0, name, ifRef, {
    take: (args, code) => {
      const cell = takeRef(args, code)
      return cell === INVALID ? INVALID : { when, jumps, cell }
    },
    text: refText,
  })
const elseRef = (opcode: number, name: string, when: boolean): Instruction =>
  extended(opcode, opcode, 16, 0, name, ifelseRef, {
    take: (args, code) => {
      const cell = takeRef(args, code)
      return cell === INVALID ? INVALID : { when, cell }
    },
    text: refText,
  })

export const CONDITIONS: readonly Instruction[] = [
  simple(0xdc, 8, 'IFRET', ifret, true),
  simple(0xdd, 8, 'IFNOTRET', ifret, false),
  simple(0xde, 8, 'IF', ifOp, { when: true, jumps: false }),
  simple(0xdf, 8, 'IFNOT', ifOp, { when: false, jumps: false }),
  simple(0xe0, 8, 'IFJMP', ifOp, { when: true, jumps: true }),
  simple(0xe1, 8, 'IFNOTJMP', ifOp, { when: false, jumps: true }),
  simple(0xe2, 8, 'IFELSE', ifelse),
  withRef(0xe300, 'IFREF', true, false),
  withRef(0xe301, 'IFNOTREF', false, false),
  withRef(0xe302, 'IFJMPREF', true, true),
  withRef(0xe303, 'IFNOTJMPREF', false, true),
  simple(0xe304, 16, 'CONDSEL', condsel),
  simple(0xe305, 16, 'CONDSELCHK', condselchk),
  simple(0xe308, 16, 'IFRETALT', ifretalt, true),
  simple(0xe309, 16, 'IFNOTRETALT', ifretalt, false),
  elseRef(0xe30d, 'IFREFELSE', true),
  elseRef(0xe30e, 'IFELSEREF', false),
  extended(0xe30f, 0xe30f, 16, 0, 'IFREFELSEREF', ifrefElseref, {
    take: (_args, code) => (code.remainingRefs < 2 ? INVALID : ([code.loadRef(), code.loadRef()] as const)),
    text: (_args, code) => (code.remainingRefs < 2 ? '' : `(${code.preloadRef(0).hashHex()}) (${code.preloadRef(1).hashHex()})`),
  }),
  simple(0xe314, 16, 'REPEATBRK', repeat, true),
  simple(0xe315, 16, 'REPEATENDBRK', repeatEnd, true),
  simple(0xe316, 16, 'UNTILBRK', until, true),
  simple(0xe317, 16, 'UNTILENDBRK', untilEnd, true),
  simple(0xe318, 16, 'WHILEBRK', whileOp, true),
  simple(0xe319, 16, 'WHILEENDBRK', whileEnd, true),
  simple(0xe31a, 16, 'AGAINBRK', again, true),
  simple(0xe31b, 16, 'AGAINENDBRK', againEnd, true),
  fixed(0xe380 >> 5, 11, 5, 'IFBITJMP', ifbitjmp),
  fixed((0xe380 >> 5) | 1, 11, 5, 'IFNBITJMP', ifbitjmp, { map: (args) => args | 32 }),
  ...[0, 1].map((not) =>
    extended(0xe3c0 + not * 32, 0xe3df + not * 32, 16, 5, not ? 'IFNBITJMPREF' : 'IFBITJMPREF', ifbitjmpref, {
      take: (args, code) => {
        const cell = takeRef(args, code)
        return cell === INVALID ? INVALID : { args: args | (not * 32), cell }
      },
      text: (args, code) => `${args} ${refText(args, code)}`,
    }),
  ),
  simple(0xe4, 8, 'REPEAT', repeat, false),
  simple(0xe5, 8, 'REPEATEND', repeatEnd, false),
  simple(0xe6, 8, 'UNTIL', until, false),
  simple(0xe7, 8, 'UNTILEND', untilEnd, false),
  simple(0xe8, 8, 'WHILE', whileOp, false),
  simple(0xe9, 8, 'WHILEEND', whileEnd, false),
  simple(0xea, 8, 'AGAIN', again, false),
  simple(0xeb, 8, 'AGAINEND', againEnd, false),
]
