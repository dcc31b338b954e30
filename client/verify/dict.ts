import type { Cell } from './cell.ts'
import { must } from './error.ts'
import { Reader } from './reader.ts'

/*
 * hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
 * hmn_leaf#_ value:X = HashmapNode 0 X;       hmn_fork#_ left:^(Hashmap n X) right:^(Hashmap n X) = HashmapNode (n + 1) X;
 * hml_short$0 len:(Unary ~n) s:(n * Bit)      hml_long$10 n:(#<= m) s:(n * Bit)      hml_same$11 v:Bit n:(#<= m)
 * Augmented ones have an extra before the value of a leaf, and behind the references of a fork.
 * Keys are texts of 0 and 1.
 */

/** Maximum number of edges that one walk may enter. A few shared cells can form more paths than anybody can walk. */
const MAX_EDGES = 1 << 15

const readLabel = (r: Reader, max: number): string => {
  const size = 32 - Math.clz32(max)
  if (!r.flag()) {
    let length = 0
    while (r.flag()) length++
    must(length <= max, 'a label of a dictionary that is longer than the key')
    return r.text(length)
  }
  const same = r.flag() ? String(r.uint(1)) : undefined
  const length = r.uint(size)
  must(length <= max, 'a label of a dictionary that is longer than the key')
  return same === undefined ? r.text(length) : same.repeat(length)
}

const fork = (r: Reader): readonly [Cell, Cell] => [r.next(), r.next()]

/** The key of a number: its n lowest bits as a text of 0 and 1. */
export const keyOf = (value: bigint | number, n: number): string => BigInt.asUintN(n, BigInt(value)).toString(2).padStart(n, '0')

/** The value of a key; undefined if the dictionary provably lacks it. */
export const find = (root: Cell | undefined, key: string): Reader | undefined => {
  let cell = root
  let at = 0
  while (cell !== undefined) {
    const r: Reader = new Reader(cell)
    const label = readLabel(r, key.length - at)
    if (!key.startsWith(label, at)) return undefined
    at += label.length
    if (at === key.length) return r
    cell = fork(r)[Number(key[at++])]
  }
  return undefined
}

/** Visits all entries in ascending order of unsigned keys. A pruned branch is refused. */
export const walk = (root: Cell | undefined, n: number, visit: (key: string, r: Reader) => void, edges = MAX_EDGES): void => {
  let left = edges
  const enter = (cell: Cell, prefix: string): void => {
    must(--left >= 0, `a dictionary of more than ${edges} edges`)
    const r = new Reader(cell)
    const key = prefix + readLabel(r, n - prefix.length)
    if (key.length === n) visit(key, r)
    else for (const [bit, child] of fork(r).entries()) enter(child, key + bit)
  }
  if (root !== undefined) enter(root, '')
}
