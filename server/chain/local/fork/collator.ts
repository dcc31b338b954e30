import { AbsentCellError } from '../../../cell/absent.ts'
import { augGet, loadAugE } from '../../../cell/aug.ts'
import { type AccountId, MASTERCHAIN } from '../../../tlb/ids.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import { accountsOfState } from '../../../tlb/state/shard-state.ts'
import { keyOf } from '../bytes.ts'
import { receiversWaitingAt } from '../collate/queue.ts'
import { createCollator } from '../collator.ts'
import type { ChainTip, Collator, CollatorDeps, StepInput, StepMaker } from '../model.ts'
import type { Fork } from './fork.ts'
import { presentLibraries } from './libraries.ts'
import { nameOfPath } from './trees.ts'

/*
 * Blocks of a fork. The collator makes them from what was fetched, in whichever thread it is, and says what it lacks. What it lacks is fetched by the serving
 * thread, which then has the block made again.
 */

/** The accounts that a step's input names. */
const namedBy = ({ externals, internals, accounts, sends = [] }: StepInput): readonly AccountId[] => [
  ...externals.map(({ dest }) => dest),
  ...internals.map(({ to }) => to),
  ...accounts.map(({ account }) => account),
  ...sends.flatMap(({ from, to }) => [from, to]),
]

/** For each account whose path was not fetched, once, the error of a read of it. */
const lackingAt = (tip: ChainTip, accounts: readonly AccountId[]): readonly AbsentCellError[] => {
  const rootOf = ({ state }: ChainTip['shard']) => loadAugE(accountsOfState(state).slice(), shardAccountsAug)
  const [shard, master] = [rootOf(tip.shard), rootOf(tip.master)]
  const found = new Map<string, AbsentCellError>()
  for (const { workchain, hash } of accounts) {
    try {
      augGet(shardAccountsAug, workchain === MASTERCHAIN ? master : shard, keyOf(hash))
    } catch (error) {
      if (!(error instanceof AbsentCellError)) throw error
      found.set(nameOfPath(error.at), error)
    }
  }
  return [...found.values()]
}

/**
 * Makes blocks of a fork. A step rejects with AbsentCellError if something that it needs was not fetched: at once for the accounts that its input names, all
 * together. A step that leaves messages in a queue names their receivers that are missing.
 */
export const createForkCollator = (deps: Omit<CollatorDeps, 'libraries'>): Collator => {
  const { step, check } = createCollator({ ...deps, libraries: presentLibraries })
  return {
    step: async (tip, input, signal) => {
      const [first, ...others] = lackingAt(tip, namedBy(input))
      if (first !== undefined) throw first.withOthers(others.map(({ at }) => at))
      const made = await step(tip, input, signal)
      if (!made.pending) return made
      return { ...made, lacking: lackingAt(made.tip, receiversWaitingAt(made.tip)).map(({ at }) => at) }
    },
    check,
  }
}

/**
 * Has the blocks of a fork made, and fetches what they lack. A block that lacks something is given up and begun again when that has been fetched, so nothing is
 * fetched while a block is made. A step that leaves messages in a queue needs their receivers: a message whose receiver cannot be fetched would stop every
 * block after it. `maker`: a fork's collator in this thread or in another one.
 */
export const fetching = (maker: StepMaker, { fetcher, opening }: Pick<Fork, 'fetcher' | 'opening'>): StepMaker => ({
  step: async (tip, input, signal) => {
    const made = await opening(() => maker.step(tip, input, signal), signal)
    if (made.lacking !== undefined) await fetcher.fetch(made.lacking, signal)
    return made
  },
  check: (tip, message, utime, signal, earlier) => opening(() => maker.check(tip, message, utime, signal, earlier), signal),
})
