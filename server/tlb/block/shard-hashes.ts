import { type Budget, spendCell } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries, dictGet } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { WHOLE_SHARD } from '../ids.ts'
import { loadShardDescr, type ShardDescr, storeShardDescr } from './shard-descr.ts'
import { shardChildren, shardContains } from './shard-ident.ts'

/*
 * bt_leaf$0 {X:Type} leaf:X = BinTree X;
 * bt_fork$1 {X:Type} left:^(BinTree X) right:^(BinTree X) = BinTree X;
 * _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes;
 */

const MAX_SPLIT = 60

export interface ShardEntry {
  readonly workchain: number
  /** Unsigned shard prefix with its terminating bit. */
  readonly shard: bigint
  readonly descr: ShardDescr
}

/** Maximum number of cells on all paths of ShardHashes. A node has no such limit, but TON splits a workchain into at most 256 shards. */
const MAX_CELLS = 1 << 12

type VisitShard = (workchain: number, shard: bigint, descr: Slice) => void

/* Visits the shards of one workchain, depth first from left to right. The tree is at most 60 levels deep. */
const visitTree = (cell: Cell, workchain: number, shard: bigint, depth: number, budget: Budget, visit: VisitShard): void => {
  spendCell(budget)
  if (depth > MAX_SPLIT) throw new CellError('range', 'ShardHashes: a shard prefix of more than 60 bits')
  const s = cell.slice()
  if (!s.loadBit()) {
    visit(workchain, shard, s)
    return
  }
  const [left, right] = shardChildren(shard)
  visitTree(s.loadRef(), workchain, left, depth + 1, budget, visit)
  visitTree(s.loadRef(), workchain, right, depth + 1, budget, visit)
}

const workchainOf = (key: bigint): number => Number(BigInt.asIntN(32, key))

/** Visits all shards of ShardHashes (root of Hashmap 32 ^(BinTree ShardDescr)), by workchain, then left to right. */
export const visitShards = (root: Cell | undefined, visit: VisitShard): void => {
  const budget = { cells: MAX_CELLS }
  for (const [key, value] of dictEntries(root, 32, budget)) visitTree(value.loadRef(), workchainOf(key), WHOLE_SHARD, 0, budget, visit)
}

/** All shards of ShardHashes, by workchain, then left to right. */
export const shardEntries = (root: Cell | undefined): ShardEntry[] => {
  const entries: ShardEntry[] = []
  visitShards(root, (workchain, shard, s) => entries.push({ workchain, shard, descr: loadShardDescr(s) }))
  return entries
}

/**
 * Finds `shard` in ShardHashes. If it is missing and `exact` is false, finds the shard that contains `shard`, or else the left-most shard inside `shard`.
 * Reads only the cells on the path.
 */
export const findShard = (root: Cell | undefined, workchain: number, shard: bigint, exact: boolean): ShardEntry | undefined => {
  let cell = dictGet(root, 32, BigInt.asUintN(32, BigInt(workchain)))?.loadRef()
  let at = WHOLE_SHARD
  for (let depth = 0; cell !== undefined && depth <= MAX_SPLIT; depth++) {
    const s = cell.slice()
    if (!s.loadBit()) {
      if (exact && at !== shard) return undefined
      return { workchain, shard: at, descr: loadShardDescr(s) }
    }
    if (exact && at === shard) return undefined
    const [left, right] = shardChildren(at)
    const goRight = at !== shard && shardContains(right, shard)
    if (!goRight && at !== shard && !shardContains(left, shard) && !shardContains(shard, at)) return undefined
    at = goRight ? right : left
    cell = s.preloadRef(goRight ? 1 : 0)
  }
  return undefined
}

/* The tree of the shards within `at`: a leaf if the only shard is `at` itself, else a fork of the shards in its left and right half. */
const storeTree = (entries: readonly ShardEntry[], at: bigint): Cell => {
  const [only] = entries
  if (only === undefined) throw new CellError('range', `ShardHashes: no shard covers 0x${at.toString(16)}`)
  if (entries.length === 1 && only.shard === at) return storeShardDescr(beginCell().storeBit(0), only.descr).end()
  const [left, right] = shardChildren(at)
  const low = entries.filter((entry) => shardContains(left, entry.shard))
  const high = entries.filter((entry) => shardContains(right, entry.shard))
  if (low.length + high.length !== entries.length) throw new CellError('range', `ShardHashes: shards overlap at 0x${at.toString(16)}`)
  return beginCell().storeBit(1).storeRef(storeTree(low, left)).storeRef(storeTree(high, right)).end()
}

/** Root of ShardHashes; undefined for no shards. Throws CellError 'range' if the shards do not cover each of their workchains exactly once. */
export const storeShardEntries = (entries: Iterable<ShardEntry>): Cell | undefined => {
  const byWorkchain = new Map<number, ShardEntry[]>()
  for (const entry of entries) {
    const shards = byWorkchain.get(entry.workchain)
    if (shards === undefined) byWorkchain.set(entry.workchain, [entry])
    else shards.push(entry)
  }
  return dictFromEntries(
    32,
    [...byWorkchain].map(
      ([workchain, shards]) => [BigInt.asUintN(32, BigInt(workchain)), beginCell().storeRef(storeTree(shards, WHOLE_SHARD))] as const,
    ),
  )
}
