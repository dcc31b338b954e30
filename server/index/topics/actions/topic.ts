import type { Classification } from '../../../actions/action.ts'
import type { Facts } from '../../../actions/facts.ts'
import { base64Of, type Trace } from '../../../actions/trace.ts'
import { runSteps } from '../../../base/yield.ts'
import { classifyInParts } from '../../../protocols/index.ts'
import { rowsOf, type TableRows } from '../../../store/rows/copy-rows.ts'
import { actionAccounts, actions, traceClassifications } from '../../../store/schema/actions.ts'
import type { Topic, TopicContext } from '../topic.ts'
import { type FactSource, findFacts, havingMethodIn } from './facts.ts'
import { type CompleteTrace, createOpenTraces } from './open-traces.ts'
import { addRows, type Classified, noActionRows } from './rows.ts'
import { isTooLarge, MAX_BYTES, MAX_MESSAGES, MAX_TRANSACTIONS, sizeOf } from './trace-size.ts'

export function* classifyTrace(trace: Trace & Partial<CompleteTrace>, facts: Facts): Generator<void, Classification> {
  if (!(trace.isTooLarge ?? isTooLarge(yield* sizeOf(trace)))) return yield* classifyInParts(trace, facts)
  const most = `${MAX_TRANSACTIONS} transactions, ${MAX_MESSAGES} messages or ${MAX_BYTES} bytes of bodies`
  const error = new Error(`a trace of more than ${most} is not classified`)
  return { state: 'failed', actions: [], error }
}

/** Derives the rows of traces. `failed` is called for each trace whose actions are not found in full. */
export const classifyTraces = async (
  traces: Iterable<Omit<Classified, 'classification'>>,
  failed: (trace: string, error: unknown) => void,
): Promise<readonly TableRows[]> => {
  const rows = noActionRows()
  for (const each of traces) {
    const classification = await runSteps(classifyTrace(each.trace, each.facts))
    if (classification.state === 'failed') failed(base64Of(each.trace.id), classification.error)
    await runSteps(addRows(rows, { ...each, classification }))
  }
  return [rowsOf(traceClassifications, rows.classifications), rowsOf(actions, rows.actions), rowsOf(actionAccounts, rows.accounts)]
}

export const sourceOf = (context: TopicContext): FactSource => ({
  havingMethod: havingMethodIn((text, values) => context.rows(text, values)),
  owners: (keys) => context.owners(keys),
  accountRows: (of, keys) => context.accountRows(of, keys),
  async contents(keys, wants) {
    const views = await context.accounts(keys)
    if (wants === 'code')
      return views.map((view) => ({ codeHash: view?.codeHash, dataHash: view?.status === 'active' ? view.dataHash : undefined }))
    const active = views.filter((view) => view?.status === 'active')
    const states = await context.states(active.map((view) => view!))
    const data = new Map(active.map((view, i) => [view, states[i]?.data]))
    return views.map((view) => ({ data: data.get(view) }))
  },
  async run(key, method) {
    const [account] = await context.accounts([key])
    return account && context.run(account, method)
  },
})

/**
 * Derives the actions of traces when they complete. The rows have the version of the classifier, not `version`. A new classifier derives all actions again
 * in the background (rederive.ts), without rebuilding the index.
 */
export const actionsTopic: Topic = {
  name: 'actions',
  version: 1,
  isRederived: true,
  isUnread: true,
  tables: [traceClassifications, actions, actionAccounts],
  async derive(block, context) {
    for await (const traces of context.cached('actions.open', () => createOpenTraces()).add(block, context)) {
      const facts = await findFacts(sourceOf(context), traces)
      const withFacts = traces.map((trace, i) => ({ trace, facts: facts[i]!, factsSeqno: block.mcSeqno }))
      await context.put(await classifyTraces(withFacts, (trace, error) => context.failed(trace, error)))
    }
    return []
  },
}
