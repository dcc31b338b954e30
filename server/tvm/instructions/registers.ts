import { Cell } from '../../cell/cell.ts'
import { blockOfSlice } from '../machine/code-cache.ts'
import { Continuation, Control, ordinary } from '../machine/continuation.ts'
import { RANGE_CHECK, STACK_OVERFLOW, TYPE_CHECK } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import type { Machine } from '../machine/machine.ts'
import { isTuple, type Value } from '../machine/value.ts'
import { V_SAVE_SILENT } from '../versions.ts'
import { fixed, popped, ranged, simple } from './define.ts'
import { allButFifteen, signedArgsText } from './jumps.ts'

/* 0xEC..0xEE: control registers, and registers saved in continuations. */

/** A number of arguments that no stack can have. A continuation that needs so many fails when it runs. */
const IMPOSSIBLE_ARGS = 0x40000000

/** A control register; c6 does not exist. */
const register = (vm: Machine, index: number): Value => {
  switch (index) {
    case 0:
      return vm.c0
    case 1:
      return vm.c1
    case 2:
      return vm.c2
    case 3:
      return vm.c3
    case 4:
      return vm.c4
    case 5:
      return vm.c5
    default:
      return vm.c7
  }
}

const setRegister = (vm: Machine, index: number, value: Value): void => {
  if (index < 4) {
    if (!(value instanceof Continuation)) throw TYPE_CHECK
    if (index === 0) vm.c0 = value
    else if (index === 1) vm.c1 = value
    else if (index === 2) vm.c2 = value
    else vm.c3 = value
  } else if (index < 6) {
    if (!(value instanceof Cell)) throw TYPE_CHECK
    if (index === 4) vm.c4 = value
    else vm.c5 = value
  } else {
    if (!isTuple(value)) throw TYPE_CHECK
    vm.c7 = value
  }
}

const saved = (cont: Continuation, index: number): Value => {
  if (index === 0) return cont.c0
  const { control } = cont
  if (control === null || !cont.saves) return null
  return [null, control.c1, control.c2, control.c3, control.c4, control.c5, null, control.c7][index] ?? null
}

/** Returns the continuation with a saved register. The value must have the right type. A register that is already saved is not changed. */
export const savedIn = (cont: Continuation, index: number, value: Value): Continuation => {
  if (saved(cont, index) !== null) return cont
  if (index === 0) return cont.with(value as Continuation, cont.control)
  const control = cont.control === null ? new Control() : cont.control.copy()
  if (index === 1) control.c1 = value as Continuation
  else if (index === 2) control.c2 = value as Continuation
  else if (index === 3) control.c3 = value as Continuation
  else if (index === 4) control.c4 = value as Cell
  else if (index === 5) control.c5 = value as Cell
  else control.c7 = value as readonly Value[]
  return cont.with(cont.c0, control)
}

/**
 * Like `savedIn`, but for a value of any type. Exception 7 for a value of the wrong type. Before version 14 also exception 7 if the register is already saved.
 */
const define = (vm: Machine, cont: Continuation, index: number, value: Value): Continuation => {
  const right = index < 4 ? value instanceof Continuation : index < 6 ? value instanceof Cell : isTuple(value)
  if (!right) throw TYPE_CHECK
  if (index !== 7 && vm.version < V_SAVE_SILENT && saved(cont, index) !== null) throw TYPE_CHECK
  return savedIn(cont, index, value)
}

const pushctr = (vm: Machine, index: number): void => {
  vm.stack.push(register(vm, index))
}
const popctr = (vm: Machine, index: number): void => setRegister(vm, index, vm.pop())
const setcontctr = (vm: Machine, index: number): void => {
  vm.need(2)
  const cont = vm.continuation()
  vm.stack.push(define(vm, cont, index, vm.pop()))
}
const setretctr = (vm: Machine, index: number): void => {
  vm.c0 = define(vm, vm.c0, index, vm.pop())
}
const setaltctr = (vm: Machine, index: number): void => {
  vm.c1 = define(vm, vm.c1, index, vm.pop())
}
const popsave = (vm: Machine, index: number): void => {
  const value = vm.pop()
  if (index === 0 && !(value instanceof Continuation)) throw TYPE_CHECK
  const c0 = savedIn(vm.c0, index, register(vm, index))
  if (index === 0) vm.c0 = c0
  setRegister(vm, index, value)
  if (index !== 0) vm.c0 = c0
}
const savectr = (vm: Machine, index: number): void => {
  vm.c0 = define(vm, vm.c0, index, register(vm, index))
}
const savealtctr = (vm: Machine, index: number): void => {
  vm.c1 = define(vm, vm.c1, index, register(vm, index))
}
const savebothctr = (vm: Machine, index: number): void => {
  const value = register(vm, index)
  const c0 = savedIn(vm.c0, index, value)
  vm.c1 = savedIn(vm.c1, index, value)
  vm.c0 = c0
}

