import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { rowsOf, type TableRows } from '../../../store/rows/copy-rows.ts'
import { select } from '../../../store/schema/select.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { validatorCycleMembers, validatorCycles } from '../../../store/schema/validator-cycles.ts'
import { loadWhole } from '../../../tlb/config/config-dictionary.ts'
import { electionTimes, stakeLimits, validatorCounts } from '../../../tlb/config/elections.ts'
import { loadValidatorSet, type ValidatorSet } from '../../../tlb/config/validator-set.ts'
import type { TopicContext } from '../topic.ts'

/* Validator sets in the configuration: the previous, current and next set, and the temporary set for each of them. */

const SETS = [32, 33, 34, 35, 36, 37]

const STORED = select(validatorCycles, ['set_hash'], 'where set_hash = any($1::bytea[])')

type CycleRow = WriteRow<typeof validatorCycles>
type MemberRow = WriteRow<typeof validatorCycleMembers>

const memberRows = (hash: string, set: ValidatorSet, mcSeqno: number): readonly MemberRow[] =>
  set.list.map(({ publicKey, weight, adnlAddr }, i) => ({
    set_hash: hash,
    validator_index: i,
    mc_seqno: mcSeqno,
    pubkey: publicKey,
    adnl: adnlAddr,
    weight,
  }))

/** Rows of a configuration's validator sets, without the sets that are already stored. `param`: returns the cell of a parameter. */
export const cycleRows = async (
  param: (number: number) => Promise<Cell | undefined> | Cell | undefined,
  mcSeqno: number,
  context: Pick<TopicContext, 'rows'>,
): Promise<readonly TableRows[]> => {
  const sets = new Map<string, Cell>()
  for (const number of SETS) {
    const cell = await param(number)
    if (cell !== undefined) sets.set(cell.hashKey(), cell)
  }
  const storedSets = await context.rows(STORED, [[...sets.keys()].map((hash) => Buffer.from(hash, 'latin1'))])
  for (const { set_hash } of storedSets) sets.delete(set_hash.toString('latin1'))
  if (sets.size === 0) return []
  const read = async <T>(number: number, field: { readonly load: Parameters<typeof loadWhole<T>>[1] }): Promise<T | undefined> => {
    const cell = await param(number)
    return cell && attempt(() => loadWhole(cell, field.load))
  }
  const times = await read(15, electionTimes)
  const counts = await read(16, validatorCounts)
  const stakes = await read(17, stakeLimits)
  const cycles: CycleRow[] = []
  const members: MemberRow[] = []
  for (const [hash, cell] of sets) {
    const set = attempt(() => loadValidatorSet(cell))
    if (set === undefined) continue
    cycles.push({
      set_hash: hash,
      mc_seqno: mcSeqno,
      utime_since: set.utimeSince,
      utime_until: set.utimeUntil,
      total: set.total,
      main: set.main,
      total_weight: set.totalWeight,
      elected_for: times?.validatorsElectedFor,
      elections_start_before: times?.electionsStartBefore,
      elections_end_before: times?.electionsEndBefore,
      stake_held_for: times?.stakeHeldFor,
      max_validators: counts?.maxValidators,
      max_main_validators: counts?.maxMainValidators,
      min_validators: counts?.minValidators,
      min_stake: stakes?.minStake,
      max_stake: stakes?.maxStake,
      min_total_stake: stakes?.minTotalStake,
      max_stake_factor: stakes?.maxStakeFactor,
    })
    members.push(...memberRows(hash, set, mcSeqno))
  }
  return [rowsOf(validatorCycles, cycles), rowsOf(validatorCycleMembers, members)]
}
