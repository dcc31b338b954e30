import { type Budget, spendCell } from '../cell/budget.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'

/*
 * hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
 * hml_short$0 len:(Unary ~n) s:(n * Bit)   hml_long$10 n:(#<= m) s:(n * Bit)   hml_same$11 v:Bit n:(#<= m)
 */

const LENGTH_BITS = Array.from({ length: 1024 }, (_, n) => (n === 0 ? 0 : 32 - Math.clz32(n)))

/** Moves past a label of a key of which `left` bits are left. Returns its length, which may exceed `left` in a malformed dictionary. */
export const skipLabel = (s: Slice, left: number): number => {
  if (!s.loadBit()) {
    const length = s.loadUnary()
    s.skip(length)
    return length
  }
  const same = s.loadBit()
  if (same) s.skip(1)
  const length = s.loadUint(LENGTH_BITS[left]!)
  if (!same) s.skip(length)
  return length
}

/**
 * Visits the leaves of a Hashmap or HashmapAug with `bits`-bit keys in ascending order. `visit` gets the slice after the label; in a HashmapAug the extra comes
 * first. The walk builds no keys, because that would be most of its work. It is for values that contain their own key. Each edge costs one cell of the budget.
 */
export const visitLeaves = (root: Cell | undefined, bits: number, budget: Budget, visit: (leaf: Slice) => void): void => {
  if (root !== undefined) visitNode(root.slice(), bits, budget, visit)
}

/** Like `visitLeaves`, for a dictionary whose root edge is inline in a slice (HashmapAug in AccountBlock). */
export const visitNode = (s: Slice, bits: number, budget: Budget, visit: (leaf: Slice) => void): void => {
  spendCell(budget)
  const left = bits - skipLabel(s, bits)
  if (left < 0) throw new CellError('dict', 'a dictionary label is longer than the key')
  if (left === 0) {
    visit(s)
    return
  }
  const low = s.loadRef()
  const high = s.loadRef()
  visitNode(low.slice(), left - 1, budget, visit)
  visitNode(high.slice(), left - 1, budget, visit)
}
