import type { Action, Classification } from './action.ts'
import { actionsOf } from './collect.ts'
import { ghostTree } from './external.ts'
import type { Facts } from './facts.ts'
import { foldDeposits } from './fold.ts'
import { type Matcher, Run } from './matcher.ts'
import { FAILED_EXTERNAL_MATCHERS, MATCHERS } from './order.ts'
import type { Budget } from './pattern.ts'
import type { Step } from './step.ts'
import type { Trace } from './trace.ts'
import { type Tree, treeOf } from './tree.ts'

/** Raised when traces are told in another way than before: the index then derives the actions that it has again. */
export const CLASSIFIER_VERSION = 1

/** Steps of work that one trace may cost: some, and so many for each of its transactions. Honest traces need a tenth. */
const workFor = ({ transactions }: Trace): Budget => ({ left: 20_000 + 500 * transactions.length })

const steps = (root: Step): Step[] => [...root.walk()].slice(1)

/** All that can be told of a trace where nothing else can. Its id is that of the trace. */
const unknown = ({ id, transactions }: Trace): Action => {
  const lts = transactions.map(({ lt }) => lt)
  const utimes = transactions.map(({ now }) => now)
  const none = { source: null, sourceSecondary: null, destination: null, destinationSecondary: null }
  const noAssets = { asset: null, assetSecondary: null, asset2: null, asset2Secondary: null }
  return {
    id,
    type: 'unknown',
    startLt: lts.reduce((a, b) => (a < b ? a : b)),
    endLt: lts.reduce((a, b) => (a > b ? a : b)),
    startUtime: utimes.reduce((a, b) => Math.min(a, b)),
    endUtime: utimes.reduce((a, b) => Math.max(a, b)),
    mcSeqnoEnd: transactions.reduce((max, { mcSeqno }) => Math.max(max, mcSeqno), 0),
    success: !transactions.some(({ aborted }) => aborted),
    ...none,
    ...noAssets,
    ...{ opcode: null, value: null, amount: null, extraCurrencies: undefined, data: {} },
    transactions: transactions.map(({ hash }) => hash),
    accounts: [...new Set(transactions.map(({ account }) => account))],
    ...{ initiator: null, parentId: null, ancestors: [] },
  }
}

const match = (root: Step, facts: Facts, matchers: readonly Matcher[], budget: Budget): void => {
  const run = new Run(facts, budget)
  run.note(root)
  for (const matcher of matchers) run.apply(matcher)
}

/** A lone external message that a wallet did not accept: what it asked for is told as failed. */
const intended = (trace: Trace, { root }: Tree, facts: Facts): readonly Action[] => {
  const ghosts = ghostTree(root)
  if (ghosts === undefined) return [unknown(trace)]
  match(ghosts, facts, FAILED_EXTERNAL_MATCHERS, workFor(trace))
  const { actions } = actionsOf(steps(ghosts))
  return actions.length > 0 ? actions : [unknown(trace)]
}

const classifyFully = (trace: Trace, facts: Facts, matchers: readonly Matcher[]): Classification => {
  const tree = treeOf(trace)
  match(tree.root, facts, matchers, workFor(trace))
  const { actions, broken } = actionsOf(foldDeposits(steps(tree.root)))
  const state = broken || tree.hasHoles ? 'broken' : 'ok'
  if (actions.length > 0) return { state, actions }
  return { state, actions: intended(trace, treeOf(trace), facts) }
}

/** What remains where the full classification failed: messages as they are. */
const classifyBasically = (trace: Trace, error: unknown): Classification => {
  try {
    const { root } = treeOf(trace)
    const [first] = root.next
    const actions = first === undefined || first.next.length === 0 ? [] : actionsOf(steps(root)).actions
    return { state: 'failed', actions: actions.length > 0 ? actions : [unknown(trace)], error }
  } catch {
    return { state: 'failed', actions: [unknown(trace)], error }
  }
}

/**
 * Says what a trace means. Pure: the same trace and facts give the same actions. Never throws: what fails costs the trace its full
 * classification and is told in `error`.
 */
export const classify = (trace: Trace, facts: Facts, matchers: readonly Matcher[] = MATCHERS): Classification => {
  const [first] = trace.transactions
  // A tick alone means nothing.
  if (first === undefined || (trace.transactions.length === 1 && first.tickTock)) return { state: 'ok', actions: [] }
  try {
    return classifyFully(trace, facts, matchers)
  } catch (error) {
    return classifyBasically(trace, error)
  }
}
