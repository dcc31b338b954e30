import { endSteps } from '../../base/yield.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../../cell/cell.ts'
import { MAX_STACK_DEPTH, MAX_TUPLE, type VmStackValue } from './value.ts'

/* Maximum nesting of tuples. Each nested tuple adds a level of cells, so deeper tuples would exceed the maximum depth of a cell anyway. */
const MAX_NESTING = 1024

const storeInt = (b: Builder, value: bigint, wide: boolean): Builder =>
  !wide && BigInt.asIntN(64, value) === value ? b.storeUint(1, 8).storeInt(value, 64) : b.storeUint(0x0100, 15).storeInt(value, 257)

const storeSlice = (b: Builder, value: Extract<VmStackValue, { type: 'slice' }>): Builder => {
  const { cell } = value
  const {
    cell: base,
    stBits,
    endBits,
    stRef,
    endRef,
  } = value.window ?? {
    cell,
    stBits: 0,
    endBits: cell.bits,
    stRef: 0,
    endRef: cell.refCount,
  }
  return b.storeUint(4, 8).storeRef(base).storeUint(stBits, 10).storeUint(endBits, 10).storeUint(stRef, 3).storeUint(endRef, 3)
}

/** Values between two steps. */
const STEP = 256

interface Stored {
  /** Number of values in tuples that were stored so far. */
  count: number
  /** References of the tuples that were stored so far, by items. A stack can have the same tuple thousands of times. */
  readonly refs: Map<readonly VmStackValue[], readonly Cell[]>
}
const noneStored = (): Stored => ({ count: 0, refs: new Map() })

/* As StackEntry::serialize does: each item has its own cell. From the third item on, the two cells before it are combined into one cell. */
function* storeTuple(b: Builder, items: readonly VmStackValue[], stored: Stored, nesting: number): Generator<void, Builder> {
  if (items.length > MAX_TUPLE) throw new CellError('range', `a tuple of ${items.length} items: the limit is ${MAX_TUPLE}`)
  if (nesting >= MAX_NESTING) throw new CellError('range', `tuples are nested more than ${MAX_NESTING} levels deep`)
  b.storeUint(7, 8).storeUint(items.length, 16)
  let refs = stored.refs.get(items) ?? []
  if (refs.length === 0) {
    for (const item of items) {
      const [head, tail] = refs
      if (++stored.count % STEP === 0) yield
      const last = (yield* storeOne(beginCell(), item, stored, nesting + 1)).end()
      const before = tail === undefined ? head : beginCell().storeRef(head!).storeRef(tail).end()
      refs = before === undefined ? [last] : [before, last]
    }
    stored.refs.set(items, refs)
  }
  for (const ref of refs) b.storeRef(ref)
  return b
}

function* storeOne(b: Builder, value: VmStackValue, stored: Stored, nesting: number): Generator<void, Builder> {
  switch (value.type) {
    case 'null':
      return b.storeUint(0, 8)
    case 'int':
      return storeInt(b, value.value, value.wide === true)
    case 'nan':
      return b.storeUint(0x02ff, 16)
    case 'cell':
      return b.storeUint(3, 8).storeRef(value.cell)
    case 'slice':
      return storeSlice(b, value)
    case 'builder':
      return b.storeUint(5, 8).storeRef(value.cell)
    case 'cont':
      return b.storeUint(6, 8).storeCell(value.cell)
    case 'tuple':
      return yield* storeTuple(b, value.items, stored, nesting)
  }
}

export const storeVmStackValue = (b: Builder, value: VmStackValue): Builder => endSteps(storeOne(b, value, noneStored(), 0))

/** Stores values as a VmStack, in steps, from the bottom to the top. */
export function* storeVmStackSteps(values: readonly VmStackValue[]): Generator<void, Cell> {
  if (values.length > MAX_STACK_DEPTH) throw new CellError('range', `a stack of ${values.length} values: the limit is ${MAX_STACK_DEPTH}`)
  const b = beginCell().storeUint(values.length, 24)
  const stored = noneStored()
  let rest = EMPTY_CELL
  for (const value of values.slice(0, -1)) rest = (yield* storeOne(beginCell().storeRef(rest), value, stored, 0)).end()
  const top = values.at(-1)
  return top === undefined ? b.end() : (yield* storeOne(b.storeRef(rest), top, stored, 0)).end()
}

export const storeVmStack = (values: readonly VmStackValue[]): Cell => endSteps(storeVmStackSteps(values))
