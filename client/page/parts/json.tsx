import type { VNode } from 'preact'
import { decodedAddress } from '../base/address.ts'
import { groups, humanised, tame, timeOf, withLowerHex } from '../base/format.ts'
import type { Fields } from '../base/types.ts'
import { Account } from './address.tsx'
import { Copy } from './copy.tsx'
import { Details } from './layout.tsx'
import { Amount, FullTime } from './values.tsx'

/* Shows decoded bodies and JSON values of unknown shape. Texts from contracts are shown as text, even if they look like something else. */

const MAX_DEPTH = 8
const MAX_ENTRIES = 200

const Leaf = ({ of }: { readonly of: unknown }) => {
  const [, media] = typeof of === 'string' && of.length > 80 ? (/^data:([\w.+-]{1,30}\/[\w.+-]{1,30})?[;,]/i.exec(of) ?? []) : []
  if (media !== undefined) return <span class="dim">{`${media.replace(/^image\//, '').toUpperCase()}, stored on chain`}</span>
  if (typeof of === 'string') return <span class={of.length > 40 ? 'mono wrap' : 'wrap'}>{tame(withLowerHex(of), 2_000)}</span>
  return <span class="mono">{String(of)}</span>
}

/** Values with a special display: addresses, coins, wrappers, absent values. Undefined for all other values. */
const ownDisplay = (of: Fields, depth: number): VNode | undefined => {
  switch (of['@type']) {
    case 'addr_std':
      return <Account of={decodedAddress(of)} />
    case 'addr_none':
    case 'nothing':
    case 'nothing_from_maybe':
      return <span class="dim">none</span>
    case 'nanocoins':
    case 'nanograms': {
      const amount = of['amount'] as Fields | undefined
      return typeof amount?.['value'] === 'string' ? <Amount of={amount['value']} /> : undefined
    }
    // What v3 read in a payload of the recipient's own protocol (trace/payloads.ts).
    case 'own_protocol':
      return <span class="dim">in a protocol of the recipient’s own</span>
    case 'empty_cell':
      return <span class="dim">empty</span>
    // These wrappers describe the layout of a value, not its meaning, so only their content is shown.
    case 'var_uint':
    case 'var_int':
      return typeof of['value'] === 'string' ? <span class="mono">{groups(of['value'])}</span> : undefined
    case 'first_from_either':
    case 'second_from_either':
    case 'something':
      return Object.keys(of).length === 2 && 'value' in of ? <Tree of={of['value']} depth={depth} /> : undefined
    default:
      return undefined
  }
}

const Member = ({ name, of, depth }: { readonly name: string; readonly of: unknown; readonly depth: number }) => {
  const time = timeOf(name, of)
  if (time !== undefined) return <FullTime of={time} />
  return <Tree of={name === '@type' && typeof of === 'string' ? humanised(of) : of} depth={depth} />
}

/** A value as nested names and values. Very deep or long values are shown in part. */
export const Tree = ({ of, depth = 0 }: { readonly of: unknown; readonly depth?: number }) => {
  if (typeof of !== 'object' || of === null) return <Leaf of={of} />
  const display = depth < MAX_DEPTH ? ownDisplay(of as Fields, depth + 1) : undefined
  if (display !== undefined) return display
  const entries = Object.entries(of)
  if (entries.length === 0) return <span class="dim">{Array.isArray(of) ? 'empty list' : 'nothing'}</span>
  if (depth >= MAX_DEPTH) return <span class="dim">more, not shown</span>
  return (
    <ul class="tree">
      {entries.slice(0, MAX_ENTRIES).map(([name, value]) => (
        <li key={name}>
          <span class="name" title={tame(name, 80)}>
            {name === '@type' ? 'Type' : tame(humanised(name), 80)}
          </span>{' '}
          <Member name={name} of={value} depth={depth + 1} />
        </li>
      ))}
      {entries.length > MAX_ENTRIES && <li class="dim">{entries.length - MAX_ENTRIES} more, not shown</li>}
    </ul>
  )
}

interface SourceProps {
  readonly text: string
  readonly label: string
  /** Maximum characters. */
  readonly most?: number
}

export const Source = ({ text, label, most = 200_000 }: SourceProps) => (
  <div class="source">
    <Copy text={text} what={`Copy ${label}`} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
    <pre tabIndex={0} role="region" aria-label={label}>
      {text.length > most ? `${text.slice(0, most)}\n… ${text.length - most} more characters` : text}
    </pre>
  </div>
)

/** A long text that is drawn only when it is expanded. */
export const Listing = ({ summary, ...source }: SourceProps & { readonly summary: string }) => (
  <Details class="listing" summary={summary}>
    {() => <Source {...source} />}
  </Details>
)
