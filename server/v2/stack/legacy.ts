import type { CellObject } from '../../../shared/models/stack.ts'
import type { Result } from '../../../shared/registry.ts'
import type { Cell } from '../../cell/cell.ts'
import type { VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'
import { base64 } from '../wire.ts'
import type { Budget } from './budget.ts'
import { toStd } from './std.ts'

export type LegacyEntry = Result<'runGetMethod'>['stack'][number]

/** Deeper cells are not written as objects, so that recursive JSON parsers can read the answer. */
const MAX_SHOWN_DEPTH = 512

const cellData = (cell: Cell): CellObject['data'] => {
  const data = cell.data()
  if (cell.bits % 8 !== 0) data[data.length - 1]! |= 0x80 >> (cell.bits % 8)
  return { b64: base64(data), len: cell.bits }
}

/** Cells of objects between two steps. */
const STEP = 64

function* cellObject(root: Cell, budget: Budget): Generator<void, CellObject | undefined> {
  if (root.depth() > MAX_SHOWN_DEPTH) return undefined
  const found: CellObject[] = []
  const open: { readonly cell: Cell; readonly into: CellObject[] }[] = [{ cell: root, into: found }]
  let count = 0
  for (let next = open.pop(); next; next = open.pop()) {
    if (!budget.show(1)) return undefined
    if (++count % STEP === 0) yield
    const { cell, into } = next
    const shown: CellObject = { data: cellData(cell), refs: [], special: cell.exotic }
    into.push(shown)
    for (let i = cell.refCount - 1; i >= 0; i--) open.push({ cell: cell.ref(i), into: shown.refs })
  }
  return found[0]
}

function* cellEntry(cell: Cell, budget: Budget): Generator<void, LegacyEntry> {
  const bytes = yield* budget.boc(cell)
  const object = yield* cellObject(cell, budget)
  return ['cell', object ? { bytes, object } : { bytes }]
}

const hexNumber = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)

function* legacyEntry(value: VmStackValue, budget: Budget, maxDepth: number): Generator<void, LegacyEntry> {
  switch (value.type) {
    case 'int':
      budget.entry()
      return ['num', hexNumber(value.value)]
    case 'cell':
    case 'slice':
      budget.entry()
      return yield* cellEntry(value.cell, budget)
    case 'null':
    case 'tuple': {
      const entry = (yield* toStd([value], budget, maxDepth))[0]!
      if (entry['@type'] === 'tvm.stackEntryTuple') return ['tuple', entry.tuple]
      if (entry['@type'] === 'tvm.stackEntryList') return ['list', entry.list]
      return ['unsupported', '']
    }
    default:
      return ['unsupported', '']
  }
}

/** Formats entries, in steps, as pairs of a type and a value: numbers in hex, cells and slices both as `cell`, nested values as typed objects. */
export function* toLegacy(values: readonly VmStackValue[], budget: Budget, maxDepth: number): Generator<void, LegacyEntry[]> {
  const entries: LegacyEntry[] = []
  for (const value of values) entries.push(yield* legacyEntry(value, budget, maxDepth))
  return entries
}
