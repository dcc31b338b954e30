import type { AugSpec } from '../../cell/aug.ts'
import { loadAugE, storeAugE } from '../../cell/aug.ts'
import type { Builder } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag, expectTag } from '../common.ts'

/*
 * counters#_ last_updated:uint32 total:uint64 cnt2048:uint64 cnt65536:uint64 = Counters;
 * creator_info#4 mc_blocks:Counters shard_blocks:Counters = CreatorStats;
 * block_create_stats#17 counters:(HashmapE 256 CreatorStats) = BlockCreateStats;
 * block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32) = BlockCreateStats;
 */

/** Numbers of blocks. cnt2048 and cnt65536 are 32.32 fixed point, and decay over 2048 and 65536 seconds. */
export interface Counters {
  readonly lastUpdated: number
  readonly total: bigint
  readonly cnt2048: bigint
  readonly cnt65536: bigint
}
export interface CreatorStats {
  readonly mcBlocks: Counters
  readonly shardBlocks: Counters
}
export interface BlockCreateStats {
  /** True for block_create_stats_ext#34, in which each edge has the newest last_updated below it. */
  readonly ext: boolean
  /** Root of Hashmap(Aug) 256 CreatorStats by public key. */
  readonly counters: Cell | undefined
}

const loadCounters = (s: Slice): Counters => ({
  lastUpdated: s.loadUint(32),
  total: s.loadUintBig(64),
  cnt2048: s.loadUintBig(64),
  cnt65536: s.loadUintBig(64),
})

export const loadCreatorStats = (s: Slice): CreatorStats => {
  expectTag(s, 4, 4, 'CreatorStats')
  return { mcBlocks: loadCounters(s), shardBlocks: loadCounters(s) }
}

const newestUpdate = (stats: CreatorStats): number => Math.max(stats.mcBlocks.lastUpdated, stats.shardBlocks.lastUpdated)

/**
 * BlockCreateStats with extras (block_create_stats_ext#34). No network writes this form, and the node has no rule for combining the extras. Here the newer
 * update is used.
 */
const blockCreateStatsAug: AugSpec<number> = {
  n: 256,
  loadExtra: (s) => s.loadUint(32),
  storeExtra: (b, utime) => {
    b.storeUint(utime, 32)
  },
  combine: Math.max,
  leafExtra: (value) => newestUpdate(loadCreatorStats(value)),
  empty: 0,
}

export const loadBlockCreateStats = (s: Slice): BlockCreateStats => {
  const tag = s.loadUint(8)
  if (tag === 0x17) return { ext: false, counters: s.loadMaybeRef() }
  if (tag === 0x34) return { ext: true, counters: loadAugE(s, blockCreateStatsAug) }
  throw badTag('BlockCreateStats', tag)
}

export const storeBlockCreateStats = (b: Builder, stats: BlockCreateStats): Builder => {
  if (!stats.ext) return b.storeUint(0x17, 8).storeMaybeRef(stats.counters)
  storeAugE(b.storeUint(0x34, 8), blockCreateStatsAug, stats.counters)
  return b
}
