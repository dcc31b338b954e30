import { RANGE_CHECK, TYPE_CHECK } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import type { Machine } from '../machine/machine.ts'
import { isTuple, MAX_TUPLE, type Tuple, type Value } from '../machine/value.ts'
import { fixed, popped, simple } from './define.ts'

/* 0x6D..0x6F: null and tuples. Making, changing or unpacking a tuple costs one gas per entry. */

export const entryOf = (tuple: Tuple, index: number): Value => {
  if (index >= tuple.length) throw RANGE_CHECK
  return tuple[index]!
}

export const tupleIn = (tuple: Tuple, index: number): Tuple => {
  const value = entryOf(tuple, index)
  if (!isTuple(value) || value.length > MAX_TUPLE) throw TYPE_CHECK
  return value
}

/**
 * Returns a tuple (or null) with one entry changed, and the gas for the change. A short tuple is extended with nulls. Setting null past the end changes
 * nothing.
 */
export const withEntry = (tuple: Tuple | null, index: number, value: Value): { readonly tuple: Tuple | null; readonly gas: number } => {
  const length = tuple === null ? 0 : tuple.length
  if (index >= length && value === null) return { tuple, gas: 0 }
  const copy: Value[] = tuple === null ? [] : tuple.slice()
  while (copy.length < index) copy.push(null)
  copy[index] = value
  return { tuple: copy, gas: copy.length }
}

const maybeTuple = (vm: Machine): Tuple | null => {
  const value = vm.pop()
  if (value === null) return null
  if (!isTuple(value) || value.length > MAX_TUPLE) throw TYPE_CHECK
  return value
}

const pushNull = (vm: Machine): void => {
  vm.stack.push(null)
}
const isNull = (vm: Machine): void => {
  vm.stack.push(vm.pop() === null ? -1 : 0)
}

const make = (vm: Machine, count: number): void => {
  vm.need(count)
  const tuple = vm.stack.splice(vm.stack.length - count, count)
  vm.use(count)
  vm.stack.push(tuple)
}
const makeVar = (vm: Machine): void => make(vm, vm.small(255))

const index = (vm: Machine, i: number): void => {
  vm.stack.push(entryOf(vm.tuple(), i))
}
const indexQuiet = (vm: Machine, i: number): void => {
  const tuple = maybeTuple(vm)
  vm.stack.push(tuple === null || i >= tuple.length ? null : tuple[i]!)
}

const explode = (vm: Machine, tuple: Tuple, count: number): void => {
  for (let i = 0; i < count; i++) vm.stack.push(tuple[i]!)
  vm.use(count)
}
const untuple = (vm: Machine, count: number): void => explode(vm, vm.tuple(count, count), count)
const unpackFirst = (vm: Machine, count: number): void => explode(vm, vm.tuple(255, count), count)
const explodeUpTo = (vm: Machine, max: number): void => {
  const tuple = vm.tuple(max)
  explode(vm, tuple, tuple.length)
  vm.stack.push(tuple.length)
}

const setEntry = (vm: Machine, i: number): void => {
  const value = vm.pop()
  const tuple = vm.tuple()
  if (i >= tuple.length) throw RANGE_CHECK
  const copy = tuple.slice()
  copy[i] = value
  vm.use(copy.length)
  vm.stack.push(copy)
}
const setIndex = (vm: Machine, i: number): void => {
  vm.need(2)
  setEntry(vm, i)
}
const setEntryQuiet = (vm: Machine, i: number): void => {
  const value = vm.pop()
  const set = withEntry(maybeTuple(vm), i, value)
  vm.use(set.gas)
  vm.stack.push(set.tuple)
}
const setIndexQuiet = (vm: Machine, i: number): void => {
  vm.need(2)
  setEntryQuiet(vm, i)
}

const length = (vm: Machine): void => {
  vm.stack.push(vm.tuple().length)
}
const lengthQuiet = (vm: Machine): void => {
  const value = vm.pop()
  vm.stack.push(isTuple(value) ? value.length : -1)
}
const isTupleOp = (vm: Machine): void => {
  vm.stack.push(isTuple(vm.pop()) ? -1 : 0)
}
const last = (vm: Machine): void => {
  const tuple = vm.tuple(255, 1)
  vm.stack.push(tuple[tuple.length - 1]!)
}
const append = (vm: Machine): void => {
  vm.need(2)
  const value = vm.pop()
  const tuple = [...vm.tuple(254), value]
  vm.use(tuple.length)
  vm.stack.push(tuple)
}
const removeLast = (vm: Machine): void => {
  const tuple = vm.tuple(255, 1)
  const rest = tuple.slice(0, -1)
  vm.use(rest.length)
  vm.stack.push(rest, tuple[tuple.length - 1]!)
}

