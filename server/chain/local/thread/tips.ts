import { sameBlock } from '../../../tlb/ids.ts'
import type { ChainEnd, ChainTip } from '../model.ts'
import type { packStep } from '../store/append.ts'
import type { CellLog } from '../store/cell-log.ts'
import { MAX_READ, MAX_TOUCHED } from '../store/chain-store.ts'
import type { FetchedReads } from '../store/fetched-log.ts'
import { offsetOf } from '../store/packed-cells.ts'
import type { CheckRequest, TipInLog } from './protocol.ts'

type OwnStep = ReturnType<typeof packStep>
type End = TipInLog['shard']

/** Caches the newest tip (the last blocks and states) with the cells that were read below it. */
export const createTips = (cells: CellLog, fetched: FetchedReads | undefined) => {
  let newest: ChainTip | undefined
  /** The last step that this thread made. The step may not be in the log yet. */
  let made: OwnStep | undefined
  let touchedBefore = 0
  let readBefore = 0
  // Number of cells read so far, including those of a fork's fetched log. The newest states keep them in memory.
  const touched = (): number => cells.touched() + (fetched?.touched() ?? 0)

  const endOf = ({ id, endLt, utime }: ChainEnd, state: ChainTip['shard']['state']): ChainTip['shard'] => ({ id, endLt, utime, state })
  const read = ({ shard, master, keyBlockSeqno }: TipInLog, before: ChainTip | undefined): ChainTip => {
    const stateOf = ({ place }: End, old: ChainTip['shard'] | undefined) =>
      old === undefined ? cells.load(place) : cells.follow(place, old.state)
    return {
      shard: endOf(shard, stateOf(shard, before?.shard)),
      master: endOf(master, stateOf(master, before?.master)),
      keyBlockSeqno,
    }
  }
  /** The last blocks and states after a step that was made here, once the step is in the log. */
  const written = ({ cells: own }: OwnStep, { shard, master, keyBlockSeqno }: TipInLog): ChainTip => {
    const [shardState, masterState] = own.land(offsetOf(own, [shard.place, master.place]))
    return { shard: endOf(shard, shardState!), master: endOf(master, masterState!), keyBlockSeqno }
  }
  const isAt = (tip: { readonly master: ChainEnd } | undefined, { master }: TipInLog): boolean =>
    tip !== undefined && sameBlock(tip.master.id, master.id)

  return {
    at: ({ tip: requested, fetchedTo }: Pick<CheckRequest, 'tip' | 'fetchedTo'>): ChainTip => {
      fetched?.readTo(fetchedTo)
      if (newest !== undefined && isAt(newest, requested)) {
        if (touched() - readBefore <= MAX_READ) return newest
        // Checks of messages to many accounts have read many cells. Loading the states again frees these cells.
        newest = read(requested, undefined)
        touchedBefore = readBefore = touched()
        return newest
      }
      const isLarge = touched() - touchedBefore > MAX_TOUCHED
      if (isLarge) touchedBefore = touched()
      newest =
        made !== undefined && isAt(made, requested) && !isLarge ? written(made, requested) : read(requested, isLarge ? undefined : newest)
      made = undefined
      readBefore = touched()
      return newest
    },
    keep: (step: OwnStep): void => {
      made = step
    },
  }
}
