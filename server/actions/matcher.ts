import { CellError } from '../cell/cell.ts'
import type { Columns } from './action.ts'
import type { Facts, JettonWalletFacts, NftItemFacts } from './facts.ts'
import { type GroupOptions, group } from './group.ts'
import { type Around, type Budget, type Found, findAround } from './pattern.ts'
import type { Kind, Opcode, Step } from './step.ts'
import type { Address } from './trace.ts'

/** Finds steps that mean one thing together and makes a group of them. */
export interface Matcher {
  readonly name: string
  /** Where it begins: opcodes of calls, and kinds of steps. */
  readonly at: readonly (Opcode | Kind)[]
  /** What must be around the step. */
  readonly around?: Around
  /** Makes the group, or leaves the steps as they are. A CellError means that a body is not what it was taken for: no group. */
  readonly build: (step: Step, found: Found, run: Run) => void
}

const NOTHING: Around = {}
const NONE: readonly Step[] = []

/** One classification of one trace. */
export class Run {
  readonly facts: Facts
  readonly budget: Budget
  /** The steps of every opcode and kind: most matchers have nothing to look at. */
  private readonly places = new Map<Opcode | Kind, Step[]>()

  constructor(facts: Facts, budget: Budget) {
    this.facts = facts
    this.budget = budget
  }

  /** As `group`; what comes later may look for it. */
  group(kind: Kind, members: readonly Step[], columns: Columns, options?: GroupOptions): Step | undefined {
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

  /** Notes what occurs in a tree before any group is made. */
  note(root: Step): void {
    let order = 0
    for (const step of root.walk()) {
      step.order = order++
      this.place(step.kind, step)
      if (step.op !== undefined && step.op !== null) this.place(step.op, step)
    }
  }

  /** Lets one matcher look at every step that belongs to no group, level by level. Groups that it makes itself it does not look at. */
  apply({ at, around = NOTHING, build }: Matcher): void {
    for (const step of this.candidates(at)) {
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
    const steps = this.places.get(key)
    if (steps === undefined) this.places.set(key, [step])
    else steps.push(step)
  }

  private candidates(at: readonly (Opcode | Kind)[]): readonly Step[] {
    let found: Step[] | undefined
    for (const key of at) {
      const steps = this.places.get(key)
      if (steps !== undefined) found = found === undefined ? steps : [...found, ...steps]
    }
    if (found === undefined) return NONE
    const open = found.filter(({ group: taken }) => taken === undefined)
    return open.length > 1 ? open.sort((a, b) => a.order - b.order) : open
  }
}
