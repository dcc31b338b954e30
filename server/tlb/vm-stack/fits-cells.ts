import type { Cell } from '../../cell/cell.ts'
import { storeVmStack } from './store.ts'
import { MAX_TUPLE, type VmStackValue } from './value.ts'

/** Depth up to which a stack always fits into cells. The maximum depth of a cell is 1,024. */
const SURE = 512

/** The greatest depth of a cell at any level. At its highest level a pruned branch has depth 0, and at lower ones the depth of the cells that it replaces. */
const deepestLevel = (cell: Cell): number =>
  cell.levelMask === 0 ? cell.depth() : Math.max(...[0, 1, 2, 3].map((level) => cell.depth(level)))

/**
 * Upper bound of the depth of the cells that a value needs. Infinity for a tuple that is too long for any cells, and for tuples nested more than `levels` deep.
 * `levels` limits the recursion: a list has a level for each item, and the call stack has no room for thousands of levels.
 */
const depthOf = (value: VmStackValue, levels: number): number => {
  switch (value.type) {
    case 'null':
    case 'int':
    case 'nan':
      return 0
    case 'slice':
      return 1 + deepestLevel(value.window?.cell ?? value.cell)
    case 'cell':
    case 'builder':
    case 'cont':
      return 1 + deepestLevel(value.cell)
    case 'tuple':
      if (value.items.length > MAX_TUPLE || levels === 0) return Number.POSITIVE_INFINITY
      return value.items.length + 1 + deepestOf(value.items, levels - 1)
  }
}

const deepestOf = (values: readonly VmStackValue[], levels: number): number => {
  let deepest = 0
  for (const value of values) deepest = Math.max(deepest, depthOf(value, levels))
  return deepest
}

/** Throws the CellError that `storeVmStack` would throw for these values. For speed, cells are made only if the values may not fit into them. */
export const checkVmStack = (values: readonly VmStackValue[]): void => {
  if (values.length + deepestOf(values, SURE) > SURE) storeVmStack(values)
}
