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

/* The cells of a tuple's items, first to last. `head` refers to the tuple of all items but the last, `tail` is the last item. */
const tupleCells = (s: Slice, length: number): Cell[] => {
  const cells = new Array<Cell>(length)
  let at = s
  for (let n = length; n > 0; n--) {
    const head = n > 1 ? at.loadRef() : undefined
    cells[n - 1] = at.loadRef()
    if (at !== s) at.end()
    if (head === undefined) break
    if (n === 2) {
      cells[0] = head
      break
    }
    at = head.slice()
  }
  return cells
}

const loadOne = (s: Slice, pending: Pending[]): VmStackValue => {
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
    case 7: {
      const length = s.loadUint(16)
      if (length > MAX_TUPLE) throw new CellError('range', `a tuple of ${length} items: the limit is ${MAX_TUPLE}`)
      const into: VmStackValue[] = []
      tupleCells(s, length).forEach((cell, at) => {
        pending.push({ cell, into, at })
      })
      return { type: 'tuple', items: into }
    }
    default:
      throw badTag('VmStackValue', tag)
  }
}

/** Values between two steps. */
const STEP = 256

/* A few cells can be a hundred thousand values. So a cell that is not a tuple is read once, and its places share the value. */
function* drain(pending: Pending[], alreadyRead: number, most = MAX_VALUES): Generator<void, void> {
  const shared = new Map<string, VmStackValue>()
  let count = alreadyRead
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (++count > most) throw new CellError('range', `more than ${most} values in a stack`)
    if (count % STEP === 0) yield
    const { cell, into, at } = next
    const key = cell.hashKey()
    const earlier = shared.get(key)
    if (earlier !== undefined) {
      into[at] = earlier
      continue
    }
    const s = cell.slice()
    const value = loadOne(s, pending)
    s.end()
    into[at] = value
    if (value.type !== 'tuple') shared.set(key, value)
  }
}

/** Reads the VmStackValue that fills the rest of a slice. */
export const loadVmStackValue = (s: Slice): VmStackValue => {
  const pending: Pending[] = []
  const value = loadOne(s, pending)
  s.end()
  endSteps(drain(pending, 1))
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
  const values = new Array<VmStackValue>(depth)
  const pending: Pending[] = []
  for (let i = depth - 1; i >= 0; i--) {
    const rest = s.loadRef()
    values[i] = loadOne(s, pending)
    s.end()
    s = rest.slice()
  }
  s.end()
  yield* drain(pending, depth, most)
  return values
}

export const loadVmStack = (cell: Cell, most?: number): VmStackValue[] => endSteps(loadVmStackSteps(cell, most))
