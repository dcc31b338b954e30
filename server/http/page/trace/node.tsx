import { compact, shortened, tame } from '../base/format.ts'
import type { Names, Transaction } from '../base/types.ts'
import { kindOf } from '../parts/address.tsx'
import { type Called, friendly, useCalled } from '../parts/called.ts'
import { NODE, PAD, type Placed } from './arrange.ts'
import { type CodeTexts, outcomeOf, receivedText } from './outcome.ts'

/* One transaction in the picture of a trace: its account, the kind of the account, opcode and value. */

/** The texts of a node: the account by its name or address, its kind, what it received, and how many coins came with it. */
const labelsOf = (tx: Transaction | undefined, names: Names, { name, role, isShared }: Called) => {
  if (tx === undefined) return { account: 'not loaded', kind: '', what: '', value: '' }
  const short = shortened(friendly(tx.account, names))
  const account = tame(role?.what ?? name ?? short, 16)
  const kind = role ? `of ${role.of}` : isShared ? short : kindOf(names.book[tx.account]?.interfaces)
  const value = tx.in_msg?.value ? `+${compact(tx.in_msg.value, 9)} TON` : ''
  return { account, kind: tame(kind, 28), what: tame(receivedText(tx), 28), value }
}

interface NodeProps {
  readonly of: Placed
  readonly tx: Transaction | undefined
  readonly names: Names
  readonly texts: CodeTexts | undefined
  readonly isSelected: boolean
  /** Whether the tab key leads to it. */
  readonly isEntry: boolean
  readonly select: (hash: string) => void
  /** Goes on to a neighbour by an arrow key. */
  readonly step: (from: Placed, key: string) => void
}

export const Node = ({ of, tx, names, texts, isSelected, isEntry, select, step }: NodeProps) => {
  const { account, kind, what, value } = labelsOf(tx, names, useCalled(tx?.account ?? '', names))
  const outcome = tx ? outcomeOf(tx, texts) : undefined
  const state = `${outcome?.failed ? 'failed' : ''} ${tx?.in_msg?.bounced ? 'bounced' : ''} ${isSelected ? 'selected' : ''}`
  return (
    <g
      class={`node ${state}`}
      transform={`translate(${of.x + PAD},${of.y + PAD})`}
      role="button"
      tabindex={isEntry ? 0 : -1}
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
      <text class="kind" x="12" y="38">
        {kind}
      </text>{' '}
      <text class="what" x="12" y="56">
        {outcome?.failed ? outcome.short : what}
      </text>{' '}
      <text class="value" x={NODE.width - 12} y="20" text-anchor="end">
        {value}
      </text>
      {of.hidden > 0 && (
        <text class="kind" x={NODE.width - 12} y="56" text-anchor="end">
          +{of.hidden}
        </text>
      )}
    </g>
  )
}
