import { createLink, type Message } from '../../../base/threads/link.ts'
import { packed } from '../../../base/threads/packed.ts'
import { transactionsWithCurves } from '../../../tvm/make-transaction.ts'
import { createCollator } from '../collator.ts'
import { createForkCollator } from '../fork/collator.ts'
import type { ExternalInput } from '../model.ts'
import { readExternal } from '../read-external.ts'
import { packStep } from '../store/append.ts'
import { createCellLog } from '../store/cell-log.ts'
import { waitingAt } from '../store/chain-store.ts'
import { openFetchedReads } from '../store/fetched-log.ts'
import { type LogReads, openLogReads } from '../store/log-file.ts'
import { withCells } from './cells.ts'
import {
  type CheckedMessages,
  type CheckRequest,
  COLLATOR_ERRORS,
  type CollatorData,
  type LooseExternal,
  type OtherInput,
  type StepAnswer,
  type StepRequest,
} from './protocol.ts'
import { givingSigns } from './signs-of-life.ts'
import { createTips } from './tips.ts'

/*
 * The part of the collator that runs in its thread. It reads states from the logs, makes blocks, and packs their new cells for the chain's log. It writes
 * no files.
 */

const externalsOf = (externals: StepRequest['externals'], log: LogReads): ExternalInput[] =>
  externals.map((each) => (typeof each === 'number' ? readExternal(waitingAt(log, each).boc) : (withCells(each) as LooseExternal)))

export const hostCollator = (data: CollatorData, send: (message: Message) => void): ((message: unknown) => void) => {
  const { validatorSeed, globalId } = data
  const log = openLogReads(data.log)
  const fetched = data.fetched === undefined ? undefined : openFetchedReads(data.fetched)
  const cells = createCellLog(log.readInto, fetched)
  const create = fetched === undefined ? createCollator : createForkCollator
  const collator = create({ make: transactionsWithCurves(), validatorSeed, globalId })
  const tips = createTips(cells, fetched)
  const working = givingSigns(() => link.tell('alive', undefined))
  const link = createLink(
    {
      send(message) {
        send(message)
        return true
      },
    },
    {
      step: (request: StepRequest, signal) =>
        working(async (): Promise<StepAnswer> => {
          const from = tips.at(request)
          const input = { ...(withCells(request.rest) as OtherInput), externals: externalsOf(request.externals, log) }
          const step = packStep(cells, await collator.step(from, input, signal), from)
          tips.keep(step)
          const { bytes, floats, roots } = step.cells
          return packed({ ...step, cells: { bytes, floats, roots } })
        }),
      check: (request: CheckRequest, signal) =>
        working(() => {
          const [message, ...earlier] = withCells(request.messages) as CheckedMessages
          return collator.check(tips.at(request), message, request.utime, signal, earlier)
        }),
    },
    {},
    COLLATOR_ERRORS,
  )
  return link.receive
}
