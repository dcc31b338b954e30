import { useCall } from '../base/call.ts'
import { useAccountEvents } from '../base/events.ts'
import { groups } from '../base/format.ts'
import { ton } from '../base/service.ts'
import type { Names, Transaction } from '../base/types.ts'
import { ActionList } from '../parts/action.tsx'
import { Card, Empty, Loading, Table } from '../parts/layout.tsx'
import { Paged } from '../parts/paged.tsx'
import { Account, Amount, Badge, Hash, Time } from '../parts/values.tsx'
import { outcomeOf, receivedText } from '../trace/outcome.ts'
import type { Subject } from './account.tsx'

/* The history of an account: its actions, and its transactions. */

const ROWS = 25

/** The pending actions of the account: what will follow from messages that are in no block yet. */
const Pending = ({ raw }: { readonly raw: string }) => {
  const answer = useCall((signal) => ton.v3.pendingActions({ account: raw }, { signal }), ['pending', raw], true)
  useAccountEvents(raw, answer.again)
  const { data } = answer
  if (data === undefined || data.actions.length === 0) return null
  return <ActionList pending actions={data.actions} names={{ book: data.address_book, metadata: data.metadata }} self={raw} />
}

export const History = ({ of: { raw } }: { readonly of: Subject }) => {
  const load = async (cursor: string, signal?: AbortSignal) => {
    const { actions, address_book, metadata, next_cursor } = await ton.v3.actions({ account: raw, limit: ROWS, cursor }, { signal })
    return { rows: actions.map((action) => ({ action, names: { book: address_book, metadata } })), next: next_cursor }
  }
  return (
    <Card title="History">
      <Pending raw={raw} />
      <Paged load={load} deps={['history', raw]} follow>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>Nothing has happened here yet.</Empty>
          ) : (
            <ActionList actions={rows.map(({ action }) => action)} names={mergedNames(rows.map(({ names }) => names))} self={raw} />
          )
        }
      </Paged>
    </Card>
  )
}

/** The names of several answers. */
const mergedNames = (all: readonly Names[]): Names => ({
  book: Object.assign({}, ...new Set(all.map(({ book }) => book))),
  metadata: Object.assign({}, ...new Set(all.map(({ metadata }) => metadata))),
})

export const TransactionRows = ({
  rows,
  names,
  withAccount = false,
}: {
  readonly rows: readonly Transaction[]
  readonly names: Names
  readonly withAccount?: boolean
}) => (
  <Table
    label="Transactions"
    head={[...(withAccount ? ['Account'] : []), 'Received', 'From', 'Value', 'Sent', 'Fees', 'Time', 'Hash']}
    right={['Value', 'Sent', 'Fees', 'Time']}
    empty="There are no transactions."
    rows={rows.map((tx) => {
      const outcome = outcomeOf(tx)
      return {
        key: tx.hash,
        cells: [
          ...(withAccount ? [<Account of={tx.account} names={names} />] : []),
          <>
            {receivedText(tx)} {outcome.failed && <Badge tone="bad">{outcome.short}</Badge>}
          </>,
          tx.in_msg === null ? (
            <span class="dim">nobody</span>
          ) : tx.in_msg.source === null ? (
            'outside'
          ) : (
            <Account of={tx.in_msg.source} names={names} />
          ),
          tx.in_msg?.value ? <Amount of={tx.in_msg.value} /> : <span class="dim">none</span>,
          groups(String(tx.out_msgs.length)),
          <Amount of={tx.total_fees} />,
          <Time of={tx.now} />,
          <Hash of={tx.hash} to="tx" />,
        ],
      }
    })}
  />
)

export const Transactions = ({ of: { raw } }: { readonly of: Subject }) => {
  const load = async (cursor: string, signal?: AbortSignal) => {
    const { transactions, address_book, next_cursor } = await ton.v3.transactions({ account: [raw], limit: ROWS, cursor }, { signal })
    return { rows: transactions.map((tx) => ({ tx, names: { book: address_book, metadata: {} } })), next: next_cursor }
  }
  return (
    <Card title="Transactions">
      <Paged load={load} deps={['transactions', raw]} follow>
        {(rows) => <TransactionRows rows={rows.map(({ tx }) => tx)} names={mergedNames(rows.map(({ names }) => names))} />}
      </Paged>
    </Card>
  )
}

/** The newest transactions from v2, if there is no index. */
export const PlainTransactions = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.getTransactions({ address: raw, limit: ROWS }, { signal }), ['plain', raw], true)
  return (
    <Card title="Newest transactions">
      <Loading of={answer} lines={5}>
        {(transactions) => (
          <Table
            label="Newest transactions"
            head={['From', 'Value', 'Sent', 'Fees', 'Time', 'Hash']}
            right={['Value', 'Sent', 'Fees', 'Time']}
            empty="There are no transactions."
            rows={transactions.map(({ transaction_id, in_msg, out_msgs, fee, utime }) => ({
              key: transaction_id.hash,
              cells: [
                in_msg?.source ? <Account of={in_msg.source} /> : 'outside',
                <Amount of={in_msg?.value ?? '0'} />,
                String(out_msgs.length),
                <Amount of={fee} />,
                <Time of={utime} />,
                <Hash of={transaction_id.hash} />,
              ],
            }))}
          />
        )}
      </Loading>
    </Card>
  )
}
