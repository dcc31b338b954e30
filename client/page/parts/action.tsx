import type { ComponentChildren } from 'preact'
import { failureText } from '../../outcome.ts'
import { addressIn, decodedAddress, isRawAddress } from '../base/address.ts'
import { humanised, tame } from '../base/format.ts'
import { hrefOf, txHref } from '../base/router.ts'
import { tokenOf } from '../base/token-metadata.ts'
import type { Action, Fields, Names } from '../base/types.ts'
import { JETTON_TRANSFER, useOpcodeName } from '../base/value-lookups.ts'
import { friendly } from './account-names.ts'
import { recordName, titleOf } from './action-titles.ts'
import { type Behind, Failures, useBehind } from './action-transactions.tsx'
import { Account } from './address.tsx'
import { useNames } from './answer-names.tsx'
import { Injected } from './injected-message.tsx'
import { JettonAmount } from './token.tsx'
import { Amount, Badge, type Clock, type Flow, Time } from './values.tsx'

/** The opcode of a bounced message. */
const BOUNCED = '0xffffffff'

const FROM = ['source', 'sender', 'stake_holder', 'owner', 'bidder', 'subscriber', 'old_owner', 'initiator']
const TO = ['destination', 'receiver', 'recipient', 'new_owner', 'pool', 'auction', 'beneficiary', 'oapp']
const ITEM = ['nft_item', 'nft_address', 'payout_nft']

/** True for deployments. Their coins are already shown in the transfer or call that carried them. */
const bringsNothing = (type: string): boolean => type === 'contract_deploy'

/** Types of actions that transfer nothing between accounts. */
const MOVES_NOTHING = /^contract_deploy$|^multisig_|_dns$|_whitelist$/
/** Types whose amount goes from the first party to the second. In all other types, such as withdrawals, the amount has a different sender or receiver. */
const PAYS = /^(ton_transfer|call_contract|jetton_transfer|jetton_mint|jetton_burn)$/

/** The jetton or collection of a mint. The action does not contain who ordered the mint. */
const minterOf = (type: string, details: Fields): string | undefined =>
  type === 'jetton_mint' ? addressIn(details, ['asset']) : type === 'nft_mint' ? addressIn(details, ['nft_collection']) : undefined

/** The parties of an action. `unsent`: the source of an injected message, which in fact sent and paid nothing. */
const partiesOf = ({ type, details }: Action, self: string | undefined, unsent: string | undefined) => {
  const giver = addressIn(details, FROM)
  const from = giver ?? minterOf(type, details)
  const to = addressIn(details, TO)
  /** The NFT that is moved or changed. */
  const item = addressIn(details, type.endsWith('_dns') ? ['asset'] : ITEM)
  const isOutside = self === undefined || from === to || MOVES_NOTHING.test(type)
  const isGiven = giver === self && giver !== unsent
  /** The role of the view's account: `in` for the receiver, `out` for the giver, '' for neither. */
  const sign: Flow = isOutside ? '' : to === self ? 'in' : isGiven ? 'out' : ''
  return { from, to, item, sign }
}

const amountOf = ({ type, details }: Action, sign: Flow, exact: boolean): ComponentChildren => {
  if (bringsNothing(type)) return undefined
  const { asset, amount } = details
  const flow = PAYS.test(type) ? sign : ''
  if (typeof amount === 'string')
    return typeof asset === 'string' && isRawAddress(asset) ? (
      <JettonAmount of={amount} jetton={asset} flow={flow} exact={exact} isNamed={type === 'jetton_mint'} />
    ) : (
      <Amount of={amount} flow={flow} exact={exact} />
    )
  const coins = [details['value'], details['price'], details['full_price']].find((each) => typeof each === 'string')
  return coins === undefined ? undefined : <Amount of={coins as string} flow={flow} exact={exact} />
}

