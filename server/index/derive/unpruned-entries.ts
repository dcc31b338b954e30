import { putBit } from '../../cell/bitpath.ts'
import { type Budget, spendCell } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { readLabel } from '../../cell/label.ts'
import type { Slice } from '../../cell/slice.ts'

/**
 * Yields the entries of a dictionary that one side of a state update does not prune, ascending: those that the block changed or added, and sometimes an
 * unchanged neighbour. Each edge uses one cell of the budget. Keys are `n` bits, left-aligned in bytes.
 */
export function* unprunedEntries(root: Cell | undefined, n: number, budget: Budget): Generator<readonly [Buffer, Slice]> {
  if (root === undefined) return
  const bytes = (n + 7) >>> 3
  const path = new Uint8Array(bytes + 1)
  const stack: { readonly cell: Cell; readonly at: number; readonly bit: number }[] = [{ cell: root, at: 0, bit: 0 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    spendCell(budget)
    const { cell, at } = top
    if (cell.type === 'pruned') continue
    if (at > 0) putBit(path, at - 1, top.bit)
    const s = cell.slice()
    const end = at + readLabel(s, n - at, path, at)
    if (end === n) yield [Buffer.from(path.subarray(0, bytes)), s]
    else {
      const low = s.loadRef()
      stack.push({ cell: s.loadRef(), at: end + 1, bit: 1 }, { cell: low, at: end + 1, bit: 0 })
    }
  }
}
