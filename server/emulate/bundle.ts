import { EmulationError, tookTooLong } from './error.ts'
import { checkWorkchain, deliverAll, type EmulationRun, firstOf, hasRoom, LIMITS, type Room } from './run.ts'
import type { BundleResult, EmulatedNode, Start } from './trace.ts'

/* Delivers messages of a request one after another, each together with all messages that it causes. */

interface Progress {
  readonly room: Room
  /** The step and the end lt of the last transaction. A step is a block of the emulation. */
  step: number
  lt: bigint
}

const deliver = async (run: EmulationRun, starts: readonly Start[], so: Progress, nodes: EmulatedNode[]): Promise<boolean> => {
  if (!hasRoom(so.room)) {
    const most = `${LIMITS.transactions} transactions and ${LIMITS.sent} messages sent by them`
    throw new EmulationError('limit', `a bundle has at most ${most}, and the messages before this one used them up`)
  }
  const first = firstOf({ starts }).map((each) => ({ ...each, step: each.step + so.step, lt: each.lt > so.lt ? each.lt : so.lt }))
  for (const { to } of first) checkWorkchain(to, run.base)
  const { isIncomplete, lastStep } = await deliverAll(run, first, nodes, so.room)
  so.step = lastStep
  return isIncomplete
}

const count = (so: Progress, nodes: readonly EmulatedNode[]): void => {
  for (const { transaction } of nodes) {
    const end = transaction.lt + BigInt(transaction.outMsgs.length) + 1n
    if (end > so.lt) so.lt = end
  }
}

/** Delivers each group of messages, and returns one result for each. `isLate` returns whether the emulation has timed out. */
export const deliverEach = async (
  run: EmulationRun,
  groups: readonly (readonly Start[])[],
  isLate: () => boolean,
): Promise<BundleResult[]> => {
  const so: Progress = { room: { transactions: LIMITS.transactions, sent: LIMITS.sent }, step: 0, lt: 0n }
  const results: BundleResult[] = []
  for (const starts of groups) {
    const nodes: EmulatedNode[] = []
    try {
      if (isLate()) throw tookTooLong(undefined)
      results.push({ nodes, isIncomplete: await deliver(run, starts, so, nodes), isLate: false, error: undefined })
    } catch (error) {
      const failure = isLate() ? tookTooLong(error) : error
      if (!(failure instanceof EmulationError)) throw failure
      const hasBegun = nodes.length > 0
      results.push({ nodes, isIncomplete: hasBegun, isLate: isLate(), error: hasBegun ? undefined : failure })
    }
    count(so, nodes)
  }
  return results
}
