import type { Cell } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import type { Columns } from './action.ts'
import type { Node } from './node.ts'
import type { Address, TraceMessage } from './trace.ts'

/** The name of a step. For a group this is usually the type of the action. */
export type Kind = string

/** An opcode as in a body: unsigned. */
export type Opcode = number

export const EXCESSES: Opcode = 0xd53276db
export const BOUNCED: Opcode = 0xffffffff

/** One shared empty array for `next` and `parts`, to save memory: most steps have neither. */
const NO_STEPS: readonly Step[] = []

/**
 * A step of a trace: one message and the transaction it caused, or several messages that form one operation. Steps form a tree: `next` are the steps
 * that followed from this one. Matchers find steps that belong together and replace them with one step (group.ts).
 */
export class Step {
  /** The name of the step. It enters the action's id. */
  readonly kind: Kind
  readonly nodes: Node[]
  /** The steps that this one replaces. */
  parts: readonly Step[]
  /** What an action shows, or how to read it. Most messages become parts of a group, whose columns are shown instead. */
  readonly columns: Columns | ((step: Step) => Columns)
  /** The opcode of an ungrouped call (null if it has none); undefined for all other steps. */
  readonly op: Opcode | null | undefined
  /** For a group: data for later matchers. For a plain transfer: its comment, parsed at the first use. */
  info: unknown
  next: readonly Step[] = NO_STEPS
  previous: Step | undefined
  /** The group that this step belongs to. */
  group: Step | undefined
  /** The last attempt to make a group of this step and others (group.ts). */
  attempt: object | undefined
  /** Its place in the tree, level by level. A group has the place of its first part. */
  order = 0
  failed = false
  /** Something here is inconsistent. The trace is marked as broken, but its actions are listed. */
  broken = false
  /** The node whose transaction sent the first message of this step. */
  origin: Node | undefined
  minLt: bigint
  maxLt: bigint
  minUtime: number
  maxUtime: number

  constructor(kind: Kind, nodes: Node[], columns: Step['columns'], parts: readonly Step[] = NO_STEPS, info?: unknown) {
    this.kind = kind
    this.nodes = nodes
    this.columns = columns
    this.parts = parts
    this.info = info
    this.op = kind === CALL ? (nodes[0]?.message?.opcode ?? null) : undefined
    this.minLt = this.maxLt = 0n
    this.minUtime = this.maxUtime = 0
    this.origin = nodes.length === 1 ? nodes[0]!.parent : undefined
    this.measure()
  }

  /** Recomputes the times from the nodes. */
  measure(): void {
    const first = this.nodes[0]
    if (first === undefined) return
    this.minLt = first.lt
    this.minUtime = first.utime
    this.maxLt = first.tx.lt
    this.maxUtime = first.tx.now
    for (let i = 1; i < this.nodes.length; i++) {
      const { lt, utime, tx } = this.nodes[i]!
      if (lt < this.minLt) this.minLt = lt
      if (utime < this.minUtime) this.minUtime = utime
      if (tx.lt > this.maxLt) this.maxLt = tx.lt
      if (tx.now > this.maxUtime) this.maxUtime = tx.now
    }
  }

  /** The first message. Groups have it too; ticks and the root do not. */
  get message(): TraceMessage {
    const message = this.nodes[0]?.message
    if (message === undefined) throw new Error(`a step ${this.kind} has no message`)
    return message
  }
  get source(): Address | null {
    return this.message.source
  }
  get destination(): Address | null {
    return this.message.destination
  }
  /** Whether the transaction that received the first message was aborted. */
  get aborted(): boolean {
    return this.nodes[0]!.tx.aborted
  }
  get isUnsent(): boolean {
    for (const node of this.nodes) if (node.isUnsent) return true
    return false
  }

  /** Adds a step that followed from this one. */
  append(step: Step): void {
    step.previous = this
    if (this.next === NO_STEPS) this.next = [step]
    else (this.next as Step[]).push(step)
  }

  /** The body of the first message. */
  get body(): Cell {
    return this.message.body
  }
  /** Reads the body after the opcode. Throws CellError if it is too short. */
  rest(): Slice {
    return this.body.slice().skip(32)
  }

  /** This step and all steps that followed from it, level by level. */
  walk(): Step[] {
    const found: Step[] = [this]
    for (let i = 0; i < found.length; i++) for (const next of found[i]!.next) found.push(next)
    return found
  }
}

/** A message that is not a plain transfer. */
export const CALL: Kind = 'call_contract'
/** A plain transfer, with or without a comment. */
export const TRANSFER: Kind = 'ton_transfer'
export const DEPLOY: Kind = 'contract_deploy'
export const TICK: Kind = 'tick_tock'
export const ROOT: Kind = 'root'

/** The first of these steps that is a call of `op`. */
export const findCall = (steps: readonly Step[], op: Opcode): Step | undefined => steps.find((step) => step.op === op)

/** The account that the transaction of a step made active. Logs are excluded: they belong to the transaction that sent them. */
export const deployedBy = (step: Step): Address | undefined => {
  const [node] = step.nodes
  if (node === undefined || step.nodes.length !== 1 || node.isLog || node.isUnsent || step.parts.some(({ kind }) => kind !== DEPLOY))
    return undefined
  return node.tx.before !== 'active' && node.tx.after === 'active' ? node.tx.account : undefined
}
