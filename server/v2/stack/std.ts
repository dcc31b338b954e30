import { TonError } from '../../../shared/errors.ts'
import type { StackEntry } from '../../../shared/models/stack.ts'
import type { VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'
import type { Budget } from './budget.ts'

type Scalar = Exclude<VmStackValue, { type: 'tuple' } | { type: 'null' }>

function* scalar(value: Scalar, budget: Budget): Generator<void, StackEntry> {
  switch (value.type) {
    case 'int':
      return { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: value.value.toString() } }
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: yield* budget.boc(value.cell) } }
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: yield* budget.boc(value.cell) } }
    case 'nan':
    case 'builder':
    case 'cont':
      return { '@type': 'tvm.stackEntryUnsupported' }
  }
}

/** Returns the items of a Lisp list (null, or a pair of an item and a list); undefined for any other value. */
const listItems = (value: VmStackValue): VmStackValue[] | undefined => {
  const items: VmStackValue[] = []
  for (let node = value; ; node = node.items[1]!) {
    if (node.type === 'null') return items
    if (node.type !== 'tuple' || node.items.length !== 2) return undefined
    items.push(node.items[0]!)
  }
}

interface Frame {
  readonly items: readonly VmStackValue[]
  next: number
  readonly out: StackEntry[]
  /** True for a pair that is not a list. Its second item is then not a list either, and is not checked again. */
  readonly pair: boolean
}

/**
 * Converts stack values to typed objects, in steps and without recursion. Too deep nesting throws STACK_TOO_DEEP. More entries than tonlib allows throw CHAIN (`TVM
 * stack size exceeds limit`). Entries of the stack itself have depth 1.
 */
export function* toStd(values: readonly VmStackValue[], budget: Budget, maxDepth: number): Generator<void, StackEntry[]> {
  const result: StackEntry[] = []
  const frames: Frame[] = [{ items: values, next: 0, out: result, pair: false }]
  for (let frame = frames[0]; frame; frame = frames.at(-1)) {
    if (frame.next === frame.items.length) {
      frames.pop()
      continue
    }
    const index = frame.next++
    if (frames.length >= maxDepth) throw new TonError('STACK_TOO_DEEP', `Result stack depth >= ${maxDepth}`)
    budget.entry()
    const value = frame.items[index]!
    if (value.type !== 'null' && value.type !== 'tuple') {
      frame.out.push(yield* scalar(value, budget))
      continue
    }
    const list = frame.pair && index === 1 ? undefined : listItems(value)
    const items = list ?? (value.type === 'tuple' ? value.items : [])
    const elements: StackEntry[] = []
    frame.out.push(
      list
        ? { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } }
        : { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } },
    )
    frames.push({ items, next: 0, out: elements, pair: !list && items.length === 2 })
  }
  return result
}
