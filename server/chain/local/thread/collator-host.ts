import { createLink, type Message } from '../../../base/threads/link.ts'
import { packed } from '../../../base/threads/packed.ts'
import { sameBlock } from '../../../tlb/ids.ts'
import { transactionsWithCurves } from '../../../tvm/make-transaction.ts'
import { CHAIN_ERRORS } from '../../remade-errors.ts'
import { createCollator } from '../collator.ts'
import type { ChainEnd, ChainTip, ExternalInput } from '../model.ts'
import { readExternal } from '../read-external.ts'
import { packStep } from '../store/append.ts'
import { type CellLog, createCellLog } from '../store/cell-log.ts'
import { MAX_TOUCHED, waitingAt } from '../store/chain-store.ts'
import { type LogReads, openLogReads } from '../store/log-file.ts'
import { offsetOf } from '../store/packed-cells.ts'
import { withCells } from './cells.ts'
import type {
  CheckedMessages,
  CheckRequest,
  CollatorData,
  LooseExternal,
  OtherInput,
  StepAnswer,
  StepRequest,
  TipInLog,
} from './protocol.ts'

/* The side of the thread that makes blocks. It reads states from the log, collates, and packs what is new for the log. It writes nothing. */

type OwnStep = ReturnType<typeof packStep>
type End = TipInLog['shard']

/** The tips that this thread is asked for. It keeps the newest one, with the cells that were read of it. */
const createTips = (cells: CellLog) => {
  let newest: ChainTip | undefined
  /** The step that was made last, of which it is not known whether it was written. */
  let made: OwnStep | undefined
  let touchedBefore = 0

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
  /** The tip after the step that was made here, when it has been written. */
  const written = ({ cells: own }: OwnStep, { shard, master, keyBlockSeqno }: TipInLog): ChainTip => {
    const [shardState, masterState] = own.land(offsetOf(own, [shard.place, master.place]))
    return { shard: endOf(shard, shardState!), master: endOf(master, masterState!), keyBlockSeqno }
  }
  const isAt = (tip: { readonly master: ChainEnd } | undefined, { master }: TipInLog): boolean =>
    tip !== undefined && sameBlock(tip.master.id, master.id)

  return {
    at: (asked: TipInLog): ChainTip => {
      if (newest !== undefined && isAt(newest, asked)) return newest
      const isLarge = cells.touched() - touchedBefore > MAX_TOUCHED
      if (isLarge) touchedBefore = cells.touched()
      newest = made !== undefined && isAt(made, asked) && !isLarge ? written(made, asked) : read(asked, isLarge ? undefined : newest)
      made = undefined
      return newest
    },
    keep: (step: OwnStep): void => {
      made = step
    },
  }
}

const externalsOf = (externals: StepRequest['externals'], log: LogReads): ExternalInput[] =>
  externals.map((each) => (typeof each === 'number' ? readExternal(waitingAt(log, each).boc) : (withCells(each) as LooseExternal)))

/** Makes blocks for another thread; returns what takes that thread's messages. */
export const hostCollator = (data: CollatorData, send: (message: Message) => void): ((message: unknown) => void) => {
  const { validatorSeed, globalId } = data
  const log = openLogReads(data.log)
  const cells = createCellLog(log.readInto)
  const collator = createCollator({ make: transactionsWithCurves(), validatorSeed, globalId })
  const tips = createTips(cells)
  const link = createLink(
    {
      send(message) {
        send(message)
        return true
      },
    },
    {
      async step({ tip, externals, rest }: StepRequest, signal): Promise<StepAnswer> {
        const from = tips.at(tip)
        const input = { ...(withCells(rest) as OtherInput), externals: externalsOf(externals, log) }
        const step = packStep(cells, await collator.step(from, input, signal), from)
        tips.keep(step)
        const { bytes, floats, roots } = step.cells
        return packed({ ...step, cells: { bytes, floats, roots } })
      },
      check({ tip, utime, messages }: CheckRequest, signal) {
        const [message, ...earlier] = withCells(messages) as CheckedMessages
        return collator.check(tips.at(tip), message, utime, signal, earlier)
      },
    },
    {},
    CHAIN_ERRORS,
  )
  return link.receive
}
