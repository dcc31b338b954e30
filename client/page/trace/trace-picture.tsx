import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { counted, groups } from '../base/format.ts'
import type { TraceNode, Transaction } from '../base/types.ts'
import { Account } from '../parts/address.tsx'
import { useInjectedText } from '../parts/injected-message.tsx'
import { arrange, arrangeDown, NODE, PAD, type PlacedNode } from './arrange.ts'
import { Lines } from './arrows.tsx'
import { Node, Origin } from './node.tsx'
import { isInSight, useMiddle, useRoom, useSight } from './visible-part.ts'

/* A trace as a picture: transactions from left to right, on a phone from top to bottom. Each has its account, opcode and value. */

/** Number of transactions that are drawn at first, and that each further request adds. */
const FIRST = 1_000
const STEP = 1_000
const ZOOMS: readonly number[] = [0.3, 0.45, 0.65, 0.85, 1, 1.25, 1.6]
const NORMAL = 4
const SMALLEST_AT_FIRST = 3
/** Width in pixels below which transactions are drawn one below the other, because two do not fit side by side. */
const NARROW = 500

interface Props {
  readonly root: TraceNode
  readonly transactions: Readonly<Record<string, Transaction>>
  /** True if no transaction of its source sent the trace's first message. */
  readonly isUnsent: boolean
  readonly selected: string
  readonly select: (hash: string) => void
}

const startText = (source: string | null, isUnsent: boolean): string =>
  source === null ? 'an external message to ' : isUnsent ? 'a message from ' : ''

const InjectedText = () => <>. {useInjectedText()}</>

type PlacedNodes = ReadonlyMap<string, PlacedNode>

const neighbour = (places: PlacedNodes, from: PlacedNode, key: string, isDown: boolean): string | undefined => {
  if (key === 'ArrowLeft') return from.parent
  if (isDown && key === 'ArrowRight') return from.children[0]
  if (key === 'ArrowRight') return from.children[Math.floor((from.children.length - 1) / 2)]
  const column = [...places.values()].filter(({ x }) => isDown || x === from.x).sort((a, b) => a.y - b.y)
  return column[column.findIndex(({ hash }) => hash === from.hash) + (key === 'ArrowUp' ? -1 : 1)]?.hash
}

/** The picture of a trace. Only visible transactions and the selected one are drawn. */
export const Picture = ({ root, transactions, isUnsent, selected, select }: Props) => {
  const [most, setMost] = useState(FIRST)
  // Undefined until the available width is measured. Until then only the selected transaction is drawn.
  const [zoom, setZoom] = useState<number>()
  const frame = useRef<HTMLDivElement>(null)
  const isMoving = useRef(false)
  const room = useRoom(frame)
  const isDown = room !== undefined && room < NARROW
  const { nodes, width, height, total } = useMemo(
    () => (isDown ? arrangeDown(root, most, room) : arrange(root, most)),
    [root, most, isDown && room],
  )
  const places: PlacedNodes = useMemo(() => new Map(nodes.map((node) => [node.hash, node])), [nodes])
  const scale = zoom === undefined ? undefined : ZOOMS[zoom]!
  // The selected transaction may be beyond the transactions that are drawn.
  const entry = places.get(selected) ?? nodes[0]
  useMiddle(frame, `${root.tx_hash}${isDown}`, scale, entry)
  const sight = useSight(frame, scale)
  const first = transactions[root.tx_hash]?.in_msg
  const step = (from: PlacedNode, key: string): void => {
    const next = neighbour(places, from, key, isDown)
    if (next === undefined) return
    isMoving.current = true
    select(next)
  }
  useLayoutEffect(() => {
    // After an arrow key, the newly drawn transaction takes the focus.
    if (isMoving.current) frame.current?.querySelector<SVGGElement>('.node.selected')?.focus()
    isMoving.current = false
  }, [selected])
  useLayoutEffect(() => {
    if (room === undefined) return
    // The initial scale shows as much of a large trace as remains readable. A trace that grows keeps its scale.
    const fitting = ZOOMS.findLastIndex((each) => (width + 2 * PAD) * each <= room)
    setZoom(isDown ? NORMAL : Math.min(NORMAL, Math.max(SMALLEST_AT_FIRST, fitting)))
  }, [root.tx_hash, isDown, room === undefined])
  const zoomBy = (steps: number): void => setZoom((before = NORMAL) => Math.min(ZOOMS.length - 1, Math.max(0, before + steps)))
  const drawn = nodes.filter(
    (node) => node === entry || isInSight(sight, node.x + PAD, node.y + PAD, node.x + PAD + NODE.width, node.y + PAD + NODE.height),
  )
  return (
    <div class="picture">
      <div class="tools">
        <span class="dim">
          {counted(total, 'transaction')}
          {total > nodes.length && `, the first ${groups(String(nodes.length))} in the picture`}
          {first && (
            <>
              , started by {startText(first.source, isUnsent)}
              <Account of={first.source ?? first.destination} />
              {isUnsent && <InjectedText />}
            </>
          )}
        </span>
        {total > nodes.length && (
          <button type="button" onClick={() => setMost(most + STEP)}>
            Draw more
          </button>
        )}
        <button type="button" aria-label="Smaller" aria-disabled={zoom === 0} onClick={() => zoomBy(-1)}>
          −
        </button>
        <button type="button" aria-label="Larger" aria-disabled={zoom === ZOOMS.length - 1} onClick={() => zoomBy(1)}>
          +
        </button>
      </div>
      <div class="frame" ref={frame}>
        <svg
          role="group"
          aria-label="The trace: arrow keys go from transaction to transaction"
          width={(width + 2 * PAD) * (scale ?? 1)}
          height={(height + 2 * PAD) * (scale ?? 1)}
          viewBox={`0 0 ${width + 2 * PAD} ${height + 2 * PAD}`}
        >
          <Lines places={places} sight={sight} isDown={isDown} />
          {first && nodes[0] && <Origin of={nodes[0]} source={first.source} isUnsent={isUnsent} />}
          {drawn.map((node) => (
            <Node
              key={node.hash}
              of={node}
              tx={transactions[node.hash]}
              isSelected={node.hash === selected}
              isEntry={node === entry}
              select={select}
              step={step}
            />
          ))}
        </svg>
      </div>
      {nodes.some(({ hash }) => transactions[hash]?.in_msg?.bounced) && (
        <p class="legend dim">Dashed: a bounced message, which brings the value back.</p>
      )}
    </div>
  )
}
