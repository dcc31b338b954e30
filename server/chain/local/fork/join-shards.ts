import { bitAt, putBit } from '../../../cell/bitpath.ts'
import { type Builder, beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { pathBuffer } from '../../../cell/hashmap.ts'
import { readLabel, storeLabel } from '../../../cell/label.ts'
import type { Slice } from '../../../cell/slice.ts'
import { type DepthBalanceInfo, shardAccountsAug } from '../../../tlb/state/shard-account.ts'

/* Joins the accounts of a workchain's shards into one dictionary. Only the root cell of each shard's dictionary is read and rewritten. */

const KEY_BITS = 256

export interface ShardPart {
  /** The shard as 64 bits: its prefix, then a set bit, then zeros. */
  readonly shard: bigint
  readonly root: Cell | undefined
}

/** A dictionary edge without its label: all its key bits from the root on, and the cell's content after the label. */
interface Edge {
  readonly path: Uint8Array
  readonly end: number
  readonly extra: DepthBalanceInfo
  readonly rest: Slice | Builder
}

const prefixBits = (shard: bigint): number => {
  let bits = 63
  for (let rest = shard; (rest & 1n) === 0n; rest >>= 1n) bits -= 1
  return bits
}

const cellOf = ({ path, end, rest }: Edge, from: number): Cell => {
  const b = storeLabel(beginCell(), path, from, end, KEY_BITS - from)
  return ('remainingBits' in rest ? b.storeSlice(rest) : b.storeBuilder(rest)).end()
}

const edgeOf = (root: Cell | undefined): Edge | undefined => {
  if (root === undefined) return undefined
  const rest = root.slice()
  const path = pathBuffer(KEY_BITS)
  const end = readLabel(rest, KEY_BITS, path, 0)
  const extra = rest.clone()
  if (end < KEY_BITS) extra.skipRefs(2)
  return { path, end, extra: shardAccountsAug.loadExtra(extra), rest }
}

/** The edge of all accounts with a common prefix: the first `bits` bits of `path`. */
const joined = (parts: readonly ShardPart[], path: Uint8Array, bits: number): Edge | undefined => {
  const [first] = parts
  if (first === undefined) throw new RangeError('the shards do not cover the workchain')
  if (parts.length === 1 && prefixBits(first.shard) === bits) return edgeOf(first.root)
  const half = (bit: number): Edge | undefined => {
    putBit(path, bits, bit)
    const within = parts.filter(({ shard }) => Number((shard >> BigInt(63 - bits)) & 1n) === bit && prefixBits(shard) > bits)
    return joined(within, path, bits + 1)
  }
  const [left, right] = [half(0), half(1)]
  if (left === undefined || right === undefined) return left ?? right
  const extra = shardAccountsAug.combine(left.extra, right.extra)
  const rest = beginCell()
    .storeRef(cellOf(left, bits + 1))
    .storeRef(cellOf(right, bits + 1))
  shardAccountsAug.storeExtra(rest, extra)
  const own = pathBuffer(KEY_BITS)
  for (let i = 0; i < bits; i++) putBit(own, i, bitAt(path, i))
  return { path: own, end: bits, extra, rest }
}

/** Root of ShardAccounts with the accounts of all shards of a workchain. Throws RangeError if the shards do not cover the workchain. */
export const joinShards = (parts: readonly ShardPart[]): Cell | undefined => {
  const edge = joined(parts, pathBuffer(KEY_BITS), 0)
  return edge && cellOf(edge, 0)
}
