import { failureText, outcomeOf } from '../../outcome.ts'
import { useNow } from '../base/clock.ts'
import { counted } from '../base/format.ts'
import { multisigText, orderText, signedText } from '../base/multisig-text.ts'
import { ton } from '../base/service.ts'
import { useAbout, useExecution } from '../base/value-lookups.ts'
import { AddressesContext } from '../parts/account-names.ts'
import { Account, AccountList } from '../parts/address.tsx'
import { Card, Facts, Table } from '../parts/layout.tsx'
import { Paged } from '../parts/paged.tsx'
import { Badge, FullTime, Hash, Time } from '../parts/values.tsx'
import { accountPart } from './account-part.tsx'
import { type Jettons, loadJettons, type Order, OrderActionLine, OrderActionRow } from './order-action.tsx'
import { outlookOf } from './order-outlook.ts'

interface Listed {
  readonly order: Order
  readonly jettons: Jettons
}

interface Looked extends Listed {
  /** Maximum number of the order's actions to check. Default: all. */
  readonly most?: number
}

/** Finds the actions of an order that will most likely fail. An executed or expired order has none. */
const useOutlook = ({ order, jettons, most }: Looked) => {
  const isOpen = useNow((now) => !order.sent_for_execution && (order.expiration_date === null || now <= order.expiration_date))
  return outlookOf(order, jettons, isOpen ? most : 0)
}

/** `order`: raw address of an order that has all its signatures. */
const Executed = ({ order }: { readonly order: string }) => {
  const execution = useExecution(order)
  if (execution === undefined) return <Badge>sent for execution</Badge>
  const { tx, leftOut } = execution
  if (outcomeOf(tx).failed) return <Badge tone="bad">failed: nothing was carried out</Badge>
  if (leftOut > 0) return <Badge tone="bad">{`carried out without ${counted(leftOut, 'action')}`}</Badge>
  return <Badge tone="ok">carried out</Badge>
}

const ExecutedAt = ({ order }: { readonly order: string }) => {
  const execution = useExecution(order)
  return <span class="dim">executed {execution && <Time of={execution.tx.now} />}</span>
}

const ExecutionText = ({ order }: { readonly order: string }) => {
  const execution = useExecution(order)
  const texts = useAbout()?.exit_codes
  if (execution === undefined) return <span class="dim">not in the index</span>
  const { tx } = execution
  const outcome = outcomeOf(tx, texts)
  return (
    <>
      <Hash of={tx.hash} to="tx" /> on <FullTime of={tx.now} />
      {outcome.failed && <p class="notice bad">{failureText(outcome)}</p>}
    </>
  )
}

/** State of an order: executed or expired, its number of signatures, and its number of actions that will most likely fail. */
const OrderState = (props: Looked) => {
  const { order } = props
  const isOver = useNow((now) => order.expiration_date !== null && now > order.expiration_date)
  const isSent = order.sent_for_execution
  const { text } = useOutlook(props)
  return (
    <>
      {isSent ? <Executed order={order.address} /> : isOver && <Badge tone="bad">expired</Badge>}
      <Badge tone={isSent || isOver ? 'plain' : 'open'}>{signedText(order.approvals_num, order.threshold)}</Badge>
      {text !== undefined && <Badge tone="bad">{text}</Badge>}
    </>
  )
}

/** Maximum number of an order's actions in the list of orders. An order can have 255. */
const MAX_SHOWN = 3
/** Maximum number of an order's actions that the list of orders checks for failures. */
const MAX_CHECKED = 25

const Tasks = ({ of: { order, jettons } }: { readonly of: Listed }) => {
  const actions = order.actions ?? []
  const { failing } = useOutlook({ order, jettons, most: MAX_CHECKED })
  const others = [...failing].filter((i) => i >= MAX_SHOWN).length
  return (
    <ul class="plain-list">
      <AddressesContext.Provider value={true}>
        {actions.slice(0, MAX_SHOWN).map((action, i) => (
          <li key={i}>
            <OrderActionLine of={action} jettons={jettons} isFailing={failing.has(i)} />
          </li>
        ))}
      </AddressesContext.Provider>
      {actions.length > MAX_SHOWN && (
        <li class="dim">
          {counted(actions.length - MAX_SHOWN, 'more action')}{' '}
          {others > 0 && <Badge tone="bad">{`${others} of these will most likely fail`}</Badge>}
        </li>
      )}
    </ul>
  )
}

const orderPages = (multisig: string) => async (cursor: string, signal?: AbortSignal) => {
  const page = await ton.v3.multisig.orders({ multisig_address: [multisig], parse_actions: true, limit: 10, cursor }, { signal })
  const jettons = await loadJettons(
    page.orders.flatMap(({ actions }) => actions?.slice(0, MAX_CHECKED) ?? []),
    signal,
  )
  return { ...page, jettons, address_book: { ...jettons.address_book, ...page.address_book }, metadata: jettons.metadata }
}

