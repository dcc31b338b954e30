import { AbsentCellError, dictPathOf } from './absent.ts'
import { bitAt, commonPrefix, putBit } from './bitpath.ts'
import { type Builder, beginCell } from './builder.ts'
import { Cell } from './cell.ts'
import { checkFork, failDict, pathBuffer } from './hashmap.ts'
import { readLabel, storeLabel } from './label.ts'
import { Slice } from './slice.ts'

export type DictValue = Builder | Cell | Slice

export interface Augmentation<Y> {
  loadExtra(s: Slice): Y
  storeExtra(b: Builder, y: Y): void
  combine(left: Y, right: Y): Y
  leafExtra(value: Slice): Y
  /**
   * Returns the extra of a fork after the extra of one side changed from `before` to `after`; undefined if it cannot be computed from these. It is called if
   * the other side is an absent cell.
   */
  updated?(fork: Y, before: Y, after: Y): Y | undefined
}

/** An undefined value deletes the key. */
export interface Change {
  readonly path: Uint8Array
  readonly value: DictValue | undefined
}

interface Edge<Y> {
  readonly cell: Cell
  readonly extra: Y | undefined
}

const storeValue = (b: Builder, value: DictValue): Builder =>
  value instanceof Cell ? b.storeCell(value) : value instanceof Slice ? b.storeSlice(value) : b.storeBuilder(value)

const sliceOfValue = (value: DictValue): Slice =>
  value instanceof Cell ? value.slice() : value instanceof Slice ? value.clone() : value.end().slice()

const checkOrder = (changes: readonly Change[], n: number): void => {
  for (let i = 1; i < changes.length; i++) {
    const end = commonPrefix(changes[i - 1]!.path, changes[i]!.path, 0, n)
    if (end === n) failDict('the same key twice in a set of changes')
    if (bitAt(changes[i - 1]!.path, end) > bitAt(changes[i]!.path, end)) failDict('changes out of order')
  }
}

/** Index of the first change in [lo, hi) whose bit `at` is set; `hi` if no change has the bit set. */
export const firstSet = (changes: readonly Pick<Change, 'path'>[], lo: number, hi: number, at: number): number => {
  let low = lo
  let high = hi
  while (low < high) {
    const mid = (low + high) >>> 1
    if (bitAt(changes[mid]!.path, at)) high = mid
    else low = mid + 1
  }
  return low
}

/** Returns whether the key of any change in [lo, hi) equals `path` in bits [at, end). */
const reaches = (changes: readonly Change[], lo: number, hi: number, path: Uint8Array, at: number, end: number): boolean => {
  for (let i = lo; i < hi; i++) if (commonPrefix(path, changes[i]!.path, at, end) === end) return true
  return false
}

/**
 * Returns the extra of a changed fork that still has both sides. If a side, or a part of its extra, is absent, the extra is computed from the old extra and the
 * change. `s` is at the old extra of the fork.
 */
const extraOfFork = <Y>(
  augmentation: Augmentation<Y>,
  s: Slice,
  oldLeft: Edge<Y>,
  left: Edge<Y>,
  oldRight: Edge<Y>,
  right: Edge<Y>,
  extraOf: (edge: Edge<Y>) => Y,
): Y => {
  const combined = (): Y => augmentation.combine(extraOf(left), extraOf(right))
  if (augmentation.updated === undefined) return combined()
  if (dictPathOf(oldLeft.cell) === undefined && dictPathOf(oldRight.cell) === undefined) {
    try {
      return combined()
    } catch (error) {
      if (!(error instanceof AbsentCellError)) throw error
    }
  }
  let extra: Y | undefined = augmentation.loadExtra(s.clone())
  if (left !== oldLeft) extra = augmentation.updated(extra, extraOf(oldLeft), extraOf(left))
  if (right !== oldRight && extra !== undefined) extra = augmentation.updated(extra, extraOf(oldRight), extraOf(right))
  return extra ?? combined()
}

/**
 * Applies changes in one pass. The changes must be sorted by key, with each key once. Only edges on the path to a changed key are read and rebuilt. The first
 * cell of a sibling edge is also read if its extra is needed or if its fork disappears.
 */