const exists = (index: number): boolean => index < 6 || index === 7
const existing = (exec: (vm: Machine, index: number) => void) => (vm: Machine, index: number) => {
  if (!exists(index)) throw RANGE_CHECK
  exec(vm, index)
}
const saveMany = (vm: Machine, mask: number): void => {
  let cont = vm.continuation()
  for (let i = 0; i < 8; i++) if (mask & (1 << i)) cont = define(vm, cont, i, register(vm, i))
  vm.stack.push(cont)
}
const setcontctrmany = (vm: Machine, mask: number): void => {
  if (mask & 64) throw RANGE_CHECK
  saveMany(vm, mask)
}

/** Moves `copy` values from the stack into a continuation. `more` is the number of further values that the continuation takes; -1 for any number. */
const addArguments = (vm: Machine, copy: number, more: number): void => {
  vm.need(copy + 1)
  const cont = vm.continuation()
  if (copy === 0 && more < 0) {
    vm.stack.push(cont)
    return
  }
  const control = cont.saves && cont.control !== null ? cont.control.copy() : new Control()
  if (copy > 0) {
    if (control.nargs >= 0 && control.nargs < copy) throw STACK_OVERFLOW
    const values = vm.stack.splice(vm.stack.length - copy, copy)
    control.stack = control.stack === null ? values : control.stack.concat(values)
    vm.useStack(control.stack.length)
    if (control.nargs >= 0) control.nargs -= copy
  }
  if (more >= 0) {
    if (control.nargs > more) control.nargs = IMPOSSIBLE_ARGS
    else if (control.nargs < 0) control.nargs = more
  }
  vm.stack.push(cont.with(cont.c0, control))
}
type Arguments = ReturnType<typeof argumentsOf>
const argumentsOf = (args: number) => ({ copy: args >> 4, more: allButFifteen(args & 15) })
const setcontargs = (vm: Machine, { copy, more }: Arguments): void => addArguments(vm, copy, more)
const setcontvarargs = (vm: Machine): void => {
  vm.need(2)
  const more = vm.small(255, -1)
  addArguments(vm, vm.small(255), more)
}
const setnumvarargs = (vm: Machine): void => {
  vm.need(2)
  addArguments(vm, 0, vm.small(255, -1))
}

/** Leaves `count` values on the stack and moves the rest into c0. */
const returnargs = (vm: Machine, count: number): void => {
  vm.need(count)
  const copy = vm.stack.length - count
  if (copy === 0) return
  const rest = vm.stack.slice(0, copy)
  vm.stack = vm.stack.slice(copy)
  const { c0 } = vm
  const control = c0.saves && c0.control !== null ? c0.control.copy() : new Control()
  if (control.nargs >= 0 && control.nargs < copy) throw STACK_OVERFLOW
  control.stack = control.stack === null ? rest : control.stack.concat(rest)
  vm.useStack(control.stack.length)
  if (control.nargs >= 0) control.nargs -= copy
  vm.c0 = c0.with(c0.c0, control)
}
const returnvarargs = (vm: Machine): void => returnargs(vm, vm.small(255))

const bless = (vm: Machine): void => {
  vm.stack.push(ordinary(blockOfSlice(vm.slice(), vm.version)))
}
const blessWith = (vm: Machine, { copy, more }: Arguments): void => {
  vm.need(copy + 1)
  const slice = vm.slice()
  const control = new Control()
  control.stack = vm.stack.splice(vm.stack.length - copy, copy)
  control.nargs = more
  vm.useStack(copy)
  vm.stack.push(ordinary(blockOfSlice(slice, vm.version)).with(null, control))
}
const blessvarargs = (vm: Machine): void => {
  vm.need(2)
  const more = vm.small(255, -1)
  blessWith(vm, { copy: vm.small(255), more })
}

