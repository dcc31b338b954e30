import type { TraceNode } from '../base/types.ts'
import { type Arranged, type Drawn, firstOf, NODE, ORIGIN, PAD, type PlacedNode } from './arrange.ts'

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
