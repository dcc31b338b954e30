import { hash } from 'node:crypto'
import type { Cell } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import type { Columns } from './action.ts'
import { newTextBudget, type TextBudget } from './comment-text.ts'
import { type Address, base64Of, type TraceMessage, type TraceTransaction } from './trace.ts'

/** A message of a trace with the transaction that received it; a log has the transaction that sent it. A tick-tock transaction has no message. */
export interface Node {
  readonly tx: TraceTransaction
  /** undefined for tick-tock transactions. */
  readonly message: TraceMessage | undefined
  /** True for a message that leaves the chain. */
  readonly isLog: boolean
  /** True for a message that an external message requested but the wallet did not send, because the external message failed. */
  readonly isUnsent: boolean
  readonly parent: Node | undefined
  /** lt of the message; for tick-tock transactions and external messages the lt of the transaction. */
  readonly lt: bigint
  /** Unix seconds. */
  readonly utime: number
  /** Text that action ids are computed from, if it is not the base64 hash of the message or transaction. */
  readonly idText: string | undefined
  /** Of the whole trace. */
  readonly texts: TextBudget
}

export const nodeOf = (
  tx: TraceTransaction,
  message: TraceMessage | undefined,
  parent: Node | undefined,
  more: Partial<Pick<Node, 'isLog' | 'isUnsent' | 'idText' | 'texts'>> = {},
): Node => ({
  tx,
  message,
  parent,
  isLog: more.isLog ?? false,
  isUnsent: more.isUnsent ?? false,
  lt: message?.createdLt ?? tx.lt,
  utime: message?.createdAt ?? tx.now,
  idText: more.idText,
  texts: more.texts ?? parent?.texts ?? newTextBudget(),
})

/**
 * Action id as TON Center computes it: SHA-256 of the base64 hash of the earliest message, followed by the kind of the step. A tick-tock transaction uses
 * its own hash.
 */
export const actionId = (nodes: readonly Node[], kind: string): string => {
  let first = nodes[0]!
  for (const node of nodes) if (node.lt < first.lt || (node.lt === first.lt && first.isLog && !node.isLog)) first = node
  return hash('sha256', `${first.idText ?? base64Of(first.message?.hash ?? first.tx.hash)}${kind}`, 'binary')
}

/** The name of a step. For a group this is usually the type of the action. */
export type Kind = string

/** Unsigned, 32 bits. */
export type Opcode = number

export const EXCESSES: Opcode = 0xd53276db
export const BOUNCED: Opcode = 0xffffffff

/** Shared empty array for `next` and `parts`, because most steps have neither. */
const NO_STEPS: readonly Step[] = []

/**
 * A message and the transaction it caused, or several messages that form one operation. Steps form a tree: `next` are the steps that followed from this
 * step. Matchers replace steps that belong together by one step (group-steps.ts).
 */
export class Step {
  /** The action's id is computed from this name. */
  readonly kind: Kind
  readonly nodes: Node[]
  /** The steps that this one replaces. */
  parts: readonly Step[]
  /** Columns of the action, or a function that reads them. Reading is lazy, because most messages become parts of a group, whose columns are shown instead. */
  readonly columns: Columns | ((step: Step) => Columns)
  /** The opcode of an ungrouped call (null if its body has none); undefined for all other steps. */
  readonly op: Opcode | null | undefined
  /** For a group: data for later matchers. For a plain transfer: its comment, parsed at the first use. */
  info: unknown
  next: readonly Step[] = NO_STEPS
  previous: Step | undefined
  group: Step | undefined
  /** Mark of the last attempt to group this step (group-steps.ts). */
  attempt: object | undefined
  /** Position in the tree, level by level. A group has the position of its first part. */
  order = 0
  failed = false
  /** True if the step is inconsistent: the trace is then marked as broken, but its actions are still listed. */
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
    const [first] = nodes
    this.origin = nodes.length === 1 ? first!.parent : undefined
    this.minLt = first?.lt ?? 0n
    this.minUtime = first?.utime ?? 0
    this.maxLt = first?.tx.lt ?? 0n
    this.maxUtime = first?.tx.now ?? 0
    for (const { lt, utime, tx } of nodes) {
      if (lt < this.minLt) this.minLt = lt
      if (utime < this.minUtime) this.minUtime = utime
      if (tx.lt > this.maxLt) this.maxLt = tx.lt
      if (tx.now > this.maxUtime) this.maxUtime = tx.now
    }
  }

  /** The first message. Throws for a tick-tock transaction and for the root, which have no message. */
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
  get aborted(): boolean {
    return this.nodes[0]!.tx.aborted
  }
  get isUnsent(): boolean {
    for (const node of this.nodes) if (node.isUnsent) return true
    return false
  }

  append(step: Step): void {
    step.previous = this
    if (this.next === NO_STEPS) this.next = [step]
    else (this.next as Step[]).push(step)
  }

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

export const findCall = (steps: readonly Step[], op: Opcode): Step | undefined => steps.find((step) => step.op === op)

/** The account that the step's transaction deployed. Logs are excluded, because they belong to the transaction that sent them. */
export const deployedBy = (step: Step): Address | undefined => {
  const [node] = step.nodes
  if (node === undefined || step.nodes.length !== 1 || node.isLog || node.isUnsent || step.parts.some(({ kind }) => kind !== DEPLOY))
    return undefined
  return node.tx.before !== 'active' && node.tx.after === 'active' ? node.tx.account : undefined
}
