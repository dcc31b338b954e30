import type { Columns } from './action.ts'
import { ENCRYPTED_COMMENT, newTextBudget } from './comment-text.ts'
import { transferInfo } from './plain-transfer.ts'
import { CALL, DEPLOY, type Node, nodeOf, ROOT, Step, TICK, TRANSFER } from './step.ts'
import type { Trace, TraceMessage, TraceTransaction } from './trace.ts'

/* Makes the step of each single message, and the tree of all steps of a trace. The matchers later group these steps. */

const isPlain = ({ opcode, source, destination }: TraceMessage): boolean =>
  source !== null && destination !== null && (opcode === null || opcode === 0 || opcode === ENCRYPTED_COMMENT)

/** An aborted call with an opcode but without coins is not shown as failed, because it moved nothing. A group of which it is a part failed nonetheless. */
const callColumns = ({ message: { source, destination, value, extraCurrencies, opcode }, failed, kind }: Step): Columns => ({
  source,
  destination,
  value,
  extraCurrencies,
  opcode,
  success: !failed || (kind === CALL && !value && Boolean(opcode) && extraCurrencies === undefined),
})

const transferColumns = (step: Step): Columns => {
  const { source, destination, value, extraCurrencies } = step.message
  const { comment, encrypted } = transferInfo(step)!
  return { source, destination, value, extraCurrencies, data: { content: comment, encrypted } }
}

const tickColumns = ({ nodes }: Step): Columns => ({ source: nodes[0]!.tx.account })

/** A transfer that cannot bounce arrives even if the account is not deployed or has no gas to run. */
const transferFailed = ({ tx, isUnsent }: Node, { bounce, source }: TraceMessage): boolean =>
  (tx.aborted || isUnsent) && (bounce || !(tx.after === 'uninit' || (source !== null && tx.noGas)))

const deployOf = (node: Node): Step => {
  const step = new Step(DEPLOY, [node], callColumns)
  step.failed = node.tx.aborted
  return step
}

export const basicStep = (node: Node): Step => {
  const { message, tx } = node
  if (message === undefined) {
    const step = new Step(TICK, [node], tickColumns)
    step.failed = tx.aborted
    return step
  }
  const plain = isPlain(message)
  const step = plain ? new Step(TRANSFER, [node], transferColumns) : new Step(CALL, [node], callColumns)
  step.failed = plain ? transferFailed(node, message) : tx.aborted || node.isUnsent
  // Logs are excluded: the deployment is already a part of the step of the message that the transaction received.
  if (!node.isLog && tx.after === 'active' && tx.before !== 'active' && tx.before !== 'frozen') step.parts = [deployOf(node)]
  return step
}

export interface Tree {
  readonly root: Step
  /** Whether the senders of some transactions are missing. Such transactions are placed directly below the root. */
  readonly hasHoles: boolean
}

const byLt = (a: TraceTransaction, b: TraceTransaction): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash < b.hash ? -1 : 1)

const IS_LOG = { isLog: true } as const

const attach = (above: Step, node: Node): Step => {
  const step = basicStep(node)
  above.append(step)
  return step
}

/** Builds the tree from the links between messages. Not recursive, because a trace can have chains of thousands of transactions. Yields after each step. */
export function* treeOf({ transactions }: Trace): Generator<void, Tree> {
  const sorted = [...transactions].sort(byLt)
  /** Transactions by the hashes of the messages that they received. */
  const receivers = new Map<string, TraceTransaction>()
  const sent = new Set<string>()
  for (const tx of sorted) {
    if (tx.inMessage !== undefined) receivers.set(tx.inMessage.hash, tx)
    for (const { hash } of tx.outMessages) sent.add(hash)
  }
  const root = new Step(ROOT, [], {})
  const texts = newTextBudget()
  /** Steps in the order in which their messages are followed. */
  const open: Step[] = []
  const placed = new Set<TraceTransaction>()
  const place = (above: Step, parent: Node | undefined, tx: TraceTransaction): void => {
    placed.add(tx)
    open.push(attach(above, nodeOf(tx, tx.inMessage, parent, { texts })))
  }
  for (const tx of sorted) if (tx.inMessage === undefined || !sent.has(tx.inMessage.hash)) place(root, undefined, tx)
  const hasHoles = open.length > 1
  for (const step of open) {
    const node = step.nodes[0]!
    for (const message of node.tx.outMessages) {
      if (message.destination === null) {
        attach(step, nodeOf(node.tx, message, node, IS_LOG))
        continue
      }
      // A message without a receiver (yet) is not a step. `placed` ensures that no transaction is placed twice, whatever hashes the trace contains.
      const receiver = receivers.get(message.hash)
      if (receiver !== undefined && !placed.has(receiver)) place(step, node, receiver)
    }
    yield
  }
  return { root, hasHoles }
}
