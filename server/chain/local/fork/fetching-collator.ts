import { AbsentCellError } from '../../../cell/absent.ts'
import { augGet, loadAugE } from '../../../cell/aug.ts'
import { type AccountId, MASTERCHAIN } from '../../../tlb/ids.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import { accountsOfState } from '../../../tlb/state/shard-state.ts'
import { keyOf } from '../bytes.ts'
import { receiversWaitingAt } from '../collate/queue.ts'
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
const namedBy = ({ externals, internals, accounts, sends = [] }: StepInput): readonly AccountId[] => [
  ...externals.map(({ dest }) => dest),
  ...internals.map(({ to }) => to),
  ...accounts.map(({ account }) => account),
  ...sends.flatMap(({ from, to }) => [from, to]),
]

/**
 * A collator of a fork. It fetches the accounts of the input before a block is begun. If the block needs others, it is given up and begun again when they
 * have been fetched. So nothing is fetched while a block is made. A step that leaves messages in a queue needs their receivers: a message whose receiver
 * cannot be fetched would stop every block after it.
 */
export const createFetchingCollator = (collator: Collator, { fetcher, opening }: Pick<Fork, 'fetcher' | 'opening'>): Collator => {
  const need = async (tip: ChainTip, accounts: readonly AccountId[], signal: AbortSignal): Promise<void> => {
    const lacking = accounts.filter((id) => !isPresent(tip, id))
    if (lacking.length > 0) await fetcher.fetch(lacking.map(placeOf), signal)
  }
  return {
    step: async (tip, input, signal) => {
      await need(tip, namedBy(input), signal)
      const made = await opening(() => collator.step(tip, input, signal), signal)
      if (made.pending) await need(made.tip, receiversWaitingAt(made.tip), signal)
      return made
    },
    check: (tip, message, utime, signal, earlier) => opening(() => collator.check(tip, message, utime, signal, earlier), signal),
  }
}