interface NullSwap {
  /** True to insert nulls for zero, false to insert them for any other value. */
  readonly forZero: boolean
  readonly below: number
  readonly count: number
}
const nullSwap = (vm: Machine, { forZero, below, count }: NullSwap): void => {
  vm.need(below + 1)
  const condition = vm.finite()
  if ((condition === 0) === forZero) {
    const above = below === 0 ? [] : vm.stack.splice(vm.stack.length - below, below)
    for (let i = 0; i < count; i++) vm.stack.push(null)
    for (const value of above) vm.stack.push(value)
  }
  vm.stack.push(condition)
}

const index2 = (vm: Machine, args: number): void => {
  vm.stack.push(entryOf(tupleIn(vm.tuple(), args >> 2), args & 3))
}
const index3 = (vm: Machine, args: number): void => {
  vm.stack.push(entryOf(tupleIn(tupleIn(vm.tuple(), args >> 4), (args >> 2) & 3), args & 3))
}

export const TUPLES: readonly Instruction[] = [
  simple(0x6d, 8, 'PUSHNULL', pushNull),
  simple(0x6e, 8, 'ISNULL', isNull),
  fixed(0x6f0, 12, 4, 'TUPLE', make),
  fixed(0x6f1, 12, 4, 'INDEX', index),
  fixed(0x6f2, 12, 4, 'UNTUPLE', untuple),
  fixed(0x6f3, 12, 4, 'UNPACKFIRST', unpackFirst),
  fixed(0x6f4, 12, 4, 'EXPLODE', explodeUpTo),
  fixed(0x6f5, 12, 4, 'SETINDEX', setIndex),
  fixed(0x6f6, 12, 4, 'INDEXQ', indexQuiet),
  fixed(0x6f7, 12, 4, 'SETINDEXQ', setIndexQuiet),
  simple(0x6f80, 16, 'TUPLEVAR', makeVar),
  simple(0x6f81, 16, 'INDEXVAR', popped(2, 254, index)),
  simple(0x6f82, 16, 'UNTUPLEVAR', popped(2, 255, untuple)),
  simple(0x6f83, 16, 'UNPACKFIRSTVAR', popped(2, 255, unpackFirst)),
  simple(0x6f84, 16, 'EXPLODEVAR', popped(2, 255, explodeUpTo)),
  simple(0x6f85, 16, 'SETINDEXVAR', popped(3, 254, setEntry)),
  simple(0x6f86, 16, 'INDEXVARQ', popped(2, 254, indexQuiet)),
  simple(0x6f87, 16, 'SETINDEXVARQ', popped(3, 254, setEntryQuiet)),
  simple(0x6f88, 16, 'TLEN', length),
  simple(0x6f89, 16, 'QTLEN', lengthQuiet),
  simple(0x6f8a, 16, 'ISTUPLE', isTupleOp),
  simple(0x6f8b, 16, 'LAST', last),
  simple(0x6f8c, 16, 'TPUSH', append),
  simple(0x6f8d, 16, 'TPOP', removeLast),
  simple(0x6fa0, 16, 'NULLSWAPIF', nullSwap, { forZero: false, below: 0, count: 1 }),
  simple(0x6fa1, 16, 'NULLSWAPIFNOT', nullSwap, { forZero: true, below: 0, count: 1 }),
  simple(0x6fa2, 16, 'NULLROTRIF', nullSwap, { forZero: false, below: 1, count: 1 }),
  simple(0x6fa3, 16, 'NULLROTRIFNOT', nullSwap, { forZero: true, below: 1, count: 1 }),
  simple(0x6fa4, 16, 'NULLSWAPIF2', nullSwap, { forZero: false, below: 0, count: 2 }),
  simple(0x6fa5, 16, 'NULLSWAPIFNOT2', nullSwap, { forZero: true, below: 0, count: 2 }),
  simple(0x6fa6, 16, 'NULLROTRIF2', nullSwap, { forZero: false, below: 1, count: 2 }),
  simple(0x6fa7, 16, 'NULLROTRIFNOT2', nullSwap, { forZero: true, below: 1, count: 2 }),
  fixed(0x6fb, 12, 4, 'INDEX2', index2, { text: (args) => `${args >> 2},${args & 3}` }),
  fixed(0x6fc >> 2, 10, 6, 'INDEX3', index3, { text: (args) => `${args >> 4},${(args >> 2) & 3},${args & 3}` }),
]
