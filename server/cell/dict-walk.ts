import { type Budget, spendCell } from './budget.ts'
import { type Cell, CellError } from './cell.ts'
import type { Slice } from './slice.ts'

/* A walk over a dictionary that can start at a key. dictEntries cannot. */

/*
 * hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
 * hml_short$0 len:(Unary ~n) s:(n * Bit)   hml_long$10 n:(#<= m) s:(n * Bit)   hml_same$11 v:Bit n:(#<= m)
 */

export interface WalkFrom {
  readonly key: bigint
  readonly inclusive: boolean
}

const labelOf = (s: Slice, left: number): { readonly length: number; readonly bits: bigint } => {
  if (!s.loadBit()) {
    const length = s.loadUnary()
    return { length, bits: bitsOf(s, length) }
  }
  const same = s.loadBit() ? s.loadBit() : undefined
  const length = s.loadUint(32 - Math.clz32(left))
  if (same === undefined) return { length, bits: bitsOf(s, length) }
  return { length, bits: same ? (1n << BigInt(length)) - 1n : 0n }
}

const bitsOf = (s: Slice, length: number): bigint => (length === 0 ? 0n : s.loadUintBig(length))

/**
 * Walks the leaves of a Hashmap or HashmapAug in ascending order of unsigned keys (n <= 256 bits), descending if `reverse`. `from` is the key at which the walk
 * starts. Only the cells on the paths to the visited leaves are read, so the walk works on a proof of one page of entries. A recorded walk (recordUsage) makes
 * such a proof. Each edge costs one cell of the budget. In an augmented dictionary the slice of a leaf begins with the extra.
 */
export function* walkDict(
  root: Cell | undefined,
  n: number,
  budget: Budget,
  from?: WalkFrom | undefined,
  reverse = false,
): Generator<readonly [bigint, Slice]> {
  if (root !== undefined) yield* walkEdge(root, n, 0n, budget, from, reverse)
}

function* walkEdge(
  edge: Cell,
  n: number,
  above: bigint,
  budget: Budget,
  from: WalkFrom | undefined,
  reverse: boolean,
): Generator<readonly [bigint, Slice]> {
  spendCell(budget)
  const s = edge.slice()
  const label = labelOf(s, n)
  const left = n - label.length
  if (left < 0) throw new CellError('dict', 'a dictionary label is longer than the key')
  const prefix = (above << BigInt(label.length)) | label.bits
  if (isBefore(prefix, left, from, reverse)) return
  if (left === 0) {
    yield [prefix, s]
    return
  }
  const children = [s.loadRef(), s.loadRef()] as const
  for (const side of reverse ? ([1, 0] as const) : ([0, 1] as const)) {
    const branch = (prefix << 1n) | BigInt(side)
    if (!isBefore(branch, left - 1, from, reverse)) yield* walkEdge(children[side], left - 1, branch, budget, from, reverse)
  }
}

/** Returns whether all keys with this prefix come before the start of the walk. `left` is the number of bits after the prefix. */
const isBefore = (prefix: bigint, left: number, from: WalkFrom | undefined, reverse: boolean): boolean => {
  if (from === undefined) return false
  const edge = reverse ? prefix << BigInt(left) : ((prefix + 1n) << BigInt(left)) - 1n
  if (edge === from.key) return !from.inclusive && left === 0
  return reverse ? edge > from.key : edge < from.key
}
