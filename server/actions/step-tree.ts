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

interface Links {
  /** For each transaction the indexes of the transactions that received its messages; undefined if a message was not received (yet). */
  readonly receivers: readonly (readonly (number | undefined)[])[]
  /** For each transaction whether the sender of its message is in the trace. */
  readonly hasSender: readonly boolean[]
}

const linksOf = (sorted: readonly TraceTransaction[]): Links => {
  const places = new Map<string, number>()
  for (let i = 0; i < sorted.length; i++) {
    const { inMessage } = sorted[i]!
    if (inMessage !== undefined) places.set(inMessage.hash, i)
  }
  const sent = new Array<boolean>(sorted.length).fill(false)
  const receivers = sorted.map(({ outMessages }) =>
    outMessages.map(({ hash }) => {
      const place = places.get(hash)
      if (place !== undefined) sent[place] = true
      return place
    }),
  )
  const hasSender = sorted.map(({ inMessage }) => inMessage !== undefined && sent[places.get(inMessage.hash)!]!)
  return { receivers, hasSender }
}

/** Builds the tree from the links between messages. Not recursive, because a trace can have chains of thousands of transactions. */
export const treeOf = ({ transactions }: Trace): Tree => {
  const sorted = [...transactions].sort(byLt)
  const { receivers, hasSender } = linksOf(sorted)
  const root = new Step(ROOT, [], {})
  /** Steps whose messages are still to be followed, and the indexes of their transactions. */
  const open: Step[] = []
  const places: number[] = []
  const placed = new Array<boolean>(sorted.length).fill(false)
  const place = (above: Step, parent: Node | undefined, at: number): void => {
    const tx = sorted[at]!
    placed[at] = true
    open.push(attach(above, nodeOf(tx, tx.inMessage, parent)))
    places.push(at)
  }
  for (let i = 0; i < sorted.length; i++) if (!hasSender[i]) place(root, undefined, i)
  const hasHoles = open.length > 1
  for (let at = 0; at < open.length; at++) {
    const step = open[at]!
    const node = step.nodes[0]!
    const received = receivers[places[at]!]!
    const { outMessages } = node.tx
    for (let i = 0; i < outMessages.length; i++) {
      const message = outMessages[i]!
      if (message.destination === null) {
        attach(step, nodeOf(node.tx, message, node, IS_LOG))
        continue
      }
      // A message without a receiver (yet) is not a step. `placed` ensures that no transaction is placed twice, whatever hashes the trace contains.
      const receiver = received[i]
      if (receiver !== undefined && !placed[receiver]) place(step, node, receiver)
    }
  }
  return { root, hasHoles }
}
