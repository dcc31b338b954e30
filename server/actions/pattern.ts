import { BOUNCED, EXCESSES, type Kind, type Opcode, ROOT, type Step } from './step.ts'

/*
 * Patterns of steps. A pattern describes a step, the steps that must have followed from it and the step before it:
 *
 *   call(OP, { each: p })      every step that followed is tried; at least one must match
 *   call(OP, { all: [p, q] })  p and q must match two different steps that followed; p is searched first
 *   call(OP, { before: p })    the step before must match
 *   either(p, q)               the first that matches
 *   optional(p)                may be missing
 *   named('x', p)              adds the step to the match under the name 'x' (see `Found`)
 *
 * The bounces that a matching step caused belong to the match. So do the excesses, unless the pattern is `strict`.
 */

/** The steps of a match. `names` are in the order in which they were found. */
export class Found {
  readonly steps: Step[] = []
  readonly names: [string, Step][] = []

  /** Removes all but the first `steps` steps and `names` names. */
  cut(steps: number, names: number): void {
    this.steps.length = steps
    this.names.length = names
  }
  get(name: string): Step | undefined {
    for (const [own, step] of this.names) if (own === name) return step
    return undefined
  }
  /** All steps with that name, earliest first. */
  list(name: string): Step[] {
    const steps = new Set<Step>()
    for (const [own, step] of this.names) if (own === name) steps.add(step)
    return [...steps].sort((a, b) => (a.minLt < b.minLt ? -1 : a.minLt > b.minLt ? 1 : 0))
  }
}

/** The number of attempts that one trace has left. */
export interface Budget {
  left: number
}

export interface Pattern {
  readonly optional: boolean
  /** Adds the steps of the match that begins with `step` to `found`. Returns false and leaves `found` unchanged if nothing matches. */
  add(step: Step | undefined, found: Found, budget: Budget): boolean
}

export interface PatternContext {
  readonly each?: Pattern
  readonly all?: readonly Pattern[]
  readonly before?: Pattern
  /** True: the match does not include excesses. */
  readonly strict?: boolean
}

export class TooMuchWork extends Error {
  constructor() {
    super('the trace takes too long to classify')
  }
}

const spend = (budget: Budget): void => {
  if (--budget.left < 0) throw new TooMuchWork()
}

const addAll = (steps: readonly Step[], patterns: readonly Pattern[], found: Found, budget: Budget): boolean => {
  const taken: Step[] = []
  for (const pattern of patterns) {
    let matched = false
    for (const step of steps) {
      if (taken.includes(step) || !pattern.add(step, found, budget)) continue
      taken.push(step)
      matched = true
      break
    }
    if (!matched && !pattern.optional) return false
  }
  return true
}

/**
 * Adds the steps around `step` that match these patterns to `found`, without `step` itself. If steps are missing, returns false and leaves partial results
 * in `found`.
 */
const addAround = (step: Step, { each, all, before }: PatternContext, found: Found, budget: Budget): boolean => {
  if (each !== undefined) {
    const { length } = found.steps
    for (const next of step.next) each.add(next, found, budget)
    if (!each.optional && found.steps.length === length) return false
  }
  if (all !== undefined && !addAll(step.next, all, found, budget)) return false
  return before === undefined || before.add(step.previous, found, budget) || before.optional
}

/** The steps that `around` describes, without `step` itself; undefined if some are missing. */
export const findAround = (step: Step, around: PatternContext, budget: Budget): Found | undefined => {
  const found = new Found()
  return addAround(step, around, found, budget) ? found : undefined
}

/** The steps of the match that begins with `step`; none if there is no match. */
export const stepsOf = (pattern: Pattern, step: Step, budget: Budget): readonly Step[] => {
  const found = new Found()
  pattern.add(step, found, budget)
  return found.steps
}

/** Excesses and bounces that a step caused. */
export const leftovers = (step: Step): Step[] => step.next.filter(({ op }) => op === EXCESSES || op === BOUNCED)

/** A step that passes `test`, with the steps around it. */
export const where = (test: (step: Step) => boolean, around: PatternContext = {}): Pattern => ({
  optional: false,
  add(step, found, budget) {
    spend(budget)
    if (step === undefined || !test(step)) return false
    const { steps } = found
    const { length } = steps
    const names = found.names.length
    steps.push(step)
    if (!addAround(step, around, found, budget)) {
      found.cut(length, names)
      return false
    }
    for (const next of step.next) if (next.op === BOUNCED || (next.op === EXCESSES && around.strict !== true)) steps.push(next)
    return true
  },
})

/** A message with this opcode that belongs to no group yet. */
export const call = (op: Opcode, around?: PatternContext): Pattern => where((step) => step.op === op, around)

/** A group that did not fail, or a single message. */
export const kind = (name: Kind, around?: PatternContext): Pattern =>
  where((step) => step.kind === name && !(step.failed && step.parts.length > 0), around)

/** Any step but the root. */
export const anything = (around?: PatternContext): Pattern => where(({ kind }) => kind !== ROOT, around)

export const either = (...patterns: readonly Pattern[]): Pattern => ({
  optional: false,
  add(step, found, budget) {
    for (const pattern of patterns) if (pattern.add(step, found, budget)) return true
    return false
  },
})

export const optional = (pattern: Pattern): Pattern => ({ optional: true, add: pattern.add })

/** Names the step that the pattern starts with. That name precedes the names within the pattern. */
export const named = (name: string, pattern: Pattern): Pattern => ({
  optional: pattern.optional,
  add(step, found, budget) {
    if (step === undefined) return pattern.add(step, found, budget)
    const { length } = found.names
    found.names.push([name, step])
    if (pattern.add(step, found, budget)) return true
    found.names.length = length
    return false
  },
})

/** For a pattern that refers to itself: `make` is called at the first use. */
export const lazily = (make: () => Pattern): Pattern => {
  let made: Pattern | undefined
  return {
    optional: false,
    add(step, found, budget) {
      made ??= make()
      return made.add(step, found, budget)
    },
  }
}

const MAX_CHAIN = 64

/** Matches `again` at the step and repeatedly along the steps that followed, until `end` matches. Also matches if `end` never does. */
export const chain = (again: Pattern, end?: Pattern): Pattern => ({
  optional: false,
  add(step, found, budget) {
    let from = found.steps.length
    if (!again.add(step, found, budget)) return false
    for (let i = 1; i < MAX_CHAIN; i++) {
      const followed = found.steps.slice(from).flatMap((each) => each.next)
      from = found.steps.length
      let goesOn = false
      for (const next of followed) {
        if (end?.add(next, found, budget)) return true
        goesOn = again.add(next, found, budget)
        if (goesOn) break
      }
      if (!goesOn) break
    }
    return true
  },
})
