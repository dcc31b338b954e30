import type { BlockLimits, ParamLimits } from '../../../tlb/config/limits.ts'

/** Maximum number of transactions of one block, even if the configuration allows more. This bounds the memory of block production. */
const MAX_TRANSACTIONS = 20_000

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
  let endLt = startLt
  const below = (pick: (p: ParamLimits) => number): boolean =>
    // One transaction always fits, so that limits that are too small make the chain slow but never stop it.
    transactions === 0 ||
    (transactions < mayHold && gas < pick(limits.gas) && bytes < pick(limits.bytes) && Number(endLt - startLt) < pick(limits.ltDelta))
  return {
    transaction(gasUsed: number, size: number, lt: bigint): void {
      gas += gasUsed
      bytes += size + PER_TRANSACTION
      transactions++
      if (lt > endLt) endLt = lt
    },
    message(): void {
      bytes += PER_MESSAGE
    },
    underloaded: (): boolean => below((p) => p.underload),
    fitsInternal: (): boolean => below((p) => p.softLimit),
    fitsExternal: (): boolean => below((p) => Math.floor((p.softLimit + p.hardLimit) / 2)),
  }
}
export type LimitStatus = ReturnType<typeof createLimitStatus>
