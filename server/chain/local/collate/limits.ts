import type { BlockLimits, ParamLimits } from '../../../tlb/config/limits.ts'
import type { ShardState } from '../../../tlb/state/shard-state.ts'
import { MANY_CELLS } from '../../../tvm/executor/transaction-run.ts'

/** Maximum number of transactions of one block, even if the configuration allows more. This bounds the memory of block production. */
const MAX_TRANSACTIONS = 20_000

/**
 * An account of MANY_CELLS is measured and hashed again after each of its transactions. That needs no gas, and 60,000 cells take more than half a second. So a
 * block adds up the cells of such accounts, once for each transaction, and takes internal messages up to the first sum and external ones up to the second.
 */
const MAX_STORED = { internal: 50_000, external: 100_000 } as const

/**
 * Number of bytes that a transaction adds to a block besides its own cells: its account in the state update and two dictionary entries. Measured on full
 * blocks.
 */
const PER_TRANSACTION = 250
/** Estimated bytes of a message's record: the envelope and a dictionary entry. */
const PER_MESSAGE = 120

/**
 * Compares a block's current contents with its limits. Internal messages are processed up to the soft limit, external messages up to the middle between
 * soft and hard limit (BlockLimitStatus of crypto/block/block.cpp: cl_normal and cl_soft). The size is an estimate, as in TON.
 */
export const createLimitStatus = (limits: BlockLimits, startLt: bigint, mayHold = MAX_TRANSACTIONS) => {
  let gas = 0
  let bytes = 2000
  let transactions = 0
  let stored = 0
  let endLt = startLt
  const below = (pick: (p: ParamLimits) => number, mayStore: number): boolean =>
    // One transaction always fits, so that limits that are too small make the chain slow but never stop it.
    transactions === 0 ||
    (transactions < mayHold &&
      stored < mayStore &&
      gas < pick(limits.gas) &&
      bytes < pick(limits.bytes) &&
      Number(endLt - startLt) < pick(limits.ltDelta))
  return {
    /** `cells`: those of the account after the transaction. */
    transaction(gasUsed: number, size: number, lt: bigint, cells: number): void {
      if (cells > MANY_CELLS) stored += cells
      gas += gasUsed
      bytes += size + PER_TRANSACTION
      transactions++
      if (lt > endLt) endLt = lt
    },
    message(): void {
      bytes += PER_MESSAGE
    },
    underloaded: (): boolean => below((p) => p.underload, MAX_STORED.internal),
    fitsInternal: (): boolean => below((p) => p.softLimit, MAX_STORED.internal),
    fitsExternal: (): boolean => below((p) => Math.floor((p.softLimit + p.hardLimit) / 2), MAX_STORED.external),
  }
}
export type LimitStatus = ReturnType<typeof createLimitStatus>

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
  return { overloadHistory: overload, underloadHistory: underload, wantSplit, wantMerge: !wantSplit && weight(underload) >= 0 }
}