const Expiry = ({ of: { address, expiration_date: expires, sent_for_execution: isSent } }: { readonly of: Order }) =>
  isSent ? <ExecutedAt order={address} /> : <Time of={expires} />

export const MultisigCard = accountPart(
  (raw, signal) => ton.v3.multisig.wallets({ address: [raw], include_orders: false }, { signal }),
  ({ raw, data }) => {
    const [multisig] = data.multisigs
    if (multisig === undefined) return null
    return (
      <Card title="Multisig" side={<Badge>{`any ${multisig.threshold ?? '?'} of ${multisig.signers.length} signers`}</Badge>}>
        <Facts
          rows={{
            Signers: <AccountList of={multisig.signers} />,
            Proposers: <AccountList of={multisig.proposers} />,
            'Next order number': multisig.next_order_seqno === '-1' ? 'any number' : (multisig.next_order_seqno ?? undefined),
          }}
        />
        <h3>Orders, last changed first</h3>
        <Paged
          load={orderPages(raw)}
          rows={({ orders, jettons }) => orders.map((order) => ({ order, jettons }))}
          deps={['orders', raw]}
          follow
        >
          {(orders) => (
            <Table
              label="Orders"
              of={orders}
              id={({ order }) => order.address}
              columns={{
                Order: ({ order }) => <Account of={order.address} called={orderText(order.order_seqno)} />,
                'What it does': (listed) => <Tasks of={listed} />,
                Expires: ({ order }) => <Expiry of={order} />,
                State: (listed) => (
                  <span>
                    <OrderState {...listed} most={MAX_CHECKED} />
                  </span>
                ),
              }}
              empty="It has no orders yet."
            />
          )}
        </Paged>
      </Card>
    )
  },
)

/** The proposer of an order and the time of the proposal (unix seconds). Undefined if the index does not have the order. */
const loadProposal = async (order: string, signal: AbortSignal) => {
  const { actions, address_book } = await ton.v3.actions(
    { account: order, action_type: ['multisig_create_order'], sort: 'asc', limit: 1 },
    { signal },
  )
  const { details, end_utime: at } = actions[0] ?? {}
  const by = (details as Readonly<Record<string, unknown>> | undefined)?.['source']
  return typeof by === 'string' && at !== undefined ? { by, at, address_book } : undefined
}

const loadOrder = async (raw: string, signal: AbortSignal) => {
  const [{ orders, address_book }, proposal] = await Promise.all([
    ton.v3.multisig.orders({ address: [raw], parse_actions: true }, { signal }),
    loadProposal(raw, signal),
  ])
  const jettons = await loadJettons(orders[0]?.actions ?? [], signal)
  const book = { ...jettons.address_book, ...proposal?.address_book, ...address_book }
  return { order: orders[0], proposal, jettons, address_book: book, metadata: jettons.metadata }
}

/** All signers of an order, with a mark at those who have signed. `mask`: bit i is set if signer i has signed. */
const Signers = ({ of, mask }: { readonly of: readonly string[]; readonly mask: bigint }) => (
  <ul class="plain-list">
    {of.map((signer, i) => (
      <li key={i}>
        <Account of={signer} /> {(mask >> BigInt(i)) & 1n ? <Badge tone="ok">signed</Badge> : <Badge>not signed</Badge>}
      </li>
    ))}
  </ul>
)

const OrderActions = ({ of: { order, jettons } }: { readonly of: Listed }) => {
  const { faults, failing } = useOutlook({ order, jettons })
  const { actions, multisig_address: multisig } = order
  if (actions === null || actions.length === 0) return <span class="dim">nothing that is known</span>
  return (
    <ul class="plain-list apart">
      {actions.map((action, i) => (
        <OrderActionRow key={i} of={action} multisig={multisig} jettons={jettons} isFailing={failing.has(i)} fault={faults.get(i)} />
      ))}
    </ul>
  )
}

export const OrderCard = accountPart(loadOrder, ({ data: { order, proposal, jettons } }) => {
  if (order === undefined) return null
  const mask = BigInt(order.approvals_mask ?? 0)
  return (
    <Card title="Order" side={<OrderState order={order} jettons={jettons} />}>
      <AddressesContext.Provider value={true}>
        <Facts
          rows={{
            Multisig: <Account of={order.multisig_address} called={multisigText(order)} />,
            'Proposed by': proposal && (
              <>
                <Account of={proposal.by} /> on <FullTime of={proposal.at} />
              </>
            ),
            Signers: <Signers of={order.signers ?? []} mask={mask} />,
            Expires: order.expiration_date === null ? undefined : <FullTime of={order.expiration_date} />,
            Execution: order.sent_for_execution ? <ExecutionText order={order.address} /> : undefined,
            'What it does': <OrderActions of={{ order, jettons }} />,
          }}
        />
      </AddressesContext.Provider>
    </Card>
  )
})
