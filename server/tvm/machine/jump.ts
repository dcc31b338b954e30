import { V_NESTED_JUMPS } from '../versions.ts'
import {
  AGAIN,
  Continuation,
  Control,
  ENVELOPE,
  ORDINARY,
  PUSH_INT,
  QUIT,
  QUIT_0,
  QUIT_1,
  QUIT_EXCEPTION,
  REPEAT,
  UNTIL,
  WHILE_BODY,
  WHILE_CONDITION,
} from './continuation.ts'
import type { Block } from './decoded-code.ts'
import { STACK_UNDERFLOW } from './exceptions.ts'
import type { Machine } from './machine.ts'
import type { Value } from './value.ts'

/* Jumps, calls and returns: VmState::call, jump, jump_to, adjust_jump_cont, extract_cc of TON's crypto/vm/vm.cpp. */

/** Number of jumps in one chain that cost no gas. */
const FREE_JUMPS = 8
const EXCEPTION_GAS = 50

const restore = (vm: Machine, cont: Continuation): void => {
  if (cont.c0 !== null) vm.c0 = cont.c0
  const saved = cont.control
  if (saved === null) return
  if (saved.c1 !== null) vm.c1 = saved.c1
  if (saved.c2 !== null) vm.c2 = saved.c2
  if (saved.c3 !== null) vm.c3 = saved.c3
  if (saved.c4 !== null) vm.c4 = saved.c4
  if (saved.c5 !== null) vm.c5 = saved.c5
  if (saved.c7 !== null) vm.c7 = saved.c7
}

/** Enters a continuation. If it is not code, returns the continuation to enter next. */
const enter = (vm: Machine, cont: Continuation): Continuation | null => {
  const { body } = cont
  switch (cont.kind) {
    case ORDINARY:
      restore(vm, cont)
      vm.block = cont.block as Block
      vm.ip = cont.n
      return null
    case QUIT:
      vm.running = false
      vm.exit = cont.n
      return null
    case QUIT_EXCEPTION:
      vm.running = false
      vm.exit = exceptionCode(vm)
      return null
    case REPEAT:
      if (cont.n <= 0) return cont.after
      if (body!.c0 === null) vm.c0 = new Continuation(REPEAT, null, cont.n - 1, null, null, body, cont.after)
      return body
    case UNTIL:
      if (vm.bool()) return cont.after
      if (body!.c0 === null) vm.c0 = cont
      return body
    case AGAIN:
      if (body!.c0 === null) vm.c0 = cont
      return body
    case WHILE_CONDITION:
      if (!vm.bool()) return cont.after
      if (body!.c0 === null) vm.c0 = new Continuation(WHILE_BODY, null, 0, null, null, body, cont.after, cont.condition)
      return body
    case WHILE_BODY:
      if (cont.condition!.c0 === null) vm.c0 = new Continuation(WHILE_CONDITION, null, 0, null, null, body, cont.after, cont.condition)
      return cont.condition
    case PUSH_INT:
      vm.stack.push(cont.n)
      return body
    default:
      restore(vm, cont)
      return body
  }
}

/** The exit code that the default handler pops. If the handler cannot pop a code, the code of the exception that it causes. */
const exceptionCode = (vm: Machine): number => {
  const top = vm.stack.pop()
  if (top === undefined) return 2
  if (typeof top !== 'number' && typeof top !== 'bigint') return 7
  return typeof top === 'number' && top >= 0 && top <= 0xffff ? top : 5
}

const isPlainCode = (cont: Continuation): boolean => cont.kind === ORDINARY && cont.control === null

const enterCode = (vm: Machine, { c0, block, n }: Continuation): void => {
  if (c0 !== null) vm.c0 = c0
  vm.block = block as Block
  vm.ip = n
}

const jumpTo = (vm: Machine, to: Continuation): void => {
  if (isPlainCode(to)) {
    enterCode(vm, to)
    return
  }
  let cont: Continuation = to
  for (let count = 1; ; count++) {
    const next = enter(vm, cont)
    if (count > FREE_JUMPS && vm.version >= V_NESTED_JUMPS) vm.use(1)
    if (next === null) return
    if (count < FREE_JUMPS && isPlainCode(next)) {
      enterCode(vm, next)
      return
    }
    cont = vm.version >= V_NESTED_JUMPS && !simple(next) ? adjust(vm, next, -1) : next
  }
}

/** Returns whether the continuation takes the stack unchanged. */
const simple = (cont: Continuation): boolean => {
  const { control } = cont
  return control === null || (control.stack === null && control.nargs < 0)
}

