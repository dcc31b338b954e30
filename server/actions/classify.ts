import { endSteps } from '../base/yield.ts'
import type { Action, Classification } from './action.ts'
import type { Facts } from './facts.ts'
import { type Matcher, MatcherRun } from './matcher.ts'
import type { Budget } from './pattern.ts'
import { type Protocol, STAGES, type Stage } from './protocol.ts'
import { nodeOf, Step } from './step.ts'
import { type Tree, treeOf } from './step-tree.ts'
import { actionOf, actionsOf } from './to-actions.ts'
import type { Trace } from './trace.ts'
import { unsentTree } from './unsent-messages.ts'

/** Increase it when the classification changes: the index then derives its stored actions again. */
export const CLASSIFIER_VERSION = 2

/** Limit of pattern attempts for one trace. Ordinary traces need a tenth of it. */
const workFor = ({ transactions }: Trace): Budget => ({ left: 20_000 + 500 * transactions.length })

const steps = (root: Step): Step[] => root.walk().slice(1)

/** The only action of a trace in which nothing was recognized. Its id is the id of the trace. */
const unknown = ({ id, transactions }: Trace): Action => {
  const nodes = transactions.map((tx) => nodeOf(tx, undefined, undefined))
  const step = new Step('unknown', nodes, {})
  step.failed = transactions.some(({ aborted }) => aborted)
  return actionOf(step, id, null, [])
}

const rulesOf = (protocols: readonly Protocol[]) => {
  const matchersIn = (stage: Stage): readonly Matcher[] => protocols.flatMap(({ matchers }) => matchers?.[stage] ?? [])
  return {
    matchers: STAGES.flatMap(matchersIn),
    unsent: matchersIn('unsent'),
    /** Action types whose parts are not listed as actions. */
    whole: new Set(protocols.flatMap(({ actions = {} }) => Object.keys(actions).filter((type) => actions[type]!.since === 1))),
    join: (found: readonly Step[]) => protocols.reduce((joined, { join }) => join?.(joined) ?? joined, found),
  }
}

type Rules = ReturnType<typeof rulesOf>

const match = (root: Step, facts: Facts, matchers: readonly Matcher[], budget: Budget): Generator<void> =>
  new MatcherRun(facts, budget, matchers).applyAll(root)

/** For a trace of one external message that the wallet did not accept: each message that the external message requested becomes a failed action. */
function* unsentActions(trace: Trace, { root }: Tree, facts: Facts, rules: Rules): Generator<void, readonly Action[]> {
  const unsent = unsentTree(root)
  if (unsent === undefined) return [unknown(trace)]
  yield* match(unsent, facts, rules.unsent, workFor(trace))
  const { actions } = yield* actionsOf(steps(unsent), rules.whole)
  return actions.length > 0 ? actions : [unknown(trace)]
}

function* classifyFully(trace: Trace, facts: Facts, rules: Rules): Generator<void, Classification> {
  const tree = yield* treeOf(trace)
  yield* match(tree.root, facts, rules.matchers, workFor(trace))
  const { actions, broken } = yield* actionsOf(rules.join(steps(tree.root)), rules.whole)
  const state = broken || tree.hasHoles ? 'broken' : 'ok'
  if (actions.length > 0) return { state, actions }
  return { state, actions: yield* unsentActions(trace, yield* treeOf(trace), facts, rules) }
}

/** Fallback if the full classification fails: steps of single messages without any groups. */
function* classifyBasically(trace: Trace, error: unknown, { whole }: Rules): Generator<void, Classification> {
  try {
    const { root } = yield* treeOf(trace)
    const [first] = root.next
    const actions = first === undefined || first.next.length === 0 ? [] : (yield* actionsOf(steps(root), whole)).actions
    return { state: 'failed', actions: actions.length > 0 ? actions : [unknown(trace)], error }
  } catch {
    return { state: 'failed', actions: [unknown(trace)], error }
  }
}

/**
 * Pure: the same trace and facts give the same actions. Never throws: after an error the result has `error` and the actions of `classifyBasically`. Yields
 * between short parts of the work.
 */
function* classifyInParts(trace: Trace, facts: Facts, rules: Rules): Generator<void, Classification> {
  const [first] = trace.transactions
  // A tick-tock transaction that caused no other transaction has no actions.
  if (first === undefined || (trace.transactions.length === 1 && first.tickTock)) return { state: 'ok', actions: [] }
  try {
    return yield* classifyFully(trace, facts, rules)
  } catch (error) {
    return yield* classifyBasically(trace, error, rules)
  }
}

export const createClassifier = (protocols: readonly Protocol[]) => {
  const rules = rulesOf(protocols)
  return {
    matchers: rules.matchers,
    /** Classifies at once, for tests and tools. A service must not, because a trace of thousands of transactions takes long. */
    classify: (trace: Trace, facts: Facts): Classification => endSteps(classifyInParts(trace, facts, rules)),
    classifyInParts: (trace: Trace, facts: Facts): Generator<void, Classification> => classifyInParts(trace, facts, rules),
  }
}
