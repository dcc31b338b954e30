import type { ComponentChildren } from 'preact'
import { useCall } from '../base/call.ts'
import { unsentSource } from '../base/first-message-source.ts'
import { counted } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { useAbout } from '../base/service-about.ts'
import type { Transaction } from '../base/types.ts'
import { Account } from '../parts/address.tsx'
import { Injected, InjectedMeaning } from '../parts/injected-message.tsx'
import { Card, Loading, Table } from '../parts/layout.tsx'
import { allFees, outcomeOf, purposeText } from '../parts/outcome.ts'
import { Amount, Badge, Hash, Time } from '../parts/values.tsx'
import type { Subject } from './account.tsx'

/** Number of newest transactions that are shown without an index. */
const ROWS = 25

interface Sent {
  /** null or empty for an external outbound message, which carries no coins. */
  readonly destination?: string | null
  /** Nanograms. */
  readonly value?: string | number | null
}

const Receivers = ({ of }: { readonly of: readonly Sent[] }) => {
  const receivers = [...new Set(of.map(({ destination }) => destination || ''))]
  if (receivers.length === 0) return null
  if (receivers.length > 1) return <>{counted(receivers.length, 'receiver')}</>
  return receivers[0] === '' ? <>outside</> : <Account of={receivers[0]} />
}

const sentCoins = (of: readonly Sent[]): ComponentChildren => {
  const paying = of.filter(({ destination }) => destination)
  return paying.length === 0 ? null : <Amount of={paying.reduce((sum, { value }) => sum + BigInt(value || 0), 0n).toString()} flow="out" />
}

const EXTERNAL = 'external message'

interface SourceProps {
  readonly of: Transaction
  /** True for an embedded chain, which can deliver messages that no transaction sent. */
  readonly isLocal: boolean
}

const Source = ({ of: tx, isLocal }: SourceProps) => {
  if (tx.in_msg?.source == null) return <>{EXTERNAL}</>
  return (
    <>
      <Account of={tx.in_msg.source} /> {isLocal && tx.hash === tx.trace_id && unsentSource(tx) !== null && <Injected />}
    </>
  )
}

const HEAD = ['From', 'Received', 'To', 'Sent', 'Fees', 'Time', 'Hash']
const RIGHT = ['Received', 'Sent', 'Fees', 'Time']

interface RowsProps {
  readonly rows: readonly Transaction[]
  readonly withAccount?: boolean
}

export const TransactionRows = ({ rows, withAccount = false }: RowsProps) => {
  const isLocal = useAbout()?.local === true
  return (
    <>
      <Table
        label="Transactions"
        class="transfers"
        head={[...(withAccount ? ['Account'] : []), 'What', ...HEAD]}
        right={RIGHT}
        empty="There are no transactions."
        rows={rows.map((tx) => {
          const outcome = outcomeOf(tx)
          const { in_msg: received, out_msgs: sent } = tx
          return {
            key: tx.hash,
            cells: [
              ...(withAccount ? [<Account of={tx.account} />] : []),
              <>
                {purposeText(tx)} {outcome.failed && <Badge tone="bad">{outcome.short}</Badge>}
              </>,
              received === null ? null : <Source of={tx} isLocal={isLocal} />,
              received?.value ? <Amount of={received.value} flow="in" /> : null,
              sent.length > 0 ? <Receivers of={sent} /> : null,
              sentCoins(sent),
              <Amount of={allFees(tx).toString()} />,
              <Time of={tx.now} clock="alone" />,
              <Hash of={tx.hash} to="tx" />,
            ],
          }
        })}
      />
      <InjectedMeaning />
    </>
  )
}

/** The newest transactions from v2, for services without an index. */
export const PlainTransactions = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.getTransactions({ address: raw, limit: ROWS }, { signal }), ['plain', raw], true)
  return (
    <Card title="Newest transactions">
      <Loading of={answer} lines={5}>
        {(transactions) => (
          <Table
            label="Newest transactions"
            class="transfers"
            head={HEAD}
            right={RIGHT}
            empty="There are no transactions."
            rows={transactions.map(({ transaction_id, in_msg, out_msgs, fee, utime }) => ({
              key: transaction_id.hash,
              cells: [
                in_msg === undefined ? null : in_msg.source ? <Account of={in_msg.source} /> : EXTERNAL,
                in_msg?.source ? <Amount of={in_msg.value} flow="in" /> : null,
                out_msgs.length > 0 ? <Receivers of={out_msgs} /> : null,
                sentCoins(out_msgs),
                <Amount of={fee} />,
                <Time of={utime} clock="alone" />,
                <Hash of={transaction_id.hash} />,
              ],
            }))}
          />
        )}
      </Loading>
    </Card>
  )
}
