import { dictEntries } from '../cell/dict.ts'
import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { bitsHex } from './primitives.ts'
import { type Budget, type DecodeRun, type Entries, enter, type Json, type Shape, spend } from './shape.ts'

/*
 * Answers show a dictionary as the tree of its cells. The TL-B types of that tree:
 * hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
 * hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit) = HmLabel ~n m;
 * hml_long$10 {m:#} n:(#<= m) s:(n * Bit) = HmLabel ~n m;
 * hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;
 */

const UNARY = 30

/** Returns the number `n` as Unary: `n` nested unary_succ. */
const showUnary = (n: number): Json => {
  let shown: Json = { '@type': 'unary_zero' }
  for (let i = 0; i < n; i++) shown = { '@type': 'unary_succ', x: shown }
  return shown
}

/** Reads a label and returns it with its length in bits. `most` is the number of key bits that are not yet read. */
const showLabel = (s: Slice, most: number, run: DecodeRun): { readonly length: number; readonly label: Json } => {
  const within = (length: number): number => {
    if (length > most) throw new CellError('dict', `a dictionary label of ${length} bits where ${most} are left of the key`)
    return length
  }
  const lengthBits = 32 - Math.clz32(most)
  if (!s.loadBit()) {
    const length = within(s.loadUnary())
    spend(run, length * UNARY)
    const bits = bitsHex({ bits: length, data: s.loadBits(length) })
    return { length, label: { '@type': 'hashmap_label_short', len: showUnary(length), s: bits } }
  }
  if (!s.loadBit()) {
    const length = within(s.loadUint(lengthBits))
    const bits = bitsHex({ bits: length, data: s.loadBits(length) })
    return { length, label: { '@type': 'hashmap_label_long', n: `${length}`, s: bits } }
  }
  const v = s.loadBit()
  const length = within(s.loadUint(lengthBits))
  return { length, label: { '@type': 'hashmap_label_same', v, n: `${length}` } }
}

const showEdge = (s: Slice, bits: number, of: Shape, run: DecodeRun): Json => {
  const { length, label } = showLabel(s, bits, run)
  const left = bits - length
  if (left === 0) return { '@type': 'hashmap_edge', label, node: { '@type': 'hashmap_node_leaf', value: of.print(s, run) } }
  const branch = (): Json => showEdge(enter(s.loadRef(), run), left - 1, of, run)
  const node = { '@type': 'hashmap_node_fork', left: branch(), right: branch() }
  return { '@type': 'hashmap_edge', label, node }
}

/** Each edge costs one cell of the budget. */
const loadTree = (root: Slice, bits: number, of: Shape, run: Budget): Entries => ({
  entries: [...dictEntries(root.asCell(), bits, run)].map(([key, value]) => [key, of.load(value, run)]),
})

/** Hashmap n X in the rest of the slice. */
export const tree = (bits: number, of: Shape): Shape => ({
  load: (s, run) => {
    const entries = loadTree(s.clone(), bits, of, run)
    s.skip(s.remainingBits).skipRefs(s.remainingRefs)
    return entries
  },
  open: (s, run) => ({
    get entries() {
      return loadTree(s, bits, of, run).entries
    },
  }),
  print: (s, run) => showEdge(s, bits, of, run),
})

/** HashmapE n X: an empty map, or a reference to the tree. */
export const dictionary = (bits: number, of: Shape): Shape => ({
  load: (s, run) => (s.loadBit() ? loadTree(enter(s.loadRef(), run), bits, of, run) : { entries: [] }),
  print: (s, run) =>
    s.loadBit() ? { '@type': 'hashmap_root', root: showEdge(enter(s.loadRef(), run), bits, of, run) } : { '@type': 'hashmap_empty' },
})
