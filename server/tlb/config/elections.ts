import { coins, type Field, type RecordOf, record, u16, u32 } from '../record-layout.ts'

/*
 * _ validators_elected_for:uint32 elections_start_before:uint32 elections_end_before:uint32 stake_held_for:uint32 = ConfigParam 15;
 * _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16;
 * _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17;
 */

const times = { validatorsElectedFor: u32, electionsStartBefore: u32, electionsEndBefore: u32, stakeHeldFor: u32 }
/** ConfigParam 15, seconds. */
export const electionTimes: Field<RecordOf<typeof times>> = record(times)

const counts = { maxValidators: u16, maxMainValidators: u16, minValidators: u16 }
/** ConfigParam 16. */
export const validatorCounts: Field<RecordOf<typeof counts>> = record(counts)

const stakes = { minStake: coins, maxStake: coins, minTotalStake: coins, maxStakeFactor: u32 }
/** ConfigParam 17: nanograms; the factor is 16.16 fixed point. */
export const stakeLimits: Field<RecordOf<typeof stakes>> = record(stakes)
