import { EmulationError, tookTooLong } from './error.ts'
import { checkWorkchain, deliverAll, type EmulationRun, firstOf, isFull, LIMITS, type Progress } from './run.ts'
import type { BundleResult, EmulatedNode, Start } from './trace.ts'

/* Delivers messages of a request one after another, each together with all messages that it causes. */

const deliver = async (run: EmulationRun, starts: readonly Start[], so: Progress, nodes: EmulatedNode[]): Promise<boolean> => {
  if (isFull(so)) {
    const most = `${LIMITS.transactions} transactions and ${LIMITS.sent} messages sent by them`
    throw new EmulationError('limit', `a bundle has at most ${most}, and the messages before this one used them up`)
  }
  const first = firstOf({ starts }).map((each) => ({ ...each, step: each.step + so.step, lt: each.lt > so.lt ? each.lt : so.lt }))
  for (const { to } of first) checkWorkchain(to, run.base)
  return await deliverAll(run, first, nodes, so)
}

/** Delivers each group of messages, and returns one result for each. `isLate` returns whether the emulation has timed out. */
export const deliverEach = async (
  run: EmulationRun,
  groups: readonly (readonly Start[])[],
  isLate: () => boolean,
): Promise<BundleResult[]> => {
  const so: Progress = { transactions: 0, sent: 0, step: 0, lt: 0n }
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
  }
  return results
}
