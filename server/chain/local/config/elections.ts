import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { storeWhole } from '../../../tlb/config/config-dictionary.ts'
import { catchainConfig, consensusConfig } from '../../../tlb/config/consensus.ts'
import { electionTimes, stakeLimits, validatorCounts } from '../../../tlb/config/elections.ts'
import { storeValidatorSet } from '../../../tlb/config/validator-set.ts'
import type { Validator } from '../validator.ts'

const FOREVER = 0xffffffff
const COIN = 1_000_000_000n

/** Elections, sessions and complaints: parameters 13, 15 to 17, 28 and 29. Most of them have no effect, because there are no elections. */
export const ELECTIONS: readonly (readonly [number, Cell])[] = [
  // complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing;
  [13, beginCell().storeUint(0x1a, 8).storeCoins(COIN).storeCoins(1n).storeCoins(500n).end()],
  [
    15,
    storeWhole(electionTimes, {
      validatorsElectedFor: 65_536,
      electionsStartBefore: 32_768,
      electionsEndBefore: 8192,
      stakeHeldFor: 32_768,
    }),
  ],
  [16, storeWhole(validatorCounts, { maxValidators: 400, maxMainValidators: 100, minValidators: 1 })],
  [17, storeWhole(stakeLimits, { minStake: COIN, maxStake: 10_000_000n * COIN, minTotalStake: COIN, maxStakeFactor: 3 << 16 })],
  [
    28,
    storeWhole(catchainConfig, {
      shuffleMcValidators: true,
      mcCatchainLifetime: 250,
      shardCatchainLifetime: 250,
      shardValidatorsLifetime: 1000,
      shardValidatorsNum: 23,
    }),
  ],
  [
    29,
    storeWhole(consensusConfig, {
      newCatchainIds: true,
      roundCandidates: 3,
      nextCandidateDelayMs: 2000,
      consensusTimeoutMs: 16_000,
      fastAttempts: 3,
      attemptDuration: 8,
      catchainMaxDeps: 4,
      maxBlockBytes: 2_097_152,
      maxCollatedBytes: 10_485_760,
      protoVersion: 5,
    }),
  ],
]

/** Parameter 34: the one validator, valid from `since` (unix seconds). */
export const validatorsParam = ({ descr }: Validator, since: number): Cell =>
  storeValidatorSet({ ext: true, utimeSince: since, utimeUntil: FOREVER, total: 1, main: 1, totalWeight: descr.weight, list: [descr] })
