import { CellError } from '../cell/cell.ts'
import type { Facts, JettonWalletFacts, NftItemFacts } from './facts.ts'
import { type GroupOptions, group } from './group.ts'
import { type Budget, type Found, findAround, type PatternContext } from './pattern.ts'
import type { Kind, Opcode, Step } from './step.ts'
import type { Address } from './trace.ts'

/** Finds steps that form one operation and groups them. */
export interface Matcher {
  readonly name: string
  /** Where the matcher starts: opcodes of calls, and kinds of steps. */
  readonly at: readonly (Opcode | Kind)[]
  /** The steps that must be around the first one. */
  readonly around?: PatternContext
  /** Makes the group, or leaves the steps as they are. If it throws CellError, a body has another format, and there is no group. */
  readonly build: (step: Step, found: Found, run: MatcherRun) => void
}

const NOTHING: PatternContext = {}
const NOBODY = (): undefined => undefined

/** Indexes of matchers in their list, by the opcode or kind at which they start. */
type Starts = ReadonlyMap<Opcode | Kind, readonly number[]>

/** An opcode as a signed number: V8 keeps it without an object of its own, and finds it faster in a Map. */
const keyOf = (key: Opcode | Kind): Opcode | Kind => (typeof key === 'number' ? key | 0 : key)

const startsOf = (matchers: readonly Matcher[]): Starts => {
  const starts = new Map<Opcode | Kind, number[]>()
  for (const [i, { at }] of matchers.entries()) for (const key of at.map(keyOf)) starts.set(key, [...(starts.get(key) ?? []), i])
  return starts
}

const cachedStarts = new WeakMap<readonly Matcher[], Starts>()
const startsIn = (matchers: readonly Matcher[]): Starts => {
  const starts = cachedStarts.get(matchers) ?? startsOf(matchers)
  cachedStarts.set(matchers, starts)
  return starts
}

/** Steps by their place in the tree. Groups are noted after all other steps, so a list may need sorting. */
const inOrder = (steps: Step[]): readonly Step[] => {
  for (let i = 1; i < steps.length; i++) if (steps[i]!.order < steps[i - 1]!.order) return steps.sort((a, b) => a.order - b.order)
  return steps
}

/** One classification of one trace. */
export class MatcherRun {
  readonly facts: Facts
  readonly budget: Budget
  private readonly matchers: readonly Matcher[]
  private readonly starts: Starts
  /** For each matcher the steps where it can start; undefined for most, which have none. */
  private readonly waiting: (Step[] | undefined)[]

  constructor(facts: Facts, budget: Budget, matchers: readonly Matcher[]) {
    this.facts = facts
    this.budget = budget
    this.matchers = matchers
    this.starts = startsIn(matchers)
    this.waiting = matchers.map(NOBODY)
  }

  /** Same as `group`. Later matchers can find the new step. */
  group(kind: Kind, members: readonly Step[], columns: Step['columns'], options?: GroupOptions): Step | undefined {
    const step = group(kind, members, columns, options)
    if (step !== undefined) this.place(kind, step)
    return step
  }

  jettonWallet(address: Address | null): JettonWalletFacts | undefined {
    return address === null ? undefined : this.facts.get(address)?.jettonWallet
  }
  nftItem(address: Address | null): NftItemFacts | undefined {
    return address === null ? undefined : this.facts.get(address)?.nftItem
  }

  /** Notes the steps of a tree before any group is made. */
  private note(root: Step): void {
    const steps = root.walk()
    for (let order = 0; order < steps.length; order++) {
      const step = steps[order]!
      step.order = order
      this.place(step.kind, step)
      if (step.op !== undefined && step.op !== null) this.place(step.op | 0, step)
    }
  }

  /** Runs all matchers on the tree, one after the other. */
  applyAll(root: Step): void {
    this.note(root)
    for (let i = 0; i < this.waiting.length; i++) {
      const steps = this.waiting[i]
      if (steps === undefined) continue
      // A matcher does not run on groups that it makes itself.
      this.waiting[i] = undefined
      this.apply(this.matchers[i]!, inOrder(steps))
    }
  }

  /** Runs one matcher on those steps that belong to no group, level by level. */
  private apply({ around = NOTHING, build }: Matcher, steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.group !== undefined) continue
      try {
        const found = findAround(step, around, this.budget)
        if (found !== undefined) build(step, found, this)
      } catch (error) {
        if (!(error instanceof CellError)) throw error
      }
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
