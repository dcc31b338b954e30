import type { ShardState } from '../../../tlb/state/shard-state.ts'
import type { LimitStatus } from './limits.ts'

/** Queue lengths of collator-impl.h: MERGE_MAX_QUEUE_SIZE, SPLIT_MAX_QUEUE_SIZE, FORCE_SPLIT_QUEUE_SIZE. */
const MERGE_MAX_QUEUE = 2047
const SPLIT_MAX_QUEUE = 100_000
const FORCE_SPLIT_QUEUE = 4096

const ones = (value: bigint): number => {
  let count = 0
  for (let rest = value; rest > 0n; rest >>= 1n) if (rest & 1n) count++
  return count
}

/** Collator::history_weight: recent blocks count more. If the result is 0 or more, want_split or want_merge is set. */
const weight = (history: bigint): number =>
  ones(history & 0xffffn) * 3 + ones(history & 0xffff0000n) * 2 + ones(history & 0xffff00000000n) - ((3 + 2 + 1) * 16 * 2) / 3

/**
 * The load histories of a state after another block, and want_split and want_merge of the block's header. Workchain 0 has min_split = max_split = 0, so no
 * shard ever splits or merges.
 */
export const historyAfter = (state: Pick<ShardState, 'overloadHistory' | 'underloadHistory'>, limits: LimitStatus, queueSize: number) => {
  let overload = BigInt.asUintN(64, state.overloadHistory << 1n)
  let underload = BigInt.asUintN(64, state.underloadHistory << 1n)
  if (!limits.fitsInternal()) {
    if (queueSize <= SPLIT_MAX_QUEUE) overload |= 1n
  } else if (limits.underloaded() && queueSize <= MERGE_MAX_QUEUE) underload |= 1n
  if (!(overload & 1n) && queueSize >= FORCE_SPLIT_QUEUE && queueSize <= SPLIT_MAX_QUEUE) overload |= 1n
  const wantSplit = weight(overload) >= 0
  return {
    overloadHistory: overload,
    underloadHistory: underload,
    wantSplit,
    wantMerge: !wantSplit && weight(underload) >= 0,
  }
}
