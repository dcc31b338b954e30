import { AbsentCellError, dictPathOf } from './absent.ts'
import './hot-class-instances.ts'
import { bitAt, commonPrefix, keyOf, keyPath, putBit } from './bitpath.ts'
import { type Budget, spendCell } from './budget.ts'
import type { Cell } from './cell.ts'
import { CellError } from './error.ts'
import { readLabel } from './label.ts'
import type { Slice } from './slice.ts'

/*
 * hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
 * hmn_leaf#_ {X:Type} value:X = HashmapNode 0 X;
 * hmn_fork#_ {n:#} {X:Type} left:^(Hashmap n X) right:^(Hashmap n X) = HashmapNode (n + 1) X;
 *
 * ahm_edge#_ {n:#} {X:Type} {Y:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapAugNode m X Y) = HashmapAug n X Y;
 * ahmn_leaf#_ {X:Type} {Y:Type} extra:Y value:X = HashmapAugNode 0 X Y;
 * ahmn_fork#_ {n:#} {X:Type} {Y:Type} left:^(HashmapAug n X Y) right:^(HashmapAug n X Y) extra:Y = HashmapAugNode (n + 1) X Y;
 *
 * The code below handles both types. The augmentation of a plain dictionary is null.
 */

/** A leaf. The slice is after the label. It has the value; in an augmented dictionary the extra comes before the value. */
export interface Leaf {
  readonly path: Uint8Array
  readonly slice: Slice
}

export const failDict = (text: string): never => {
  throw new CellError('dict', text)
}

export const pathOf = (key: bigint, n: number): Uint8Array => {
  const path = keyPath(key, n)
  if (path === undefined) throw new CellError('range', `the key ${key} does not fit ${n} bits`)
  return path
}

export const checkFork = (s: Slice, plain: boolean): void => {
  if (s.remainingRefs < 2 || (plain && (s.remainingRefs > 2 || s.remainingBits > 0))) {
    failDict(`a dictionary fork with ${s.remainingBits} bits and ${s.remainingRefs} references`)
  }
}

export const pathBuffer = (n: number): Uint8Array => new Uint8Array(((n + 7) >>> 3) + 1)
/** Path buffer of `find`. All calls share one buffer, because `find` never runs inside `find`. */
const scratch = pathBuffer(1023)

/** Returns the slice of a key's leaf, after the label; undefined if the key is missing. An AbsentCellError gets the key as its location. */
export const find = (root: Cell | undefined, n: number, key: Uint8Array, plain: boolean): Slice | undefined => {
  try {
    return findPresent(root, n, key, plain)
  } catch (error) {
    throw error instanceof AbsentCellError ? error.towards(key) : error
  }
}

const findPresent = (root: Cell | undefined, n: number, key: Uint8Array, plain: boolean): Slice | undefined => {
  let cell = root
  let at = 0
  while (cell !== undefined) {
    const s: Slice = cell.slice()
    const end = at + readLabel(s, n - at, scratch, at)
    if (commonPrefix(scratch, key, at, end) < end) return undefined
    if (end === n) return s
    checkFork(s, plain)
    cell = s.preloadRef(bitAt(key, end))
    at = end + 1
  }
  return undefined
}

export interface WalkFrom {
  readonly key: bigint
  readonly inclusive: boolean
}

export interface WalkOptions {
  readonly reverse?: boolean
  /** Where the walk starts. Only the cells on the paths to the visited leaves are read. */
  readonly from?: WalkFrom | undefined
  /** Skips the entries below pruned branches and absent cells. Without this option the walk throws at them. */
  readonly skipMissing?: boolean
}

/**
 * All leaves in ascending order of keys; descending with `reverse`. All leaves share one path array, which the next leaf overwrites. Each edge and each skipped
 * cell costs one cell of the budget, so N entries cost 2N - 1. Throws CellError `budget` if the budget is used up.
 */
export function* leaves(
  root: Cell | undefined,
  n: number,
  plain: boolean,
  budget: Budget,
  { reverse = false, from, skipMissing = false }: WalkOptions = {},
): Generator<Leaf> {
  if (root === undefined) return
  const path = pathBuffer(n)
  const start = from && pathOf(from.key, n)
  const first = reverse ? 1 : 0
  /** Returns whether all keys that begin with the first `end` bits of `path` come before the start of the walk. */
  const isBefore = (end: number): boolean => {
    const common = commonPrefix(path, start!, 0, end)
    return common < end ? bitAt(path, common) === first : end === n && !from!.inclusive
  }
  const stack: { cell: Cell; at: number; bit: number }[] = [{ cell: root, at: 0, bit: 0 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { at } = top
    if (at > 0) putBit(path, at - 1, top.bit)
    if (start !== undefined && isBefore(at)) continue
    spendCell(budget)
    if (skipMissing && (top.cell.type === 'pruned' || dictPathOf(top.cell) !== undefined)) continue
    const s = top.cell.slice()
    const end = at + readLabel(s, n - at, path, at)
    if (start !== undefined && isBefore(end)) continue
    if (end === n) yield { path, slice: s }
    else {
      checkFork(s, plain)
      stack.push({ cell: s.preloadRef(1 - first), at: end + 1, bit: 1 - first }, { cell: s.preloadRef(first), at: end + 1, bit: first })
    }
  }
}

export const leafKey = (leaf: Leaf, n: number): bigint => keyOf(leaf.path, n)
