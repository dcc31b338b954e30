import { attempt } from '../cell/error.ts'
import type { Facts, JettonWalletFacts, NftItemFacts } from './facts.ts'
import { type GroupOptions, group } from './group-steps.ts'
import { type Budget, type Found, findAround, type PatternContext } from './pattern.ts'
import type { Kind, Opcode, Step } from './step.ts'
import type { Address } from './trace.ts'

export interface Matcher {
  /** The matcher tries each step with one of these opcodes or kinds as its first step. */
  readonly at: readonly (Opcode | Kind)[]
  /** Patterns for the step that caused the first step, and for the steps that it causes. */
  readonly around?: PatternContext
  /** Makes the group, or leaves the steps as they are. A CellError means that a body has an unexpected format: no group is made. */
  readonly build: (step: Step, found: Found, run: MatcherRun) => void
}

/** Indexes of matchers in their list, by the opcode or kind at which they start. */
type Starts = ReadonlyMap<Opcode | Kind, readonly number[]>

const startsOf = (matchers: readonly Matcher[]): Starts => {
  const starts = new Map<Opcode | Kind, number[]>()
  for (const [i, { at }] of matchers.entries()) for (const key of at) starts.set(key, [...(starts.get(key) ?? []), i])
  return starts
}

const cachedStarts = new WeakMap<readonly Matcher[], Starts>()
const startsIn = (matchers: readonly Matcher[]): Starts => {
  const starts = cachedStarts.get(matchers) ?? startsOf(matchers)
  cachedStarts.set(matchers, starts)
  return starts
}

export class MatcherRun {
  readonly facts: Facts
  readonly budget: Budget
  private readonly matchers: readonly Matcher[]
  private readonly starts: Starts
  /** For each matcher the steps where it can start; undefined if there are none. */
  private readonly waiting: (Step[] | undefined)[]

  constructor(facts: Facts, budget: Budget, matchers: readonly Matcher[]) {
    this.facts = facts
    this.budget = budget
    this.matchers = matchers
    this.starts = startsIn(matchers)
    this.waiting = matchers.map(() => undefined)
  }

  /** Calls `group` and registers the new step for later matchers. */
  group(kind: Kind, members: readonly Step[], columns: Step['columns'], options?: GroupOptions): Step | undefined {
    const step = group(kind, members, columns, options)
    if (step !== undefined && !step.failed) this.place(kind, step)
    return step
  }

  jettonWallet(address: Address | null): JettonWalletFacts | undefined {
    return address === null ? undefined : this.facts.get(address)?.jettonWallet
  }
  nftItem(address: Address | null): NftItemFacts | undefined {
    return address === null ? undefined : this.facts.get(address)?.nftItem
  }

  /** Registers all steps of a tree with the matchers that can start at them. */
  private note(root: Step): void {
    const steps = root.walk()
    for (let order = 0; order < steps.length; order++) {
      const step = steps[order]!
      step.order = order
      this.place(step.kind, step)
      if (step.op !== undefined && step.op !== null) this.place(step.op, step)
    }
  }

  /** Runs all matchers. Yields after each attempt, because a trace can have thousands of steps. */
  *applyAll(root: Step): Generator<void> {
    this.note(root)
    for (let i = 0; i < this.waiting.length; i++) {
      const steps = this.waiting[i]
      if (steps === undefined) continue
      // Cleared first: a matcher does not run on groups that it makes itself.
      this.waiting[i] = undefined
      yield* this.apply(
        this.matchers[i]!,
        steps.sort((a, b) => a.order - b.order),
      )
    }
  }

  /** Runs one matcher on the steps that belong to no group. */
  private *apply({ around = {}, build }: Matcher, steps: readonly Step[]): Generator<void> {
    for (const step of steps) {
      if (step.group !== undefined) continue
      attempt(() => {
        const found = findAround(step, around, this.budget)
        if (found !== undefined) build(step, found, this)
      })
      yield
    }
  }

  private place(key: Opcode | Kind, step: Step): void {
    const starts = this.starts.get(key)
    if (starts === undefined) return
    for (const i of starts) {
      const steps = this.waiting[i]
      if (steps === undefined) this.waiting[i] = [step]
      else steps.push(step)
    }
  }
}
