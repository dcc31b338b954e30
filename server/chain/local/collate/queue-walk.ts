import { createSorted } from '../../../base/sorted.ts'
import type { Cell } from '../../../cell/cell.ts'
import { readLabel } from '../../../cell/label.ts'
import type { Slice } from '../../../cell/slice.ts'

/* Reads an OutMsgQueue lazily, in processing order (OutputQueueMerger of crypto/block). */

const KEY_BITS = 352
const WORKCHAIN_BYTES = 4

interface Node {
  readonly slice: Slice
  /** Key bits read so far. The array is longer than a key, because readLabel may write past the key's end. */
  readonly path: Uint8Array
  readonly at: number
  /** Smallest lt in the subtree, from the augmentation. */
  readonly lt: bigint
}
const isLeaf = (node: Node): boolean => node.at === KEY_BITS

/* Orders by lt. At equal lt forks come before leaves, because they may contain leaves with the same lt. Leaves are ordered by message hash. */
const compare = (a: Node, b: Node): number => {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  if (isLeaf(a) !== isLeaf(b)) return isLeaf(a) ? 1 : -1
  return isLeaf(a) ? Buffer.compare(a.path.subarray(12, 44), b.path.subarray(12, 44)) : 0
}

/* Reads the label and the smallest lt of an edge. Undefined if all keys below the edge belong to another workchain. */
const open = (cell: Cell, before: Uint8Array, start: number, prefix: Uint8Array): Node | undefined => {
  const slice = cell.slice()
  const path = new Uint8Array(before)
  const at = start + readLabel(slice, KEY_BITS - start, path, start)
  if (at >= 8 * WORKCHAIN_BYTES && Buffer.compare(path.subarray(0, WORKCHAIN_BYTES), prefix) !== 0) return undefined
  return { slice, path, at, lt: slice.preloadUintBig(64) }
}

/** Leaves whose next hop is `workchain`, in (lt, hash) order: the key, and the slice after the augmentation (an EnqueuedMsg). */
export function* walkQueue(root: Cell | undefined, workchain: number): Generator<{ readonly key: Uint8Array; readonly value: Slice }> {
  const prefix = new Uint8Array(WORKCHAIN_BYTES)
  new DataView(prefix.buffer).setInt32(0, workchain)
  const nodes = createSorted<Node>(compare)
  const push = (node: Node | undefined): void => {
    if (node !== undefined) nodes.push(node)
  }
  if (root !== undefined) push(open(root, new Uint8Array(KEY_BITS / 8 + 8), 0, prefix))
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const { path, at, slice } = node
    if (isLeaf(node)) {
      yield { key: path.subarray(0, KEY_BITS / 8), value: slice.skip(64) }
      continue
    }
    const mask = 0x80 >> (at & 7)
    push(open(slice.preloadRef(0), path, at + 1, prefix))
    path[at >> 3]! |= mask
    push(open(slice.preloadRef(1), path, at + 1, prefix))
  }
}
