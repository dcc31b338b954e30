import { sameBlock } from '../../../tlb/ids.ts'
import type { Waiting } from '../mempool.ts'
import type { BlockStore, ChainTip, MadeBlock, Step, StoredBlock } from '../model.ts'
import type { ChainStore } from '../store/chain-store.ts'

/*
 * Steps that are made and not written yet, so that tests see shard blocks that no masterchain block names. They are made on top of each other. Queries find
 * their blocks by full id, as a lite-server with `--nonfinal-ls` finds blocks that are not applied.
 */

/** As many blocks before the masterchain as readers follow back. */
export const MAX_WITHHELD = 20

interface WithheldStep {
  readonly step: Step
  /** External messages of the step. They stay in the log as waiting until the step is written. */
  readonly externals: readonly Waiting[]
}

export interface WithheldSteps {
  /** Whether new steps are withheld. */
  isOn(): boolean
  setOn(on: boolean): void
  isEmpty(): boolean
  isFull(): boolean
  count(): number
  /** The last step, written or not. */
  tip(): ChainTip
  add(step: Step, externals: readonly Waiting[]): void
  /** Writes all steps in their order. `waiting`: log offsets of the messages that are in no step. Throws if the disk takes no more; the rest stays withheld. */
  write(waiting: readonly number[]): void
  /** Drops all steps: their blocks never come into the chain. */
  clear(): void
  /** The newest shard block, as getPendingShardBlocks lists it. */
  newest(): readonly StoredBlock['id'][]
  /** The store, with the blocks and states of these steps. */
  readonly blocks: BlockStore
}

export const createWithheldSteps = (store: ChainStore): WithheldSteps => {
  let isOn = false
  let steps: readonly WithheldStep[] = []
  const find = (id: StoredBlock['id']): (MadeBlock & Pick<StoredBlock, 'signatures'>) | undefined => {
    for (const { step } of steps) {
      if (sameBlock(step.shard.id, id)) return step.shard
      if (sameBlock(step.master.id, id)) return { ...step.master, signatures: step.signatures }
    }
    return undefined
  }
  return {
    isOn: () => isOn,
    setOn(on) {
      isOn = on
    },
    isEmpty: () => steps.length === 0,
    isFull: () => steps.length >= MAX_WITHHELD,
    count: () => steps.length,
    tip: () => steps.at(-1)?.step.tip ?? store.tip(),
    add(step, externals) {
      steps = [...steps, { step, externals }]
    },
    write(waiting) {
      for (let next = steps[0]; next !== undefined; next = steps[0]) {
        const later = steps.slice(1)
        store.appendStep(next.step, [...waiting, ...later.flatMap(({ externals }) => externals.map(({ at }) => at))])
        steps = later
      }
    },
    clear() {
      steps = []
    },
    newest: () => steps.slice(-1).map(({ step }) => step.shard.id),
    blocks: {
      ...store,
      block: async (id) => find(id) ?? (await store.block(id)),
      state: async (id) => find(id)?.state ?? (await store.state(id)),
    },
  }
}
