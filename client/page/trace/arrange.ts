import { hierarchy, tree } from 'd3-hierarchy'
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

export interface Arranged {
  readonly nodes: readonly PlacedNode[]
  readonly width: number
  readonly height: number
  readonly total: number
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

/** Pixels between two transactions. The gap has space for an arrow head. */
const GAP = 16
/** Pixels by which children are indented if a transaction has several. */
const INDENT = { least: 10, most: 24 } as const

interface Row {
  readonly of: Drawn
  readonly parent: string | undefined
  readonly level: number
}

/** All transactions, parents before their children. An only child is not indented, so that long chains stay narrow. */
const rowsOf = (root: Drawn): readonly Row[] => {
  const rows: Row[] = []
  const left: Row[] = [{ of: root, parent: undefined, level: 0 }]
  for (let row = left.pop(); row !== undefined; row = left.pop()) {
    rows.push(row)
    const { hash, children } = row.of
    const level = row.level + (children.length > 1 ? 1 : 0)
    for (const child of children.toReversed()) left.push({ of: child, parent: hash, level })
  }
  return rows
}

/** Positions of at most `most` transactions, from top to bottom. Indents shrink so that the picture fits in `room` pixels, if possible. */
export const arrangeDown = (root: TraceNode, most: number, room: number): Arranged => {
  const { drawn, total } = firstOf(root, most)
  const rows = rowsOf(drawn)
  const levels = rows.reduce((deepest, { level }) => Math.max(deepest, level), 0)
  const indent = Math.max(INDENT.least, Math.min(INDENT.most, Math.floor((room - NODE.width - 2 * PAD) / Math.max(1, levels))))
  const nodes = rows.map(
    ({ of, parent, level }, i): PlacedNode => ({
      hash: of.hash,
      parent,
      children: of.children.map(({ hash }) => hash),
      x: level * indent,
      y: i * (NODE.height + GAP) + ORIGIN,
      hidden: of.hidden,
    }),
  )
  return { nodes, width: levels * indent + NODE.width, height: rows.length * (NODE.height + GAP) - GAP + ORIGIN, total }
}