/** Prepares the stack for a continuation that gets `pass` values (-1: all). */
const adjust = (vm: Machine, cont: Continuation, pass: number): Continuation => {
  const { stack } = vm
  const depth = stack.length
  if (!cont.saves) {
    if (pass > depth) throw STACK_UNDERFLOW
    if (pass >= 0 && pass < depth) {
      vm.stack = stack.slice(depth - pass)
      vm.useStack(pass)
    }
    return cont
  }
  const nargs = cont.control === null ? -1 : cont.control.nargs
  if (pass > depth || nargs > depth || (pass >= 0 && nargs > pass)) throw STACK_UNDERFLOW
  let copy = pass >= 0 && nargs < 0 ? pass : nargs
  const own = cont.control === null ? null : cont.control.stack
  if (own !== null && own.length > 0) {
    if (copy < 0) copy = depth
    const joined = own.concat(copy === depth ? stack : stack.slice(depth - copy))
    vm.stack = joined
    vm.useStack(joined.length)
  } else if (copy >= 0 && copy < depth) {
    vm.stack = stack.slice(depth - copy)
    vm.useStack(copy)
  }
  return cont
}

export const jump = (vm: Machine, cont: Continuation): void => {
  jumpTo(vm, simple(cont) ? cont : adjust(vm, cont, -1))
}

/** Jumps to a continuation with `pass` values; -1 for all. */
export const jumpWith = (vm: Machine, cont: Continuation, pass: number): void => {
  jumpTo(vm, adjust(vm, cont, pass))
}

export const call = (vm: Machine, cont: Continuation): void => {
  if (cont.c0 !== null) {
    jump(vm, cont)
    return
  }
  if (!simple(cont)) {
    callWith(vm, cont, -1, -1)
    return
  }
  vm.c0 = new Continuation(ORDINARY, vm.block, vm.ip, vm.c0, null)
  jumpTo(vm, cont)
}

const closure = (vm: Machine, stack: readonly Value[] | null, nargs: number): Continuation => {
  let control: Control | null = null
  if (stack !== null || nargs >= 0) {
    control = new Control()
    control.stack = stack
    control.nargs = nargs
  }
  return new Continuation(ORDINARY, vm.block, vm.ip, vm.c0, control)
}

/** Calls a continuation with `pass` values and expects `results` values back; -1 for all. */
export const callWith = (vm: Machine, cont: Continuation, pass: number, results: number): void => {
  if (cont.c0 !== null) {
    jumpWith(vm, cont, pass)
    return
  }
  const { stack } = vm
  const depth = stack.length
  const nargs = cont.control === null ? -1 : cont.control.nargs
  if (pass > depth || nargs > depth || (pass >= 0 && nargs > pass)) throw STACK_UNDERFLOW
  let copy = nargs
  let skip = 0
  if (pass >= 0) {
    if (copy >= 0) skip = pass - copy
    else copy = pass
  }
  const own = cont.control === null ? null : cont.control.stack
  let saved: Value[] | null
  let next: Value[]
  if (own !== null && own.length > 0) {
    if (copy < 0) copy = depth
    next = own.concat(stack.slice(depth - copy))
    saved = stack.slice(0, depth - copy - skip)
    vm.useStack(next.length)
  } else if (copy >= 0) {
    next = stack.slice(depth - copy)
    saved = stack.slice(0, depth - copy - skip)
    vm.useStack(next.length)
  } else {
    next = stack
    saved = null
  }
  vm.c0 = closure(vm, saved, results)
  vm.stack = next
  jumpTo(vm, cont)
}

export const ret = (vm: Machine): void => {
  const cont = vm.c0
  vm.c0 = QUIT_0
  jump(vm, cont)
}
export const retWith = (vm: Machine, pass: number): void => {
  const cont = vm.c0
  vm.c0 = QUIT_0
  jumpWith(vm, cont, pass)
}
export const retAlt = (vm: Machine): void => {
  const cont = vm.c1
  vm.c1 = QUIT_1
  jump(vm, cont)
}

/** Makes a continuation of the rest of the code. It saves c0 (1), c1 (2), c2 (4). `copy` values stay on the stack; -1 for all. */
export const extract = (vm: Machine, save: number, copy = -1, nargs = -1): Continuation => {
  const { stack } = vm
  let saved: Value[] | null = null
  if (copy >= 0 && copy !== stack.length) {
    if (copy > stack.length) throw STACK_UNDERFLOW
    saved = copy === 0 ? stack : stack.slice(0, stack.length - copy)
    vm.stack = copy === 0 ? [] : stack.slice(stack.length - copy)
    vm.useStack(copy)
  }
  let control: Control | null = null
  if (saved !== null || nargs >= 0 || save & 6) {
    control = new Control()
    control.stack = saved
    control.nargs = nargs
  }
  const c0 = save & 1 ? vm.c0 : null
  if (save & 1) vm.c0 = QUIT_0
  if (save & 2) {
    control!.c1 = vm.c1
    vm.c1 = QUIT_1
  }
  if (save & 4) control!.c2 = vm.c2
  return new Continuation(ORDINARY, vm.block, vm.ip, c0, control)
}

/** Handles an exception: jumps to c2, whose stack is the argument and the code. */
export const throwException = (vm: Machine, code: number, argument: Value = 0): void => {
  vm.stack = [argument, code]
  vm.use(EXCEPTION_GAS)
  jump(vm, vm.c2)
}

export const envelope = (cont: Continuation): Continuation => (cont.saves ? cont : new Continuation(ENVELOPE, null, 0, null, null, cont))
