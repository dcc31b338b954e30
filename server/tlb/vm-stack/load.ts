import { endSteps } from '../../base/yield.ts'
import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag } from '../common.ts'
import { MAX_STACK_DEPTH, MAX_TUPLE, MAX_VALUES, type VmCellSlice, type VmContKind, type VmStackValue } from './value.ts'

/*
 * The cell of a value that was not read yet, and the array index for its result. Tuples can nest as deep as cells, so a list of pending values replaces
 * recursion.
 */
interface Pending {
  readonly cell: Cell
  readonly into: VmStackValue[]
  readonly at: number
}

interface Tuple {
  readonly items: VmStackValue[]
  /** Number of values in the tuple, including those in its tuples. Set when all of them are read. */
  inside: number
}

/** Stands in the list of pending values where the items of a tuple end. `before`: number of values that were counted before the items. */
interface End {
  readonly tuple: Tuple
  readonly before: number
}

/* A few cells can be a hundred thousand values. So values and tuples with the same cells are read once, and their places share them. */
interface Reading {
  readonly most: number
  readonly pending: (Pending | End)[]
  /** Values by the hash of their cell. */
  readonly values: Map<string, VmStackValue>
  /** Tuples by the hashes of their references. */
  readonly tuples: Map<string, Tuple>
  count: number
  steps: number
}

const startReading = (most = MAX_VALUES): Reading => ({
  most,
  pending: [],
  values: new Map(),
  tuples: new Map(),
  count: 0,
  steps: 0,
})

const countValues = (reading: Reading, values: number): void => {
  reading.count += values
  if (reading.count > reading.most) throw new CellError('range', `more than ${reading.most} values in a stack`)
}

const CONT_KINDS: readonly (readonly [tag: string, kind: VmContKind])[] = [
  ['00', 'std'],
  ['01', 'envelope'],
  ['1000', 'quit'],
  ['1001', 'quit-exc'],
  ['10100', 'repeat'],
  ['110000', 'until'],
  ['110001', 'again'],
  ['110010', 'while-cond'],
  ['110011', 'while-body'],
  ['1111', 'pushint'],
]

const contKind = (s: Slice): VmContKind => {
  const count = Math.min(6, s.remainingBits)
  const bits = s.preloadUint(count).toString(2).padStart(count, '0')
  const found = CONT_KINDS.find(([tag]) => bits.startsWith(tag))
  if (found === undefined) throw badTag('VmCont', bits)
  return found[1]
}

const cut = (window: VmCellSlice): Cell => {
  const { cell, stBits, endBits, stRef, endRef } = window
  if (stBits > endBits || stRef > endRef || endBits > cell.bits || endRef > cell.refCount) {
    throw new CellError(
      'range',
      `VmCellSlice: bits ${stBits}..${endBits} and refs ${stRef}..${endRef} of ${cell.bits} and ${cell.refCount}`,
    )
  }
  const s = cell.sliceExotic().skip(stBits)
  const b = beginCell().storeBits(s.loadBits(endBits - stBits), endBits - stBits)
  for (let i = stRef; i < endRef; i++) b.storeRef(cell.ref(i))
  return b.end()
}

const loadSlice = (s: Slice): VmStackValue => {
  const window = { cell: s.loadRef(), stBits: s.loadUint(10), endBits: s.loadUint(10), stRef: s.loadUint(3), endRef: s.loadUint(3) }
  const { cell } = window
  const whole = window.stBits === 0 && window.stRef === 0 && window.endBits === cell.bits && window.endRef === cell.refCount
  return whole ? { type: 'slice', cell } : { type: 'slice', cell: cut(window), window }
}

/* #0201_ is fifteen bits: 0000001 0000000, then 257 bits; #02ff is nan. */
const loadInt = (s: Slice): VmStackValue => {
  if (s.preloadUint(8) === 0xff) {
    s.skip(8)
    return { type: 'nan' }
  }
  const tag = s.loadUint(7)
  if (tag !== 0) throw badTag('VmStackValue', `02 ${tag.toString(2)}`)
  const value = s.loadIntBig(257)
  return BigInt.asIntN(64, value) === value ? { type: 'int', value, wide: true } : { type: 'int', value }
}

