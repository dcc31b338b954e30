import { newTextBudget } from './comment-text.ts'
import { type Node, nodeOf } from './node.ts'
import { basicStep } from './single-steps.ts'
import { ROOT, Step } from './step.ts'
import type { Trace, TraceTransaction } from './trace.ts'

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
