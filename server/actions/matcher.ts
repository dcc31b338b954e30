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
  build(step: Step, found: Found, run: Run): void
}

/** One classification of one trace. */
export class Run {
  readonly facts: Facts
  readonly budget: Budget
  /** Opcodes and kinds that occur: most matchers have nothing to look for. */
  private readonly present = new Set<Opcode | Kind>()

  constructor(facts: Facts, budget: Budget) {
    this.facts = facts
    this.budget = budget
  }

  /** As `group`; what comes later may look for it. */
  group(kind: Kind, members: readonly Step[], columns: Columns, options?: GroupOptions): Step | undefined {
    const step = group(kind, members, columns, options)
    if (step !== undefined) this.present.add(kind)
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
    for (const step of root.walk()) {
      this.present.add(step.kind)
      if (step.op !== undefined && step.op !== null) this.present.add(step.op)
    }
  }

  /** Lets one matcher look at every step that belongs to no group. */
  apply(matcher: Matcher, root: Step): void {
    const { at, around } = matcher
    if (!at.some((key) => this.present.has(key))) return
    for (const step of root.walk()) {
      if (step.group !== undefined) continue
      if (!at.includes(step.kind) && !(typeof step.op === 'number' && at.includes(step.op))) continue
      try {
        const found = findAround(step, around ?? {}, this.budget)
        if (found !== undefined) matcher.build(step, found, this)
      } catch (error) {
        if (!(error instanceof CellError)) throw error
      }
    }
  }
}
