import { AbsentCellError } from '../../../cell/absent.ts'
import { augGet, loadAugE } from '../../../cell/aug.ts'
import { type AccountId, MASTERCHAIN } from '../../../tlb/ids.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import { accountsOfState } from '../../../tlb/state/shard-state.ts'
import { keyOf } from '../bytes.ts'
import type { ChainTip, Collator, StepInput } from '../model.ts'
import type { Fork } from './fork.ts'
import { placeOf } from './trees.ts'

const isPresent = (tip: ChainTip, { workchain, hash }: AccountId): boolean => {
  const { state } = workchain === MASTERCHAIN ? tip.master : tip.shard
  try {
    augGet(shardAccountsAug, loadAugE(accountsOfState(state).slice(), shardAccountsAug), keyOf(hash))
    return true
  } catch (error) {
    if (error instanceof AbsentCellError) return false
    throw error
  }
}

/** The accounts that a step's input names. */
const namedBy = ({ externals, internals, accounts }: StepInput): readonly AccountId[] => [
  ...externals.map(({ dest }) => dest),
  ...internals.map(({ to }) => to),
  ...accounts.map(({ account }) => account),
]

/**
 * A collator of a fork. It fetches the accounts of the input before a block is begun. If the block needs others, it is given up and begun again when they
 * have been fetched. So nothing is fetched while a block is made.
 */
export const createFetchingCollator = (collator: Collator, { fetcher, opening }: Pick<Fork, 'fetcher' | 'opening'>): Collator => ({
  step: async (tip, input, signal) => {
    const lacking = namedBy(input).filter((id) => !isPresent(tip, id))
    if (lacking.length > 0) await fetcher.fetch(lacking.map(placeOf), signal)
    return opening(() => collator.step(tip, input, signal), signal)
  },
  check: (tip, message, utime, signal, earlier) => opening(() => collator.check(tip, message, utime, signal, earlier), signal),
})
