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

const IS_LOG = { isLog: true } as const

const attach = (above: Step, node: Node): Step => {
  const step = basicStep(node)
  above.next.push(step)
  step.previous = above
  return step
}

/** Puts the transactions of a trace below the ones that sent their messages. Not recursive: a trace can have chains of thousands. */
export const treeOf = ({ transactions }: Trace): Tree => {
  const sorted = [...transactions].sort(byLt)
  const places = new Map<string, number>()
  for (const [i, { inMessage }] of sorted.entries()) if (inMessage !== undefined) places.set(inMessage.hash, i)
  /** For each message that a transaction sent: the place of its receiver; undefined if it was not received (yet). */
  const receivers = sorted.map(({ outMessages }) => outMessages.map(({ hash }) => places.get(hash)))
  const hasSender = new Uint8Array(sorted.length)
  for (const of of receivers) for (const i of of) if (i !== undefined) hasSender[i] = 1
  const root = new Step(ROOT, [], {})
  const open: [step: Step, node: Node, place: number][] = []
  const placed = new Uint8Array(sorted.length)
  for (const [i, tx] of sorted.entries()) {
    if (tx.inMessage !== undefined && hasSender[places.get(tx.inMessage.hash)!] === 1) continue
    const node = nodeOf(tx, tx.inMessage, undefined)
    open.push([attach(root, node), node, i])
    placed[i] = 1
  }
  const hasHoles = open.length > 1
  for (let at = 0; at < open.length; at++) {
    const [step, node, place] = open[at]!
    for (const [i, message] of node.tx.outMessages.entries()) {
      if (message.destination === null) {
        attach(step, nodeOf(node.tx, message, node, IS_LOG))
        continue
      }
      const receiver = receivers[place]![i]
      // A message that is not received (yet) is not a step. No transaction is placed twice, whatever hashes the trace contains.
      if (receiver === undefined || placed[receiver] === 1) continue
      placed[receiver] = 1
      const tx = sorted[receiver]!
      const child = nodeOf(tx, tx.inMessage, node)
      open.push([attach(step, child), child, receiver])
    }
  }
  return { root, hasHoles }
}
