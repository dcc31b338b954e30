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

const cellObject = (root: Cell, budget: Budget): CellObject | undefined => {
  if (root.depth() > MAX_SHOWN_DEPTH) return undefined
  const found: CellObject[] = []
  const open: { readonly cell: Cell; readonly into: CellObject[] }[] = [{ cell: root, into: found }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (!budget.show(1)) return undefined
    const { cell, into } = next
    const shown: CellObject = { data: cellData(cell), refs: [], special: cell.exotic }
    into.push(shown)
    for (let i = cell.refCount - 1; i >= 0; i--) open.push({ cell: cell.ref(i), into: shown.refs })
  }
  return found[0]
}

const cellEntry = (cell: Cell, budget: Budget): LegacyEntry => {
  const bytes = budget.boc(cell)
  const object = cellObject(cell, budget)
  return ['cell', object ? { bytes, object } : { bytes }]
}

const hexNumber = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)

const legacyEntry = (value: VmStackValue, budget: Budget, maxDepth: number): LegacyEntry => {
  switch (value.type) {
    case 'int':
      budget.entry()
      return ['num', hexNumber(value.value)]
    case 'cell':
    case 'slice':
      budget.entry()
      return cellEntry(value.cell, budget)
    case 'null':
    case 'tuple': {
      const entry = toStd([value], budget, maxDepth)[0]!
      if (entry['@type'] === 'tvm.stackEntryTuple') return ['tuple', entry.tuple]
      if (entry['@type'] === 'tvm.stackEntryList') return ['list', entry.list]
      return ['unsupported', '']
    }
    default:
      return ['unsupported', '']
  }
}

/** Formats entries as pairs of a type and a value: numbers in hex, cells and slices both as `cell`, nested values as typed objects. */
export const toLegacy = (values: readonly VmStackValue[], budget: Budget, maxDepth: number): LegacyEntry[] =>
  values.map((value) => legacyEntry(value, budget, maxDepth))
