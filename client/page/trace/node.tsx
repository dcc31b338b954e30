import { type Outcome, outcomeOf } from '../../outcome.ts'
import { exact, shortened, tame } from '../base/format.ts'
import { warningText } from '../base/token-metadata.ts'
import type { Names, Transaction } from '../base/types.ts'
import { type Called, friendly, type Role, useCalled } from '../parts/account-names.ts'
import { kindOf } from '../parts/address.tsx'
import { useNames } from '../parts/answer-names.tsx'
import { receivedText } from '../parts/fees-and-purpose.ts'
import { NODE, PAD, type PlacedNode } from './arrange.ts'
import { LINES, lastLine, placeValue } from './node-texts.ts'

/** A jetton wallet or a sale in short: its owner or item, and the jetton's minter if it must be shown. */
const roleText = ({ of, jetton }: Role, names: Names): string =>
  jetton?.showsMinter ? `of ${of} · ${shortened(friendly(jetton.minter, names))}` : `of ${of}`

const labelsOf = (tx: Transaction | undefined, names: Names, { label, role, isShared, warnings }: Called, outcome: Outcome | undefined) => {
  if (tx === undefined) return { account: 'not loaded', kind: '', what: '', value: '', line: LINES.account, title: 'not loaded' }
  const short = shortened(friendly(tx.account, names))
  const account = role?.what ?? label ?? short
  const what = role ? roleText(role, names) : isShared ? short : kindOf(names.book[tx.account]?.interfaces)
  const kind = [...warnings, what].filter((each) => each !== '').join(' · ')
  const [received, coins] = [receivedText(tx, names.book), tx.in_msg?.value]
  const title = [account, kind, received, coins ? `${exact(coins, 9)} GRAM` : ''].filter((each) => each !== '').join(', ')
  const texts = { account: tame(account, 16), kind: tame(kind, 36), what: lastLine(received, outcome) }
  return { ...texts, ...(coins ? placeValue(coins, texts) : { value: '', line: LINES.account }), title: tame(title) }
}

interface OriginProps {
  readonly of: PlacedNode
  /** Raw address; null for an external message. */
  readonly source: string | null
  /** True if no transaction of the source sent the message. */
  readonly isUnsent: boolean
}

export const Origin = ({ of, source, isUnsent }: OriginProps) => {
  const names = useNames()
  const { label, warnings } = useCalled(source ?? '')
  const called = source === null ? '' : tame(label ?? shortened(friendly(source, names)), isUnsent ? 20 : 28) + warningText(warnings)
  return (
    <text class="origin" x={of.x + PAD + 2} y={of.y + PAD - 7}>
      {source === null ? 'external message ↓' : `from ${called}${isUnsent ? ', injected' : ''} ↓`}
    </text>
  )
}

interface NodeProps {
  readonly of: PlacedNode
  readonly tx: Transaction | undefined
  readonly isSelected: boolean
  /** True if the Tab key focuses the node. */
  readonly isEntry: boolean
  readonly select: (hash: string) => void
  readonly step: (from: PlacedNode, key: string) => void
}

export const Node = ({ of, tx, isSelected, isEntry, select, step }: NodeProps) => {
  const outcome = tx ? outcomeOf(tx) : undefined
  const { account, kind, what, value, line, title } = labelsOf(tx, useNames(), useCalled(tx?.account ?? ''), outcome)
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
      <title>{outcome?.failed ? `${title}, ${outcome.short}` : title}</title>
      <rect width={NODE.width} height={NODE.height} rx="8" />
      <text class="account" x="12" y={LINES.account}>
        {account}
      </text>{' '}
      <text class="kind" x="12" y={LINES.kind}>
        {kind}
      </text>{' '}
      <text class="what" x="12" y={LINES.what}>
        {what}
      </text>{' '}
      <text class="value" x={NODE.width - 12} y={line} text-anchor="end">
        {value}
      </text>
      {of.hidden > 0 && (
        <text class="kind" x={NODE.width - 12} y={line === LINES.what ? LINES.kind : LINES.what} text-anchor="end">
          +{of.hidden}
        </text>
      )}
    </g>
  )
}
