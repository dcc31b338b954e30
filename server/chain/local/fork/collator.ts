import { runSteps } from '../../../base/yield.ts'
import { AbsentCellError } from '../../../cell/absent.ts'
import { augGet, loadAugE } from '../../../cell/aug.ts'
import { type AccountId, MASTERCHAIN } from '../../../tlb/ids.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import { accountsOfState } from '../../../tlb/state/shard-state.ts'
import { receiversWaitingAt } from '../collate/queue.ts'
import { createCollator, namedBy } from '../collator.ts'
import { keyOf } from '../hash-keys.ts'
import type { ChainTip, Collator, CollatorDeps } from '../model.ts'
import { nameOfPath } from './dictionary-paths.ts'
import type { Fork } from './fork.ts'
import { presentLibraries } from './present-libraries.ts'

/*
 * Blocks of a fork. The collator makes them from fetched cells and reports missing cells. `fetching` fetches the missing cells and starts the block again.
 */

/** Reads the given accounts. Returns one AbsentCellError for each missing path. Yields after each account. */
function* lackingAt(tip: ChainTip, accounts: readonly AccountId[]): Generator<void, readonly AbsentCellError[]> {
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
    yield
  }
  return [...found.values()]
}

/**
 * Makes blocks of a fork. A step rejects with AbsentCellError if it needs a cell that was not fetched. Accounts that its input names are checked first, so
 * that one error lists all missing paths. A step that leaves messages in a queue reports their missing receivers in `lacking`.
 */
export const createForkCollator = (deps: Omit<CollatorDeps, 'libraries'>): Collator => {
  const { step, check } = createCollator({ ...deps, libraries: presentLibraries })
  return {
    step: async (tip, input, signal) => {
      const [first, ...others] = await runSteps(lackingAt(tip, namedBy(input)), signal)
      if (first !== undefined) throw first.withOthers(others.map(({ at }) => at))
      const made = await step(tip, input, signal)
      if (!made.pending) return made
      const receivers = await runSteps(receiversWaitingAt(made.tip), signal)
      return { ...made, lacking: (await runSteps(lackingAt(made.tip, receivers), signal)).map(({ at }) => at) }
    },
    check,
  }
}

/**
 * Makes blocks of a fork and fetches the cells that they lack. A block that lacks a cell is aborted and restarted after the fetch, so nothing is fetched
 * while a block is made. If messages stay in a queue, their receivers are fetched before the block is written: a message whose receiver cannot be fetched
 * would stop every later block.
 */
export const fetching = (collator: Collator, { fetcher, opening }: Pick<Fork, 'fetcher' | 'opening'>): Collator => ({
  step: async (tip, input, signal) => {
    const made = await opening(() => collator.step(tip, input, signal), signal)
    if (made.lacking !== undefined) await fetcher.fetch(made.lacking, signal)
    return made
  },
  check: (tip, message, utime, signal, earlier) => opening(() => collator.check(tip, message, utime, signal, earlier), signal),
})