/**
 * The amount and the receiver of a transfer that a call orders from a jetton wallet. If the wallet rejects the order, the action has the type
 * `call_contract`, because no jettons were sent.
 */
const orderedOf = (
  { type, details }: Action,
  names: Names,
  bodyFor: Behind['bodyFor'],
  exact: boolean,
): { readonly jettons: ComponentChildren; readonly to: string | undefined } | undefined => {
  if (type !== 'call_contract' || details['opcode'] !== JETTON_TRANSFER) return undefined
  const wallet = addressIn(details, TO)
  const master = tokenOf(wallet, names)?.extra?.['jetton']
  const body = bodyFor(wallet)
  const amount = body?.['amount']
  const digits = typeof amount === 'object' ? (amount as { readonly value?: unknown } | null)?.value : amount
  if (body === undefined || typeof master !== 'string' || typeof digits !== 'string') return undefined
  return { jettons: <JettonAmount of={digits} jetton={master} exact={exact} />, to: decodedAddress(body['destination']) }
}

const swapOf = (details: Fields, exact: boolean): ComponentChildren => {
  const side = (transfer: unknown, asset: unknown): ComponentChildren => {
    const { amount } = (transfer ?? {}) as Fields
    if (typeof amount !== 'string') return undefined
    return typeof asset === 'string' ? <JettonAmount of={amount} jetton={asset} exact={exact} /> : <Amount of={amount} exact={exact} />
  }
  return (
    <>
      {side(details['dex_incoming_transfer'], details['asset_in'])} <span class="dim">for</span>{' '}
      {side(details['dex_outgoing_transfer'], details['asset_out'])}
    </>
  )
}

export interface ActionProps {
  readonly of: Action
  /** The account whose history shows the action. */
  readonly self?: string | undefined
  /** Target of the title's link. Default: the trace. */
  readonly linksTo?: 'trace' | 'transaction' | 'nothing'
  /** True if the action is not in a block yet. */
  readonly pending?: boolean
  /** Display of the time of day next to the age. Default: only the age. */
  readonly clock?: Clock | undefined
  readonly timed?: boolean
  /** Shows all digits of amounts. */
  readonly exact?: boolean
}

const SIGNS = { in: '↓', out: '↑', '': '•' } as const

/** The title of an action: the name of the called opcode, otherwise the type. */
const Title = ({ type, opcode }: { readonly type: string; readonly opcode: string }) => {
  const called = useOpcodeName(type === 'call_contract' && opcode !== '' && opcode !== BOUNCED ? opcode : undefined)
  if (type !== 'call_contract') return <>{titleOf(type)}</>
  if (opcode === BOUNCED) return <span title={opcode}>Bounce</span>
  return called === undefined ? <>Call</> : <span title={opcode}>{tame(humanised(called), 60)}</span>
}

const Order = ({ of: details }: { readonly of: Fields }) => {
  const names = useNames()
  const address = addressIn(details, ['destination_order'])
  return address === undefined ? null : (
    <a href={hrefOf('account', friendly(address, names))}>{`order ${tame(String(details['order_seqno']), 20)}`}</a>
  )
}

/** The comment; without a comment the opcode of a message to an unknown or new contract. */
const Note = ({ of: { type, details } }: { readonly of: Action }) => {
  const text = (name: string): string => (typeof details[name] === 'string' ? details[name] : '')
  const opcode = text('opcode')
  const called = useOpcodeName(opcode === '' ? undefined : opcode)
  if (text('comment') !== '') return <q>{tame(text('comment'), 300)}</q>
  if (type === 'multisig_create_order') return <Order of={details} />
  const record = recordName(details['key'] ?? details['hash'])
  if (record !== undefined) {
    const target = addressIn((details['value'] ?? {}) as Fields, ['dns_smc_address', 'dns_next_resolver_address'])
    // The account's name may come from this very record, so the address is shown too.
    return (
      <>
        record <span class="mono">{record}</span>{' '}
        {target && (
          <span class="to">
            →{'\u00a0'}
            <Account of={target} withAddress />
          </span>
        )}
      </>
    )
  }
  // The title of a call already shows the opcode's name.
  if (type === 'contract_deploy')
    return called === undefined ? null : <span title={opcode}>with the message: {tame(humanised(called), 60)}</span>
  return called !== undefined || opcode === '' || opcode === BOUNCED ? null : (
    <>
      opcode <span class="mono">{tame(opcode, 40)}</span>
    </>
  )
}

