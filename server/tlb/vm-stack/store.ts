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

/* As StackEntry::serialize does: each item has its own cell. From the third item on, the two cells before it are combined into one cell. */
const storeTuple = (b: Builder, items: readonly VmStackValue[], nesting: number): Builder => {
  if (items.length > MAX_TUPLE) throw new CellError('range', `a tuple of ${items.length} items: the limit is ${MAX_TUPLE}`)
  if (nesting >= MAX_NESTING) throw new CellError('range', `tuples are nested more than ${MAX_NESTING} levels deep`)
  b.storeUint(7, 8).storeUint(items.length, 16)
  let head: Cell | undefined
  let tail: Cell | undefined
  items.forEach((item, i) => {
    const behind = head
    head = tail
    if (i > 1) head = beginCell().storeRef(behind!).storeRef(head!).end()
    tail = storeOne(beginCell(), item, nesting + 1).end()
  })
  if (head !== undefined) b.storeRef(head)
  return tail === undefined ? b : b.storeRef(tail)
}

const storeOne = (b: Builder, value: VmStackValue, nesting: number): Builder => {
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
      return storeTuple(b, value.items, nesting)
  }
}

export const storeVmStackValue = (b: Builder, value: VmStackValue): Builder => storeOne(b, value, 0)

/** Stores values as a VmStack, from the bottom to the top. */
export const storeVmStack = (values: readonly VmStackValue[]): Cell => {
  if (values.length > MAX_STACK_DEPTH) throw new CellError('range', `a stack of ${values.length} values: the limit is ${MAX_STACK_DEPTH}`)
  const b = beginCell().storeUint(values.length, 24)
  let rest = EMPTY_CELL
  values.forEach((value, i) => {
    if (i < values.length - 1) rest = storeOne(beginCell().storeRef(rest), value, 0).end()
  })
  const top = values.at(-1)
  return top === undefined ? b.end() : storeOne(b.storeRef(rest), top, 0).end()
}