/** Saves the upper continuation in the lower one: as c0 (1), c1 (2) or both (3). */
const compose = (vm: Machine, mask: number): void => {
  vm.need(2)
  const value = vm.continuation()
  let cont = vm.continuation()
  if (mask & 1) cont = savedIn(cont, 0, value)
  if (mask & 2) cont = savedIn(cont, 1, value)
  vm.stack.push(cont)
}
const atexit = (vm: Machine): void => {
  vm.c0 = savedIn(vm.continuation(), 0, vm.c0)
}
const atexitalt = (vm: Machine): void => {
  vm.c1 = savedIn(vm.continuation(), 1, vm.c1)
}
const setexitalt = (vm: Machine): void => {
  vm.c1 = savedIn(savedIn(vm.continuation(), 0, vm.c0), 1, vm.c1)
}
const thenret = (vm: Machine): void => {
  vm.stack.push(savedIn(vm.continuation(), 0, vm.c0))
}
const thenretalt = (vm: Machine): void => {
  vm.stack.push(savedIn(vm.continuation(), 0, vm.c1))
}
const invert = (vm: Machine): void => {
  const { c0 } = vm
  vm.c0 = vm.c1
  vm.c1 = c0
}
const samealt = (vm: Machine, saves: boolean): void => {
  if (saves) vm.c0 = savedIn(vm.c0, 1, vm.c1)
  vm.c1 = vm.c0
}

const perRegister = (opcode: number, name: string, exec: (vm: Machine, index: number) => void): Instruction[] =>
  [
    [0, 3],
    [4, 5],
    [7, 7],
  ].map(([first, last]) => ranged(opcode + first!, opcode + last!, 16, 4, name, exec, { text: (args) => `c${args}` }))

export const REGISTERS: readonly Instruction[] = [
  fixed(0xec, 8, 8, 'SETCONTARGS', setcontargs, { map: argumentsOf, text: signedArgsText }),
  fixed(0xed0, 12, 4, 'RETURNARGS', returnargs),
  simple(0xed10, 16, 'RETURNVARARGS', returnvarargs),
  simple(0xed11, 16, 'SETCONTVARARGS', setcontvarargs),
  simple(0xed12, 16, 'SETNUMVARARGS', setnumvarargs),
  simple(0xed1e, 16, 'BLESS', bless),
  simple(0xed1f, 16, 'BLESSVARARGS', blessvarargs),
  ...perRegister(0xed40, 'PUSH', pushctr),
  ...perRegister(0xed50, 'POP', popctr),
  ...perRegister(0xed60, 'SETCONTCTR', setcontctr),
  ...perRegister(0xed70, 'SETRETCTR', setretctr),
  ...perRegister(0xed80, 'SETALTCTR', setaltctr),
  ...perRegister(0xed90, 'POPSAVE', popsave),
  ...perRegister(0xeda0, 'SAVECTR', savectr),
  ...perRegister(0xedb0, 'SAVEALTCTR', savealtctr),
  ...perRegister(0xedc0, 'SAVEBOTHCTR', savebothctr),
  simple(0xede0, 16, 'PUSHCTRX', popped(1, 16, existing(pushctr))),
  simple(0xede1, 16, 'POPCTRX', popped(2, 16, existing(popctr))),
  simple(0xede2, 16, 'SETCONTCTRX', popped(3, 16, existing(setcontctr))),
  fixed(0xede3, 16, 8, 'SETCONTCTRMANY', setcontctrmany, { since: 9 }),
  simple(0xede4, 16, 'SETCONTCTRMANYX', popped(2, 255, setcontctrmany), undefined, 9),
  simple(0xedf0, 16, 'BOOLAND', compose, 1),
  simple(0xedf1, 16, 'BOOLOR', compose, 2),
  simple(0xedf2, 16, 'COMPOSBOTH', compose, 3),
  simple(0xedf3, 16, 'ATEXIT', atexit),
  simple(0xedf4, 16, 'ATEXITALT', atexitalt),
  simple(0xedf5, 16, 'SETEXITALT', setexitalt),
  simple(0xedf6, 16, 'THENRET', thenret),
  simple(0xedf7, 16, 'THENRETALT', thenretalt),
  simple(0xedf8, 16, 'INVERT', invert),
  simple(0xedfa, 16, 'SAMEALT', samealt, false),
  simple(0xedfb, 16, 'SAMEALTSAVE', samealt, true),
  fixed(0xee, 8, 8, 'BLESSARGS', blessWith, { map: argumentsOf, text: signedArgsText }),
]
