import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { compact, counted, humanised, shortened, tame } from '../base/format.ts'
import type { Names, TraceNode, Transaction } from '../base/types.ts'
import { friendly, kindOf } from '../parts/values.tsx'
import { arrange, NODE, type Placed } from './arrange.ts'
import { type CodeTexts, outcomeOf } from './outcome.ts'

/* A trace as a picture: transactions from left to right, each with its account, opcode and value. */

const FIRST = 150
const STEP = 150
const PAD = 12
const ZOOMS: readonly number[] = [0.3, 0.45, 0.65, 0.85, 1, 1.25, 1.6]
const NORMAL = 4

interface Props {
  readonly root: TraceNode
  readonly transactions: Readonly<Record<string, Transaction>>
  readonly names: Names
  readonly texts: CodeTexts | undefined
  readonly selected: string
  readonly select: (hash: string) => void
}

/** The texts of a node. */
const labelsOf = (tx: Transaction | undefined, names: Names) => {
  if (tx === undefined) return { account: 'not loaded', what: '', value: '' }
  const row = names.book[tx.account]
  const account = tame(row?.domain ?? '', 14) || tame(kindOf(row?.interfaces), 15) || shortened(friendly(tx.account, names), 6, 6)
  const { in_msg: message } = tx
  const opcode = message?.decoded_opcode ? humanised(message.decoded_opcode) : (message?.opcode ?? '')
  const what =
    message === null ? humanised(tx.description.type) : message.source === null ? opcode || 'External message' : opcode || 'Coins'
  return { account, what: tame(what, 26), value: message?.value ? `${compact(message.value, 9)} TON` : '' }
}

const Node = ({
  of,
  tx,
  names,
  texts,
  selected,
  entry,
  select,
  step,
}: Omit<Props, 'root' | 'transactions'> & {
  readonly of: Placed
  readonly tx: Transaction | undefined
  readonly step: (from: Placed, key: string) => void
  readonly selected: string
  /** The node that the tab key leads to. */
  readonly entry: string | undefined
}) => {
  const { account, what, value } = labelsOf(tx, names)
  const outcome = tx ? outcomeOf(tx, texts) : undefined
  const isSelected = of.hash === selected
  const state = `${outcome?.failed ? 'failed' : ''} ${tx?.in_msg?.bounced ? 'bounced' : ''} ${isSelected ? 'selected' : ''}`
  return (
    <g
      class={`node ${state}`}
      transform={`translate(${of.x + PAD},${of.y + PAD})`}
      role="button"
      tabindex={of.hash === entry ? 0 : -1}
      aria-pressed={isSelected}
      data-hash={of.hash}
      onClick={() => select(of.hash)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') select(of.hash)
        else if (event.key.startsWith('Arrow')) step(of, event.key)
        else return
        event.preventDefault()
      }}
    >
      <rect width={NODE.width} height={NODE.height} rx="8" />
      <text class="account" x="12" y="20">
        {account}
      </text>{' '}
      <text class="what" x="12" y="38">
        {outcome?.failed ? outcome.short : tx?.in_msg?.bounced ? 'Bounced' : what}
      </text>{' '}
      <text class="value" x={NODE.width - 12} y="20" text-anchor="end">
        {value}
      </text>
      {of.hidden > 0 && (
        <text class="what" x={NODE.width - 12} y="38" text-anchor="end">
          +{of.hidden}
        </text>
      )}
    </g>
  )
}

/** Curves from a transaction to those that it caused. */
const Lines = ({ nodes }: { readonly nodes: readonly Placed[] }) => {
  const byHash = new Map(nodes.map((node) => [node.hash, node]))
  const path = nodes
    .map(({ parent, x, y }) => {
      const from = parent === undefined ? undefined : byHash.get(parent)
      if (from === undefined) return ''
      const [x1, y1, x2, y2] = [from.x + NODE.width + PAD, from.y + NODE.height / 2 + PAD, x + PAD, y + NODE.height / 2 + PAD]
      return `M${x1} ${y1}C${x1 + NODE.gapX / 2} ${y1} ${x2 - NODE.gapX / 2} ${y2} ${x2} ${y2}`
    })
    .join('')
  return <path class="lines" d={path} />
}

