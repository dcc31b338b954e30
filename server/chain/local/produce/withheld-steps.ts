import { sameBlock } from '../../../tlb/ids.ts'
import type { Waiting } from '../mempool.ts'
import type { BlockStore, ChainTip, MadeBlock, Step, StoredBlock } from '../model.ts'
import type { ChainStore } from '../store/chain-store.ts'

/*
 * Blocks that are made but not yet written, so that tests can observe shard blocks that no masterchain block commits. A step is a shard block and the
 * masterchain block that commits it. Each step follows the previous step. Queries find withheld blocks by full id, as a lite-server with `--nonfinal-ls`
 * finds blocks that are not applied.
 */

/** Maximum number of withheld shard blocks. Readers follow shard blocks back to the masterchain at most this far. */
export const MAX_WITHHELD = 20

interface WithheldStep {
  readonly step: Step
  /** In the log these messages count as waiting until the step is written. */
  readonly externals: readonly Waiting[]
}

export const createWithheldSteps = (store: ChainStore) => {
  let isOn = false
  let steps: readonly WithheldStep[] = []
  const blocks: BlockStore = {
    ...store,
    block: async (id) => find(id) ?? (await store.block(id)),
    state: async (id) => find(id)?.state ?? (await store.state(id)),
  }
  const find = (id: StoredBlock['id']): (MadeBlock & Pick<StoredBlock, 'signatures'>) | undefined => {
    for (const { step } of steps) {
      if (sameBlock(step.shard.id, id)) return step.shard
      if (sameBlock(step.master.id, id)) return { ...step.master, signatures: step.signatures }
    }
    return undefined
  }
  return {
    isOn: (): boolean => isOn,
    setOn(on: boolean): void {
      isOn = on
    },
    isEmpty: (): boolean => steps.length === 0,
    isFull: (): boolean => steps.length >= MAX_WITHHELD,
    count: (): number => steps.length,
    /** The last blocks and states, including withheld ones. */
    tip: (): ChainTip => steps.at(-1)?.step.tip ?? store.tip(),
    add(step: Step, externals: readonly Waiting[]): void {
      steps = [...steps, { step, externals }]
    },
    /**
     * Writes all steps in order. `waiting`: log offsets of messages that no step includes. If a write fails, throws, and the steps that were not written stay
     * withheld.
     */
    async write(waiting: () => readonly number[]): Promise<void> {
      for (let next = steps[0]; next !== undefined; next = steps[0]) {
        const later = steps.slice(1)
        const packed = await store.packStep(next.step)
        await store.appendStep(next.step, [...waiting(), ...later.flatMap(({ externals }) => externals.map(({ at }) => at))], packed)
        steps = later
      }
    },
    clear(): void {
      steps = []
    },
    /** The newest withheld shard block, in the form of getPendingShardBlocks. */
    newest: (): readonly StoredBlock['id'][] => steps.slice(-1).map(({ step }) => step.shard.id),
    blocks,
  }
}
export type WithheldSteps = ReturnType<typeof createWithheldSteps>
