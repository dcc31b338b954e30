import type { Cell } from '../../../cell/cell.ts'
import { electionTimes, stakeLimits, validatorCounts } from '../../../tlb/config/consensus.ts'
import { configParam, loadWhole } from '../../../tlb/config/dict.ts'
import { loadValidatorSet, type ValidatorSet } from '../../../tlb/config/validator-set.ts'
import { bytes, keyBytes, line, maybe, maybeBytes } from '../../derive/rows/text.ts'
import { attempt } from '../contracts/read.ts'
import type { ExtensionContext } from '../topic.ts'

/* Validator sets in the configuration: the previous, current and next set, and the temporary set for each of them. */

const SETS = [32, 33, 34, 35, 36, 37]

export interface CycleRows {
  readonly validator_cycles: readonly string[]
  readonly validator_cycle_members: readonly string[]
}

const memberRows = (hash: string, set: ValidatorSet, mcSeqno: number): readonly string[] =>
  set.list.map(({ publicKey, weight, adnlAddr }, i) =>
    line([keyBytes(hash), String(i), String(mcSeqno), bytes(publicKey), maybeBytes(adnlAddr), String(weight)]),
  )

/** Rows of the validator sets in a configuration that are not stored yet. `param`: returns the cell of a parameter. */
export const cycleRows = async (
  param: (number: number) => Promise<Cell | undefined>,
  mcSeqno: number,
  context: Pick<ExtensionContext, 'rows'>,
): Promise<CycleRows> => {
  const sets = new Map<string, Cell>()
  for (const number of SETS) {
    const cell = await param(number)
    if (cell !== undefined) sets.set(cell.hashKey(), cell)
  }
  const known = await context.rows<{ set_hash: Buffer }>('select set_hash from validator_cycles where set_hash = any($1::bytea[])', [
    [...sets.keys()].map((hash) => Buffer.from(hash, 'latin1')),
  ])
  for (const { set_hash } of known) sets.delete(set_hash.toString('latin1'))
  if (sets.size === 0) return { validator_cycles: [], validator_cycle_members: [] }
  const read = async <T>(number: number, field: { readonly load: Parameters<typeof loadWhole<T>>[1] }): Promise<T | undefined> => {
    const cell = await param(number)
    return cell && attempt(() => loadWhole(cell, field.load))
  }
  const times = await read(15, electionTimes)
  const counts = await read(16, validatorCounts)
  const stakes = await read(17, stakeLimits)
  const cycles: string[] = []
  const members: string[] = []
  for (const [hash, cell] of sets) {
    const set = attempt(() => loadValidatorSet(cell))
    if (set === undefined) continue
    cycles.push(
      line([
        keyBytes(hash),
        String(mcSeqno),
        String(set.utimeSince),
        String(set.utimeUntil),
        String(set.total),
        String(set.main),
        String(set.totalWeight),
        maybe(times?.validatorsElectedFor),
        maybe(times?.electionsStartBefore),
        maybe(times?.electionsEndBefore),
        maybe(times?.stakeHeldFor),
        maybe(counts?.maxValidators),
        maybe(counts?.maxMainValidators),
        maybe(counts?.minValidators),
        maybe(stakes?.minStake),
        maybe(stakes?.maxStake),
        maybe(stakes?.minTotalStake),
        maybe(stakes?.maxStakeFactor),
      ]),
    )
    members.push(...memberRows(hash, set, mcSeqno))
  }
  return { validator_cycles: cycles, validator_cycle_members: members }
}

/** Reads parameters from a given configuration. */
export const paramsOf =
  (config: Cell) =>
  async (number: number): Promise<Cell | undefined> =>
    configParam(config, number)