/** The node that an arrow key leads to. */
const neighbour = (nodes: readonly Placed[], from: Placed, key: string): string | undefined => {
  if (key === 'ArrowLeft') return from.parent
  if (key === 'ArrowRight') return from.children[Math.floor((from.children.length - 1) / 2)]
  const column = nodes.filter(({ x }) => x === from.x).sort((a, b) => a.y - b.y)
  return column[column.findIndex(({ hash }) => hash === from.hash) + (key === 'ArrowUp' ? -1 : 1)]?.hash
}

/** A node, and what it was drawn from. */
interface Drawn {
  readonly parts: readonly unknown[]
  readonly view: VNode
}

export const Picture = ({ root, transactions, ...rest }: Props) => {
  const [most, setMost] = useState(FIRST)
  const [zoom, setZoom] = useState(NORMAL)
  const frame = useRef<HTMLDivElement>(null)
  const { nodes, width, height, total } = useMemo(() => arrange(root, most), [root, most])
  const scale = ZOOMS[zoom]!
  const drawn = useRef(new Map<string, Drawn>())
  // The selected transaction may be one that is not drawn.
  const entry = nodes.some(({ hash }) => hash === rest.selected) ? rest.selected : nodes[0]?.hash
  /** A node that is as it was is the same object again, which Preact does not look into: choosing one of a thousand draws two. */
  const nodeOf = (node: Placed): VNode => {
    const known = drawn.current.get(node.hash)
    const parts = [node, transactions[node.hash], rest.names, rest.texts, node.hash === rest.selected, node.hash === entry]
    if (known?.parts.every((part, i) => part === parts[i])) return known.view
    const view = <Node key={node.hash} of={node} tx={transactions[node.hash]} {...rest} entry={entry} select={chosen} step={stepped} />
    drawn.current.set(node.hash, { parts, view })
    return view
  }
  const step = (from: Placed, key: string): void => {
    const next = neighbour(nodes, from, key)
    if (next === undefined) return
    rest.select(next)
    requestAnimationFrame(() => frame.current?.querySelector<SVGGElement>('.node.selected')?.focus())
  }
  // Nodes that are not drawn again call what is newest.
  const newest = useRef({ select: rest.select, step })
  newest.current = { select: rest.select, step }
  const chosen = (hash: string): void => newest.current.select(hash)
  const stepped = (from: Placed, key: string): void => newest.current.step(from, key)
  useEffect(() => {
    // A large trace begins small enough to be seen, but not too small to be read.
    const room = frame.current?.clientWidth ?? width
    const fitting = ZOOMS.findLastIndex((each) => (width + 2 * PAD) * each <= room)
    setZoom(Math.min(NORMAL, Math.max(2, fitting)))
  }, [root])
  return (
    <div class="picture">
      <div class="tools">
        <span class="dim">
          {counted(total, 'transaction')}
          {total > nodes.length && `, ${nodes.length} drawn`}
        </span>
        {total > nodes.length && (
          <button type="button" onClick={() => setMost(most + STEP)}>
            Draw more
          </button>
        )}
        <button type="button" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          −
        </button>
        <button type="button" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          +
        </button>
      </div>
      <div class="frame" ref={frame}>
        <svg
          role="group"
          aria-label="The trace: arrow keys go from transaction to transaction"
          width={(width + 2 * PAD) * scale}
          height={(height + 2 * PAD) * scale}
          viewBox={`0 0 ${width + 2 * PAD} ${height + 2 * PAD}`}
        >
          <Lines nodes={nodes} />
          {nodes.map(nodeOf)}
        </svg>
      </div>
    </div>
  )
}
