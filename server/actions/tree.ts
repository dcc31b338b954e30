import { basicStep } from './basic.ts'
import { type Node, nodeOf } from './node.ts'
import { ROOT, Step } from './step.ts'
import type { Trace, TraceTransaction } from './trace.ts'

/** The steps of a trace as a tree. The root is not a step itself. */
export interface Tree {
  readonly root: Step
  /** Whether senders of some transactions are missing. Such transactions are directly below the root. */
  readonly hasHoles: boolean
}

const byLt = (a: TraceTransaction, b: TraceTransaction): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash < b.hash ? -1 : 1)

const attach = (above: Step, node: Node): Step => {
  const step = basicStep(node)
  above.next.push(step)
  step.previous = above
  return step
}

/** Puts the transactions of a trace below the ones that sent their messages. Not recursive: a trace can have chains of thousands. */
export const treeOf = ({ transactions }: Trace): Tree => {
  const sorted = [...transactions].sort(byLt)
  const receivers = new Map<string, TraceTransaction>()
  const sent = new Set<string>()
  for (const tx of sorted) {
    if (tx.inMessage !== undefined) receivers.set(tx.inMessage.hash, tx)
    for (const { hash } of tx.outMessages) sent.add(hash)
  }
  const root = new Step(ROOT, [], {})
  const open: [Step, Node][] = []
  for (const tx of sorted) {
    if (tx.inMessage !== undefined && sent.has(tx.inMessage.hash)) continue
    const node = nodeOf(tx, tx.inMessage, undefined)
    open.push([attach(root, node), node])
  }
  const hasHoles = open.length > 1
  const placed = new Set<TraceTransaction>(open.map(([, { tx }]) => tx))
  for (let i = 0; i < open.length; i++) {
    const [step, node] = open[i]!
    for (const message of node.tx.outMessages) {
      if (message.destination === null) {
        attach(step, nodeOf(node.tx, message, node, { isLog: true }))
        continue
      }
      const tx = receivers.get(message.hash)
      // A message that is not received (yet) is not a step. No transaction is placed twice, whatever hashes the trace contains.
      if (tx === undefined || placed.has(tx)) continue
      placed.add(tx)
      const child = nodeOf(tx, tx.inMessage, node)
      open.push([attach(step, child), child])
    }
  }
  return { root, hasHoles }
}
