import { commonPrefix } from './bitpath.ts'
import { type Builder, beginCell } from './builder.ts'
import { type ByteString, writeData } from './cell.ts'
import { firstSet } from './hashmap-change.ts'
import { storeLabel } from './label.ts'
import { descriptor1, descriptor2, ORDINARY } from './meta-word.ts'
import { digest, message } from './sha256.ts'

/**
 * Computes the hash of a dictionary of which nothing else is needed, so its cells are not kept. In a thread with little memory, building them takes four times
 * as long. The n-bit keys (`path`) are in ascending order, each once. `storeValue` stores the value of a key, without references.
 */
export const dictHash = <T extends { readonly path: Uint8Array }>(
  n: number,
  leaves: readonly T[],
  storeValue: (b: Builder, leaf: T) => Builder,
): ByteString | undefined => {
  let depth = 0

  /** Hash of the edge that begins at bit `at`, with the leaves [lo, hi). `depth` is then its depth. */
  const edge = (lo: number, hi: number, at: number): ByteString => {
    const { path } = leaves[lo]!
    if (hi - lo === 1) {
      depth = 0
      return storeValue(storeLabel(beginCell(), path, at, n, n - at), leaves[lo]!)
        .end()
        .hashKey()
    }
    const end = commonPrefix(path, leaves[hi - 1]!.path, at, n)
    const mid = firstSet(leaves, lo, hi, end)
    const left = edge(lo, mid, end + 1)
    const leftDepth = depth
    const right = edge(mid, hi, end + 1)
    const label = storeLabel(beginCell(), path, at, end, n - at).end()
    message[0] = descriptor1(2, ORDINARY, 0)
    message[1] = descriptor2(label.bits)
    let to = 2 + writeData(label, message, 2)
    to = message.writeUInt16BE(leftDepth, to)
    to = message.writeUInt16BE(depth, to)
    to += message.write(left, to, 32, 'latin1')
    to += message.write(right, to, 32, 'latin1')
    depth = Math.max(leftDepth, depth) + 1
    return digest(to)
  }
  return leaves.length === 0 ? undefined : edge(0, leaves.length, 0)
}