/* The cells of a tuple's items, first to last. The first reference is the tuple of all items but the last, the second one is the last item. */
const tupleCells = (refs: readonly Cell[], length: number): Cell[] => {
  const cells = new Array<Cell>(length)
  let pair = refs
  for (let n = length; n > 2; n--) {
    cells[n - 1] = pair[1]!
    const s = pair[0]!.slice()
    pair = [s.loadRef(), s.loadRef()]
    s.end()
  }
  pair.forEach((cell, i) => {
    cells[i] = cell
  })
  return cells
}

const loadItems = (s: Slice, reading: Reading): readonly VmStackValue[] => {
  const length = s.loadUint(16)
  if (length > MAX_TUPLE) throw new CellError('range', `a tuple of ${length} items: the limit is ${MAX_TUPLE}`)
  const refs = Array.from({ length: Math.min(length, 2) }, () => s.loadRef())
  const key = `${length} ${refs.map((ref) => ref.hashKey()).join('')}`
  const earlier = reading.tuples.get(key)
  if (earlier !== undefined) {
    countValues(reading, earlier.inside)
    return earlier.items
  }
  const tuple: Tuple = { items: [], inside: 0 }
  reading.tuples.set(key, tuple)
  reading.pending.push({ tuple, before: reading.count })
  tupleCells(refs, length).forEach((cell, at) => {
    reading.pending.push({ cell, into: tuple.items, at })
  })
  return tuple.items
}

const loadOne = (s: Slice, reading: Reading): VmStackValue => {
  const tag = s.loadUint(8)
  switch (tag) {
    case 0:
      return { type: 'null' }
    case 1:
      return { type: 'int', value: s.loadIntBig(64) }
    case 2:
      return loadInt(s)
    case 3:
      return { type: 'cell', cell: s.loadRef() }
    case 4:
      return loadSlice(s)
    case 5:
      return { type: 'builder', cell: s.loadRef() }
    case 6: {
      // A continuation is always the last part of its cell, so the rest of the slice belongs to it.
      const value: VmStackValue = { type: 'cont', kind: contKind(s), cell: s.asCell() }
      s.skip(s.remainingBits).skipRefs(s.remainingRefs)
      return value
    }
    case 7:
      return { type: 'tuple', items: loadItems(s, reading) }
    default:
      throw badTag('VmStackValue', tag)
  }
}

/** Values between two steps. */
const STEP = 256

/** Reads the items of the tuples that were found so far. */
function* drain(reading: Reading): Generator<void, void> {
  const { pending, values } = reading
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('tuple' in next) {
      next.tuple.inside = reading.count - next.before
      continue
    }
    if (++reading.steps % STEP === 0) yield
    countValues(reading, 1)
    const { cell, into, at } = next
    const key = cell.hashKey()
    const earlier = values.get(key)
    if (earlier !== undefined) {
      into[at] = earlier
      continue
    }
    const s = cell.slice()
    const value = loadOne(s, reading)
    s.end()
    into[at] = value
    if (value.type !== 'tuple') values.set(key, value)
  }
}

/** Reads the VmStackValue that fills the rest of a slice. */
export const loadVmStackValue = (s: Slice): VmStackValue => {
  const reading = startReading()
  countValues(reading, 1)
  const value = loadOne(s, reading)
  s.end()
  endSteps(drain(reading))
  return value
}

/**
 * Reads a VmStack, in steps: values from the bottom to the top, like the arguments of a get-method. `most` is the maximum number of values, including values in
 * tuples.
 */
export function* loadVmStackSteps(cell: Cell, most?: number): Generator<void, VmStackValue[]> {
  let s = cell.slice()
  const depth = s.loadUint(24)
  if (depth > MAX_STACK_DEPTH) throw new CellError('range', `a stack of ${depth} values: the limit is ${MAX_STACK_DEPTH}`)
  const stack = new Array<VmStackValue>(depth)
  const reading = startReading(most)
  for (let i = depth - 1; i >= 0; i--) {
    const rest = s.loadRef()
    countValues(reading, 1)
    stack[i] = loadOne(s, reading)
    s.end()
    yield* drain(reading)
    s = rest.slice()
  }
  s.end()
  return stack
}

export const loadVmStack = (cell: Cell, most?: number): VmStackValue[] => endSteps(loadVmStackSteps(cell, most))