/** A badge after the title. If it does not fit in the line, it moves to the start of the next line. */
const SpacedBadge = ({ tone, children }: { readonly tone: 'open' | 'bad'; readonly children: string }) => (
  <>
    {' '}
    <Badge tone={tone}>{children}</Badge>
  </>
)

const By = ({ of, self, isUnsent }: { of: string; self: string | undefined; isUnsent: boolean }) => (
  <span class="to by">
    by <Account of={of} self={self} /> {isUnsent && <Injected />}
  </span>
)

/** `timed`: whether the row shows the time. */
export const ActionLine = ({ of, self, linksTo = 'trace', pending = false, clock, timed = true, exact = false }: ActionProps) => {
  const { type, details, end_utime, trace_id, trace_external_hash, transactions } = of
  const { failures, credit, unsent, callerOf, bodyFor } = useBehind(of)
  const failed = of.success === false && credit === undefined
  const parties = partiesOf(of, self, unsent)
  const { from, item, sign } = parties
  const ordered = orderedOf(of, useNames(), bodyFor, exact)
  // The history of a jetton wallet shows the wallet itself as receiver, because the wallet received the order.
  const to = parties.to === self ? self : (ordered?.to ?? parties.to)
  const opcode = typeof details['opcode'] === 'string' ? details['opcode'] : ''
  const title = <Title type={type} opcode={opcode} />
  const trace = linksTo === 'trace' ? (trace_id ?? trace_external_hash) : undefined
  const hash = linksTo === 'nothing' ? undefined : (trace ?? transactions[0])
  const coins = type === 'jetton_swap' ? swapOf(details, exact) : amountOf(of, item === undefined && !failed ? sign : '', exact)
  const amount = ordered?.jettons ?? coins
  const minter = minterOf(type, details)
  const caller = callerOf(minter)
  return (
    <li class={`action ${failed ? 'failed' : ''}`}>
      <span class={`mark ${sign}`} aria-hidden="true">
        {SIGNS[sign]}
      </span>
      <span class="what">
        {hash ? <a href={txHref(hash)}>{title}</a> : title}
        {pending && <SpacedBadge tone="open">pending</SpacedBadge>}
        {failed && <SpacedBadge tone="bad">failed</SpacedBadge>}
        {sign !== '' && <span class="hidden"> {sign === 'in' ? 'received' : 'sent'}</span>}
      </span>
      <span class="who">
        {from && <Account of={from} self={self} />} {from && from === unsent && <Injected />}{' '}
        {to && (
          <span class="to">
            {/* The no-break space keeps the arrow from ending a line. */}
            <span class="dim">→</span>
            {'\u00a0'}
            <Account of={to} self={self} />
          </span>
        )}
      </span>
      <span class="much">
        {item && <Account of={item} self={self} />} {item && amount && <span class="dim">for</span>} {amount}
      </span>
      <span class="when">{timed && <Time of={end_utime} clock={clock} />}</span>
      <span class="note">
        <Note of={of} /> {caller && <By of={caller} self={self} isUnsent={caller === unsent} />}
        {/* A bounce has the same failures as the action before it, which already shows them. */}
        {!failed && opcode !== BOUNCED && <Failures of={failures} self={self} />}
        {credit !== undefined && <span class="reason">{credit}</span>}
        {failed && failures[0] && <span class="reason">{failureText(failures[0].outcome)}</span>}
      </span>
    </li>
  )
}
