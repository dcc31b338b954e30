import { hierarchy, tree } from 'd3-hierarchy'
import type { TraceNode } from '../base/types.ts'

export const NODE = { width: 248, height: 68, gapX: 40, gapY: 14 } as const
export const PAD = 12
/** Space above the first transaction for the source of the trace. */
export const ORIGIN = 18

export interface PlacedNode {
  readonly hash: string
  readonly parent: string | undefined
  readonly children: readonly string[]
  readonly x: number
  readonly y: number
  /** Number of children that are not drawn. */
  readonly hidden: number
}

export interface Arranged {
  readonly nodes: readonly PlacedNode[]
  readonly width: number
  readonly height: number
  readonly total: number
}

export interface Drawn {
  readonly hash: string
  readonly children: Drawn[]
  hidden: number
}

export const firstOf = (root: TraceNode, most: number): { drawn: Drawn; total: number } => {
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

/** Positions of at most `most` transactions, from left to right. Parents are vertically centred between their children. */
export const arrange = (root: TraceNode, most: number): Arranged => {
  const { drawn, total } = firstOf(root, most)
  const placed = tree<Drawn>()
    .nodeSize([NODE.height + NODE.gapY, NODE.width + NODE.gapX])
    .separation(() => 1)(hierarchy(drawn))
  const all = placed.descendants()
  const top = all.reduce((least, node) => Math.min(least, node.x), 0)
  const nodes = all.map(({ data, parent, x, y }) => ({
    hash: data.hash,
    parent: parent?.data.hash,
    children: data.children.map(({ hash }) => hash),
    x: y,
    y: x - top + ORIGIN,
    hidden: data.hidden,
  }))
  const width = nodes.reduce((most, { x }) => Math.max(most, x), 0) + NODE.width
  const height = nodes.reduce((most, { y }) => Math.max(most, y), 0) + NODE.height
  return { nodes, width, height, total }
}
