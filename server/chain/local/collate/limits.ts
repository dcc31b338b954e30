import type { BlockLimits, ParamLimits } from '../../../tlb/config/limits.ts'

/** Most transactions of one block, whatever the configuration allows: what a step holds in memory at once stays bounded. */
const MAX_TRANSACTIONS = 20_000

/** Bytes that a transaction costs beside itself: its account in the state update, its places in two dictionaries. Measured on full blocks. */
const PER_TRANSACTION = 250
/** Bytes of a message's record: envelope, place in a dictionary. */
const PER_MESSAGE = 120

/**
 * What a block holds so far against its limits. Internal messages are processed up to the soft limit, external ones are taken up to the middle of
 * soft and hard (BlockLimitStatus of crypto/block/block.cpp: cl_normal and cl_soft). The size is an estimate, as in TON.
 */
export const createLimitStatus = (limits: BlockLimits, startLt: bigint, mayHold = MAX_TRANSACTIONS) => {
  let gas = 0
  let bytes = 2000
  let transactions = 0
  let endLt = startLt
  const below = (pick: (p: ParamLimits) => number): boolean =>
    // One always fits: limits that are too small make a slow chain, not one that stands still with messages waiting.
    transactions === 0 ||
    (transactions < mayHold && gas < pick(limits.gas) && bytes < pick(limits.bytes) && Number(endLt - startLt) < pick(limits.ltDelta))
  return {
    transaction(gasUsed: number, size: number, lt: bigint): void {
      gas += gasUsed
      bytes += size + PER_TRANSACTION
      transactions++
      if (lt > endLt) endLt = lt
    },
    /** A record of a message: its envelope, its place in a dictionary. */
    message(): void {
      bytes += PER_MESSAGE
    },
    underloaded: (): boolean => below((p) => p.underload),
    fitsInternal: (): boolean => below((p) => p.softLimit),
    fitsExternal: (): boolean => below((p) => Math.floor((p.softLimit + p.hardLimit) / 2)),
  }
}
export type LimitStatus = ReturnType<typeof createLimitStatus>
