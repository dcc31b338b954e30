import { type HierarchyNode, hierarchy, tree } from 'd3-hierarchy'
import type { TraceNode } from '../base/types.ts'

export const NODE = { width: 248, height: 68, gapX: 40, gapY: 14 } as const
export const PAD = 12
/** Space above the first transaction for the source of the trace. */
const ORIGIN = 18

export interface PlacedNode {
  readonly hash: string
  readonly parent: string | undefined
  readonly children: readonly string[]
  readonly x: number
  readonly y: number
  /** Number of children that are not drawn. */
  readonly hidden: number
}

interface Drawn {
  readonly hash: string
  readonly children: Drawn[]
  hidden: number
}

const firstOf = (root: TraceNode, most: number): { drawn: Drawn; total: number } => {
  const drawn: Drawn = { hash: root.tx_hash, children: [], hidden: 0 }
  const queue: { node: TraceNode; into: Drawn | undefined }[] = [{ node: root, into: drawn }]
  let count = 1
  for (let i = 0; i < queue.length; i++) {
    const { node, into } = queue[i]!
    for (const child of node.children) {
      const fits = into !== undefined && count < most
      const made: Drawn | undefined = fits ? { hash: child.tx_hash, children: [], hidden: 0 } : undefined
      if (made) {
        into!.children.push(made)
        count++
      } else if (into) into.hidden++
      queue.push({ node: child, into: made })
    }
  }
  return { drawn, total: queue.length }
}

const placedAt = ({ data, parent }: HierarchyNode<Drawn>, x: number, y: number): PlacedNode => ({
  hash: data.hash,
  parent: parent?.data.hash,
  children: data.children.map(({ hash }) => hash),
  x,
  y: y + ORIGIN,
  hidden: data.hidden,
})

/** Positions of at most `most` transactions, from left to right. Parents are vertically centred between their children. */
export const arrange = (root: TraceNode, most: number) => {
  const { drawn, total } = firstOf(root, most)
  const placed = tree<Drawn>()
    .nodeSize([NODE.height + NODE.gapY, NODE.width + NODE.gapX])
    .separation(() => 1)(hierarchy(drawn))
  const all = placed.descendants()
  const top = all.reduce((least, node) => Math.min(least, node.x), 0)
  const nodes = all.map((node) => placedAt(node, node.y, node.x - top))
  const width = nodes.reduce((most, { x }) => Math.max(most, x), 0) + NODE.width
  const height = nodes.reduce((most, { y }) => Math.max(most, y), 0) + NODE.height
  return { nodes, width, height, total }
}

/** Pixels between two transactions. The gap has space for an arrow head. */
const GAP = 16
/** Pixels by which children are indented if a transaction has several. */
const INDENT = { least: 10, most: 24 } as const

/** Positions of at most `most` transactions, from top to bottom. Indents shrink so that the picture fits in `room` pixels, if possible. */
export const arrangeDown = (root: TraceNode, most: number, room: number) => {
  const { drawn, total } = firstOf(root, most)
  // The level of each transaction, parents before their children. An only child is not indented, so that long chains stay narrow.
  const rows = new Map<HierarchyNode<Drawn>, number>()
  hierarchy(drawn).eachBefore((node) => {
    const { parent } = node
    rows.set(node, parent ? rows.get(parent)! + Number(parent.data.children.length > 1) : 0)
  })
  const levels = [...rows.values()].reduce((deepest, level) => Math.max(deepest, level), 0)
  const indent = Math.max(INDENT.least, Math.min(INDENT.most, Math.floor((room - NODE.width - 2 * PAD) / Math.max(1, levels))))
  const nodes = [...rows].map(([node, level], i) => placedAt(node, level * indent, i * (NODE.height + GAP)))
  return { nodes, width: levels * indent + NODE.width, height: nodes.length * (NODE.height + GAP) - GAP + ORIGIN, total }
}
