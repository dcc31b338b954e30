import { NODE, PAD, type PlacedNode } from './arrange.ts'
import { isInSight, type Sight } from './visible-part.ts'

interface Line {
  readonly box: readonly [left: number, top: number, right: number, bottom: number]
  readonly path: string
}

const across = (from: PlacedNode, { x, y }: PlacedNode): Line => {
  const [x1, y1, x2, y2] = [from.x + NODE.width + PAD, from.y + NODE.height / 2 + PAD, x + PAD, y + NODE.height / 2 + PAD]
  const head = `M${x2 - 6} ${y2 - 4}L${x2} ${y2}L${x2 - 6} ${y2 + 4}`
  return {
    box: [x1, Math.min(y1, y2) - 1, x2, Math.max(y1, y2) + 1],
    path: `M${x1} ${y1}C${x1 + NODE.gapX / 2} ${y1} ${x2 - NODE.gapX / 2} ${y2} ${x2} ${y2}${head}`,
  }
}

/** An arrow from the lower side of a transaction to its child. If the child is indented, the arrow runs down its left side. */
const down = (from: PlacedNode, { x, y }: PlacedNode): Line => {
  const top = from.y + NODE.height + PAD
  if (x === from.x) {
    const [at, end] = [x + 20 + PAD, y + PAD]
    return { box: [at - 4, top, at + 4, end], path: `M${at} ${top}L${at} ${end}M${at - 4} ${end - 6}L${at} ${end}L${at + 4} ${end - 6}` }
  }
  const [at, end, side] = [(from.x + x) / 2 + PAD, y + NODE.height / 2 + PAD, x + PAD]
  return {
    box: [at, top, side, end],
    path: `M${at} ${top}L${at} ${end}L${side} ${end}M${side - 4} ${end - 4}L${side} ${end}L${side - 4} ${end + 4}`,
  }
}

interface LinesProps {
  readonly places: ReadonlyMap<string, PlacedNode>
  readonly sight: Sight | undefined
  readonly isDown: boolean
}

/** The visible arrows. `isDown`: the transactions are one below the other. */
export const Lines = ({ places, sight, isDown }: LinesProps) => {
  const parts: string[] = []
  for (const to of places.values()) {
    const from = to.parent === undefined ? undefined : places.get(to.parent)
    if (from === undefined) continue
    const { box, path } = (isDown ? down : across)(from, to)
    if (isInSight(sight, ...box)) parts.push(path)
  }
  return <path class="lines" d={parts.join('')} />
}
