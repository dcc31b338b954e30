import { addressIn } from '../base/address.ts'
import { ton } from '../base/service.ts'
import type { Answer, Fields } from '../base/types.ts'
import { titleOf } from '../parts/action-titles.ts'
import { Account } from '../parts/address.tsx'
import type { Describing } from '../parts/answer-names.tsx'
import { Body } from '../parts/body.tsx'
import { JettonAmount } from '../parts/token.tsx'
import { Amount, Badge } from '../parts/values.tsx'
import { type Fault, otherOwner } from './order-outlook.ts'
import { carriedBy, deletesSender, isLeftOut, modeText } from './send-mode.ts'

export type Order = Answer<'v3.multisig.orders'>['orders'][number]
export type OrderAction = NonNullable<Order['actions']>[number]

export interface Jettons extends Required<Describing> {
  /** Raw address of a jetton wallet or master that a message goes to -> raw address of the master. */
  readonly masters: ReadonlyMap<string, string>
  /** Raw address of a jetton wallet -> raw address of its owner. */
  readonly owners: ReadonlyMap<string, string>
}

export const loadJettons = async (actions: readonly OrderAction[], signal: AbortSignal | undefined): Promise<Jettons> => {
  const targets = [
    ...new Set(actions.flatMap(({ parsed_body_type, destination }) => (/^jetton_/.test(parsed_body_type) && destination) || [])),
  ]
  if (targets.length === 0) return { masters: new Map(), owners: new Map(), address_book: {}, metadata: {} }
  const query = { address: targets, limit: targets.length }
  const [wallets, masters] = await Promise.all([ton.v3.jetton.wallets(query, { signal }), ton.v3.jetton.masters(query, { signal })])
  return {
    masters: new Map([
      ...wallets.jetton_wallets.map(({ address, jetton }) => [address, jetton] as const),
      ...masters.jetton_masters.map(({ address }) => [address, address] as const),
    ]),
    owners: new Map(wallets.jetton_wallets.map(({ address, owner }) => [address, owner])),
    address_book: { ...wallets.address_book, ...masters.address_book },
    metadata: { ...wallets.metadata, ...masters.metadata },
  }
}

/** Names of the body's members with the amount and the receiver, by the type of the body. */
const PAYMENTS: Readonly<Record<string, { readonly amount: readonly string[]; readonly to: readonly string[] }>> = {
  jetton_transfer: { amount: ['amount'], to: ['destination'] },
  jetton_burn: { amount: ['amount'], to: [] },
  jetton_mint: { amount: ['jetton_amount', 'master_msg_jetton_amount'], to: ['to_address'] },
  nft_transfer: { amount: [], to: ['new_owner'] },
}

/** The payment of jettons or of an NFT, which the signers of a multisig decide on. Undefined for a message that carries only coins. */
const paymentOf = (action: OrderAction, jetton: string | undefined) => {
  const { parsed_body_type: type, destination } = action
  const members = PAYMENTS[type]
  if (members === undefined) return undefined
  const body: Fields = action.parsed_body ?? {}
  const amountName = members.amount.find((name) => typeof body[name] === 'string')
  const units = amountName === undefined ? undefined : String(body[amountName])
  const amount =
    type === 'nft_transfer' ? (
      <Account of={destination} />
    ) : units === undefined ? undefined : jetton === undefined ? (
      <Amount of={units} decimals={0} unit="smallest units of an unknown jetton" exact />
    ) : (
      <JettonAmount of={units} jetton={jetton} exact />
    )
  return {
    amount,
    /** Raw address of the receiver. */
    to: addressIn(body, members.to),
    /** Members of the body that the first line already shows. */
    shownMembers: [...(amountName === undefined ? [] : [amountName]), ...members.to],
  }
}

const To = ({ of }: { readonly of: string }) => (
  <span class="to">
    → <Account of={of} />
  </span>
)

interface LineProps {
  readonly of: OrderAction
  readonly jettons: Jettons
  readonly isFailing: boolean
}

const Coins = ({ of: { value, send_mode: mode } }: { readonly of: OrderAction }) => {
  const carried = carriedBy(mode)
  if (carried === 'everything')
    return <strong class="alarm">{`all coins of the multisig${deletesSender(mode) ? ', which is deleted' : ''}`}</strong>
  if (carried === 'nothing: invalid') return <strong class="alarm">{`nothing: ${mode} is not a valid send mode`}</strong>
  return (
    <>
      <Amount of={value} exact />
      {carried === 'value and rest' && ' and the coins that the order has left'}
    </>
  )
}

const carriesValue = ({ send_mode: mode }: OrderAction): boolean => carriedBy(mode) === 'value'

export const OrderActionLine = ({ of, jettons, isFailing }: LineProps) => {
  const { parsed, parsed_body_type: type, error, value, destination } = of
  const payment = paymentOf(of, jettons.masters.get(destination ?? ''))
  const to = payment ? payment.to : destination
  return (
    <>
      <strong>{parsed ? titleOf(type) : `Not readable: ${error ?? ''}`}</strong>{' '}
      {payment ? payment.amount : value !== null && <Coins of={of} />} {to && <To of={to} />}{' '}
      {payment && value !== null && !carriesValue(of) && (
        <>
          with <Coins of={of} />
        </>
      )}{' '}
      {isFailing && <Badge tone="bad">will most likely fail</Badge>}
    </>
  )
}

interface FaultProps {
  readonly of: OrderAction
  readonly fault: Fault
  /** Raw address of the owner of the destination jetton wallet, if the owner is not the multisig. */
  readonly owner: string | undefined
}

const FaultNotice = ({ of: { send_mode: mode }, fault, owner }: FaultProps) => (
  <p class="notice bad">
    {fault === 'other owner' && owner !== undefined && (
      <>
        This jetton wallet is owned by <Account of={owner} />, not by this multisig. It takes orders from its owner alone.
      </>
    )}
    {fault === 'invalid mode' && `No message can be sent with mode ${mode}. `}
    {fault === 'nothing left' && 'An action before this one sends all coins of the multisig, so nothing is left to send this one. '}
    {fault !== 'other owner' &&
      (isLeftOut(mode) ? 'It is left out.' : 'Its mode does not leave it out, so no action of this order takes effect.')}
  </p>
)

interface RowProps extends LineProps {
  /** Raw address of the multisig that sends the message. */
  readonly multisig: string
  /** Why the action will most likely fail by itself, whatever the rest of the order does. */
  readonly fault: Fault | undefined
}

/** One action of an order. Empty and absent members of its body are omitted. */
export const OrderActionRow = ({ of, multisig, jettons, isFailing, fault }: RowProps) => {
  const { parsed_body_type: type, parsed_body: body, value, destination } = of
  const jetton = jettons.masters.get(destination ?? '')
  const payment = paymentOf(of, jetton)
  return (
    <li>
      <OrderActionLine of={of} jettons={jettons} isFailing={isFailing} />
      {payment && value !== null && (
        <p class="dim">
          {carriesValue(of) && (
            <>
              with <Amount of={value} exact /> for fees,{' '}
            </>
          )}
          sent to the {type === 'nft_transfer' ? 'NFT' : type === 'jetton_mint' ? 'jetton' : 'jetton wallet'} <Account of={destination} />
        </p>
      )}
      {value !== null && carriedBy(of.send_mode) !== 'nothing: invalid' && <p class="dim">{modeText(of.send_mode)}</p>}
      {body && <Body of={body} type={type} jetton={jetton} without={payment?.shownMembers ?? []} />}
      {fault && <FaultNotice of={of} fault={fault} owner={otherOwner(of, multisig, jettons)} />}
    </li>
  )
}
