import { BOUNCED, EXCESSES, type Kind, type Opcode, ROOT, type Step } from './step.ts'

/*
 * Patterns of steps. A pattern describes a step, the steps that must have followed from it and the step before it:
 *
 *   call(OP, { each: p })      every step that followed is tried; at least one must match
 *   call(OP, { all: [p, q] })  p and q must match two different steps that followed; p is searched first
 *   call(OP, { before: p })    the step before must match
 *   optional(p)                may be missing
 *   named('x', p)              the step is found again under that name
 *
 * The bounces that a matching step caused belong to the match. So do the excesses, unless the pattern is `strict`.
 */

/** The result of a pattern: all steps that belong to it, and the named steps in the order they were found. */
export class Found {
  readonly steps: Step[] = []
  readonly names: [string, Step][] = []

  add(other: Found): void {
    this.steps.push(...other.steps)
    this.names.push(...other.names)
  }
  /** The first step with that name. */
  get(name: string): Step | undefined {
    for (const [known, step] of this.names) if (known === name) return step
    return undefined
  }
  /** All steps with that name, earliest first. */
  list(name: string): Step[] {
    const steps: Step[] = []
    for (const [known, step] of this.names) if (known === name && !steps.includes(step)) steps.push(step)
    return steps.sort((a, b) => (a.minLt < b.minLt ? -1 : a.minLt > b.minLt ? 1 : 0))
  }
}

/** Counts attempts, to bound the work for one trace. */
export interface Budget {
  left: number
}

export interface Pattern {
  readonly optional: boolean
  find(step: Step | undefined, budget: Budget): Found | undefined
}

export interface Around {
  readonly each?: Pattern
  readonly all?: readonly Pattern[]
  readonly before?: Pattern
  /** Excludes excesses. */
  readonly strict?: boolean
}

/** A trace needs more work than any honest trace. */
export class TooMuchWork extends Error {
  constructor() {
    super('the trace takes too long to classify')
  }
}

const spend = (budget: Budget): void => {
  if (--budget.left < 0) throw new TooMuchWork()
}

const findAll = (steps: readonly Step[], patterns: readonly Pattern[], found: Found, budget: Budget): boolean => {
  const rest = [...steps]
  for (const pattern of patterns) {
    let matched: Found | undefined
    for (const [i, step] of rest.entries()) {
      matched = pattern.find(step, budget)
      if (matched === undefined) continue
      rest.splice(i, 1)
      found.add(matched)
      break
    }
    if (matched === undefined && !pattern.optional) return false
  }
  return true
}

/** Looks for the steps that `around` describes; undefined if they are missing. The result does not include the step itself. */
export const findAround = (step: Step, { each, all, before }: Around, budget: Budget): Found | undefined => {
  const found = new Found()
  if (each !== undefined) {
    for (const next of step.next) {
      const matched = each.find(next, budget)
      if (matched !== undefined) found.add(matched)
    }
    if (!each.optional && found.steps.length === 0) return undefined
  }
  if (all !== undefined && !findAll(step.next, all, found, budget)) return undefined
  if (before !== undefined) {
    const matched = before.find(step.previous, budget)
    if (matched !== undefined) found.add(matched)
    else if (!before.optional) return undefined
  }
  return found
}

/** Excesses and bounces that a step caused. */
export const leftovers = (step: Step): Step[] => step.next.filter(({ op }) => op === EXCESSES || op === BOUNCED)

/** A step that passes a test, with the steps around it. */
export const where = (test: (step: Step) => boolean, around: Around = {}): Pattern => ({
  optional: false,
  find(step, budget) {
    spend(budget)
    if (step === undefined || !test(step)) return undefined
    const inner = findAround(step, around, budget)
    if (inner === undefined) return undefined
    const found = new Found()
    found.steps.push(step)
    found.add(inner)
    for (const next of step.next) if (next.op === BOUNCED || (next.op === EXCESSES && around.strict !== true)) found.steps.push(next)
    return found
  },
})

/** A message with this opcode that belongs to no group yet. */
export const call = (op: Opcode, around?: Around): Pattern => where((step) => step.op === op, around)

/** A step of this kind. */
export const kind = (name: Kind, around?: Around): Pattern => where((step) => step.kind === name, around)

/** Any step. */
export const anything = (around?: Around): Pattern => where(({ kind }) => kind !== ROOT, around)

/** The first pattern that matches. */
export const either = (...patterns: readonly Pattern[]): Pattern => ({
  optional: false,
  find(step, budget) {
    for (const pattern of patterns) {
      const found = pattern.find(step, budget)
      if (found !== undefined) return found
    }
    return undefined
  },
})

export const optional = (pattern: Pattern): Pattern => ({ optional: true, find: pattern.find })

/** Gives a name to the step that the pattern starts with. */
export const named = (name: string, pattern: Pattern): Pattern => ({
  optional: pattern.optional,
  find(step, budget) {
    const found = pattern.find(step, budget)
    if (found !== undefined) found.names.unshift([name, found.steps[0]!])
    return found
  },
})

/** A pattern that refers to itself. `make` is called at the first use. */
export const lazily = (make: () => Pattern): Pattern => {
  let made: Pattern | undefined
  return {
    optional: false,
    find(step, budget) {
      made ??= make()
      return made.find(step, budget)
    },
  }
}

/** Largest number of links in a chain. */
const MAX_CHAIN = 64

/**
 * A chain: `again` matches here and repeats along the steps that followed, until `end` matches. If `end` never matches, the chain matches without it.
 */
export const chain = (again: Pattern, end?: Pattern): Pattern => ({
  optional: false,
  find(step, budget) {
    const found = again.find(step, budget)
    let link = found
    for (let i = 1; i < MAX_CHAIN && link !== undefined; i++) {
      const steps: readonly Step[] = link.steps.flatMap((each) => each.next)
      link = undefined
      for (const next of steps) {
        const last = end?.find(next, budget)
        if (last !== undefined) {
          found!.add(last)
          return found
        }
        link = again.find(next, budget)
        if (link !== undefined) break
      }
      if (link !== undefined) found!.add(link)
    }
    return found
  },
})