export const change = <Y>(
  root: Cell | undefined,
  n: number,
  changes: readonly Change[],
  augmentation: Augmentation<Y> | null,
): Cell | undefined => {
  const path = pathBuffer(n)

  const leaf = (item: Change, at: number): Edge<Y> => {
    const b = storeLabel(beginCell(), item.path, at, n, n - at)
    const value = item.value!
    let extra: Y | undefined
    if (augmentation !== null) {
      extra = augmentation.leafExtra(sliceOfValue(value))
      augmentation.storeExtra(b, extra)
    }
    return { cell: storeValue(b, value).end(), extra }
  }

  const extraOf = (edge: Edge<Y>, at: number): Y => {
    if (edge.extra !== undefined) return edge.extra
    const s = edge.cell.slice()
    if (at + readLabel(s, n - at, pathBuffer(n), at) < n) {
      checkFork(s, false)
      s.skipRefs(2)
    }
    return augmentation!.loadExtra(s)
  }

  /**
   * Makes a fork with the label `label[at, end)` from two edges that begin at bit `end` + 1. `combined` is the extra of the fork, if it was computed already.
   */
  const fork = (label: Uint8Array, at: number, end: number, left: Edge<Y>, right: Edge<Y>, combined?: Y): Edge<Y> => {
    const b = storeLabel(beginCell(), label, at, end, n - at)
      .storeRef(left.cell)
      .storeRef(right.cell)
    let extra: Y | undefined
    if (augmentation !== null) {
      extra = combined ?? augmentation.combine(extraOf(left, end + 1), extraOf(right, end + 1))
      augmentation.storeExtra(b, extra)
    }
    return { cell: b.end(), extra }
  }

  /** Removes a fork that has one side left. The label of that side begins at bit `end` + 1; `path[at, end)` and `bit` are put before it. */
  const absorb = (at: number, end: number, bit: number, edge: Edge<Y>): Edge<Y> => {
    putBit(path, end, bit)
    const s = edge.cell.slice()
    const to = end + 1 + readLabel(s, n - end - 1, path, end + 1)
    const b = storeLabel(beginCell(), path, at, to, n - at)
    return { cell: b.storeSlice(s).end(), extra: edge.extra }
  }

  const join = (at: number, end: number, left: Edge<Y> | undefined, right: Edge<Y> | undefined): Edge<Y> | undefined => {
    if (left !== undefined && right !== undefined) return fork(path, at, end, left, right)
    if (left !== undefined) return absorb(at, end, 0, left)
    return right === undefined ? undefined : absorb(at, end, 1, right)
  }

  /** Builds an edge that begins at bit `at` from changes [lo, hi), none of which is a deletion. */
  const grow = (fresh: readonly Change[], lo: number, hi: number, at: number): Edge<Y> => {
    const first = fresh[lo]!
    if (hi - lo === 1) return leaf(first, at)
    const end = commonPrefix(first.path, fresh[hi - 1]!.path, at, n)
    if (end === n) failDict('the same key twice in a set of changes')
    let mid = lo + 1
    while (!bitAt(fresh[mid]!.path, end)) mid++
    return fork(first.path, at, end, grow(fresh, lo, mid, end + 1), grow(fresh, mid, hi, end + 1))
  }

  const build = (lo: number, hi: number, at: number): Edge<Y> | undefined => {
    const fresh: Change[] = []
    for (let i = lo; i < hi; i++) if (changes[i]!.value !== undefined) fresh.push(changes[i]!)
    return fresh.length === 0 ? undefined : grow(fresh, 0, fresh.length, at)
  }

  const visit = (edge: Edge<Y> | undefined, lo: number, hi: number, at: number): Edge<Y> | undefined => {
    if (edge === undefined) return build(lo, hi, at)
    if (lo === hi) return edge
    const s = edge.cell.slice()
    const end = at + readLabel(s, n - at, path, at)
    const common = Math.min(commonPrefix(path, changes[lo]!.path, at, end), commonPrefix(path, changes[hi - 1]!.path, at, end))
    if (common < end) {
      if (changes.slice(lo, hi).every((item) => item.value === undefined) && !reaches(changes, lo, hi, path, at, end)) return edge
      // A change branches off within the label of this edge, so the edge becomes one side of a new fork.
      const old = bitAt(path, common)
      const b = storeLabel(beginCell(), path, common + 1, end, n - common - 1)
      const rest: Edge<Y> = { cell: b.storeSlice(s).end(), extra: edge.extra }
      const mid = firstSet(changes, lo, hi, common)
      const left = old === 0 ? visit(rest, lo, mid, common + 1) : build(lo, mid, common + 1)
      const right = old === 0 ? build(mid, hi, common + 1) : visit(rest, mid, hi, common + 1)
      return join(at, common, left, right)
    }
    if (end === n) {
      if (hi - lo > 1) failDict('the same key twice in a set of changes')
      return changes[lo]!.value === undefined ? undefined : leaf(changes[lo]!, at)
    }
    checkFork(s, augmentation === null)
    const oldLeft: Edge<Y> = { cell: s.loadRef(), extra: undefined }
    const oldRight: Edge<Y> = { cell: s.loadRef(), extra: undefined }
    const mid = firstSet(changes, lo, hi, end)
    const left = visit(oldLeft, lo, mid, end + 1)
    const right = visit(oldRight, mid, hi, end + 1)
    if (left === oldLeft && right === oldRight) return edge
    if (left === undefined || right === undefined || augmentation === null) return join(at, end, left, right)
    const extra = extraOfFork(augmentation, s, oldLeft, left, oldRight, right, (each) => extraOf(each, end + 1))
    return fork(path, at, end, left, right, extra)
  }

  checkOrder(changes, n)
  return visit(root === undefined ? undefined : { cell: root, extra: undefined }, 0, changes.length, 0)?.cell
}
