import type { ComponentChildren } from 'preact'
import { isRawAddress } from '../base/address.ts'
import { humanised, tame } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import type { Action, Names } from '../base/types.ts'
import { JettonAmount } from './token.tsx'
import { Account, Amount, Badge, Time } from './values.tsx'

/* Shows an action in one line: who did what to whom, and how much. */

const FROM = ['source', 'sender', 'stake_holder', 'owner', 'bidder', 'subscriber', 'old_owner', 'initiator']
const TO = ['destination', 'receiver', 'recipient', 'new_owner', 'pool', 'auction', 'beneficiary', 'oapp']
const ITEM = ['nft_item', 'nft_address', 'payout_nft']

type Details = Readonly<Record<string, unknown>>

/** The first of these details that is an address. */
const addressIn = (details: Details, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = details[name]
    if (typeof value === 'string' && isRawAddress(value)) return value
  }
  return undefined
}

const amountOf = (details: Details, names: Names): ComponentChildren => {
  const { asset, amount, value } = details
  if (typeof amount === 'string')
    return typeof asset === 'string' && isRawAddress(asset) ? (
      <JettonAmount of={amount} jetton={asset} names={names} />
    ) : (
      <Amount of={amount} />
    )
  return typeof value === 'string' ? <Amount of={value} /> : undefined
}

interface Transfer {
  readonly asset?: string | null
  readonly amount?: string | null
}
/** Both sides of a swap. */
const swapOf = (details: Details, names: Names): ComponentChildren => {
  const side = (transfer: unknown, asset: unknown): ComponentChildren => {
    const { amount } = (transfer ?? {}) as Transfer
    if (typeof amount !== 'string') return undefined
    return typeof asset === 'string' ? <JettonAmount of={amount} jetton={asset} names={names} /> : <Amount of={amount} />
  }
  return (
    <>
      {side(details['dex_incoming_transfer'], details['asset_in'])} <span class="dim">for</span>{' '}
      {side(details['dex_outgoing_transfer'], details['asset_out'])}
    </>
  )
}

/** Titles of types that people know by another name. */
const TITLES: Readonly<Record<string, string>> = {
  ton_transfer: 'Transfer',
  jetton_transfer: 'Jetton transfer',
  nft_transfer: 'NFT transfer',
  nft_mint: 'NFT mint',
  call_contract: 'Call',
  contract_deploy: 'Deploy',
  tick_tock: 'Tick-tock',
}

/** The title of an action: its type in words. */
export const titleOf = (type: string): string => TITLES[type] ?? humanised(type)

interface Props {
  readonly of: Action
  readonly names: Names
  /** The account whose history it is in. */
  readonly self?: string | undefined
  /** Where its title leads. Default: the trace. */
  readonly linksTo?: 'trace' | 'transaction' | 'nothing'
  /** It is in no block yet. */
  readonly pending?: boolean
}

const ActionLine = ({
  of: { type, success, details, end_utime, trace_id, trace_external_hash, transactions },
  names,
  self,
  linksTo = 'trace',
  pending = false,
}: Props) => {
  const from = addressIn(details, FROM)
  const to = addressIn(details, TO)
  const item = addressIn(details, ITEM)
  const comment = typeof details['comment'] === 'string' ? details['comment'] : ''
  const opcode = typeof details['opcode'] === 'string' ? details['opcode'] : ''
  const title = titleOf(type)
  const sign = self === undefined || from === to ? '' : to === self ? 'in' : from === self ? 'out' : ''
  const trace = linksTo === 'trace' ? (trace_id ?? trace_external_hash) : undefined
  const hash = linksTo === 'nothing' ? undefined : (trace ?? transactions[0])
  return (
    <li class={`action ${success === false ? 'failed' : ''}`}>
      <span class={`mark ${sign}`} aria-hidden="true">
        {sign === 'in' ? '↓' : sign === 'out' ? '↑' : '•'}
      </span>
      <span class="what">
        {hash ? <a href={hrefOf('tx', hash)}>{title}</a> : title}
        {pending && <Badge tone="warn">pending</Badge>}
        {success === false && <Badge tone="bad">failed</Badge>}
        {sign !== '' && <span class="hidden"> {sign === 'in' ? 'received' : 'sent'}</span>}
      </span>
      <span class="who">
        {from && <Account of={from} names={names} self={self} />}
        {from && to && <span class="dim"> → </span>}
        {to && <Account of={to} names={names} self={self} />}
        {item && (
          <>
            {' '}
            <Account of={item} names={names} />
          </>
        )}
      </span>
      <span class="much">{type === 'jetton_swap' ? swapOf(details, names) : amountOf(details, names)}</span>
      <span class="when">
        <Time of={end_utime} />
      </span>
      {(comment !== '' || opcode !== '') && (
        <span class="note">{comment !== '' ? <q>{tame(comment, 300)}</q> : <span class="mono dim">{tame(opcode, 40)}</span>}</span>
      )}
    </li>
  )
}

/** Actions, one line each. */
export const ActionList = ({
  actions,
  names,
  self,
  linksTo = 'trace',
  pending = false,
}: {
  readonly actions: readonly Action[]
  readonly names: Names
  readonly self?: string
  readonly linksTo?: 'trace' | 'transaction' | 'nothing'
  readonly pending?: boolean
}) => (
  <ul class="actions">
    {actions.map((action) => (
      <ActionLine key={action.action_id} of={action} names={names} self={self} linksTo={linksTo} pending={pending} />
    ))}
  </ul>
)
