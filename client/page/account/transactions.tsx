import type { ComponentChildren } from 'preact'
import { outcomeOf } from '../../outcome.ts'
import { useCall } from '../base/call.ts'
import { counted } from '../base/format.ts'
import { ton } from '../base/service.ts'
import type { Transaction } from '../base/types.ts'
import { useAbout } from '../base/value-lookups.ts'
import { Account } from '../parts/address.tsx'
import { useNames } from '../parts/answer-names.tsx'
import { allFees, purposeText } from '../parts/fees-and-purpose.ts'
import { Injected, InjectedMeaning, unsentSource } from '../parts/injected-message.tsx'
import { Card, Loading, Table } from '../parts/layout.tsx'
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

interface SourceProps {
  /** Null or empty for an external message. */
  readonly of: string | null | undefined
  readonly children?: ComponentChildren
}

const Source = ({ of, children }: SourceProps) =>
  of ? (
    <>
      <Account of={of} /> {children}
    </>
  ) : (
    <>external message</>
  )

const RIGHT = ['Received', 'Sent', 'Fees', 'Time']

interface RowsProps {
  readonly rows: readonly Transaction[]
  readonly withAccount?: boolean
}

const Purpose = ({ of: tx }: { readonly of: Transaction }) => {
  const outcome = outcomeOf(tx)
  const { book } = useNames()
  return (
    <>
      {purposeText(tx, book)} {outcome.failed && <Badge tone="bad">{outcome.short}</Badge>}
    </>
  )
}

export const TransactionRows = ({ rows, withAccount = false }: RowsProps) => {
  // Only an embedded chain can deliver messages that no transaction sent.
  const isLocal = useAbout()?.local === true
  const isInjected = (tx: Transaction): boolean => isLocal && tx.hash === tx.trace_id && unsentSource(tx) !== null
  return (
    <>
      <Table
        label="Transactions"
        class="transfers"
        of={rows}
        id={({ hash }) => hash}
        columns={{
          ...(withAccount && { Account: ({ account }: Transaction) => <Account of={account} /> }),
          What: (tx) => <Purpose of={tx} />,
          From: (tx) => tx.in_msg && <Source of={tx.in_msg.source}>{isInjected(tx) && <Injected />}</Source>,
          Received: ({ in_msg }) => (in_msg?.value ? <Amount of={in_msg.value} flow="in" /> : null),
          To: ({ out_msgs }) => <Receivers of={out_msgs} />,
          Sent: ({ out_msgs }) => sentCoins(out_msgs),
          Fees: (tx) => <Amount of={allFees(tx).toString()} />,
          Time: ({ now }) => <Time of={now} clock="alone" />,
          Hash: ({ hash }) => <Hash of={hash} to="tx" />,
        }}
        right={RIGHT}
        empty="There are no transactions."
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
            of={transactions}
            id={({ transaction_id }) => transaction_id.hash}
            columns={{
              From: ({ in_msg }) => in_msg && <Source of={in_msg.source} />,
              Received: ({ in_msg }) => (in_msg?.source ? <Amount of={in_msg.value} flow="in" /> : null),
              To: ({ out_msgs }) => <Receivers of={out_msgs} />,
              Sent: ({ out_msgs }) => sentCoins(out_msgs),
              Fees: ({ fee }) => <Amount of={fee} />,
              Time: ({ utime }) => <Time of={utime} clock="alone" />,
              Hash: ({ transaction_id }) => <Hash of={transaction_id.hash} />,
            }}
            right={RIGHT}
            empty="There are no transactions."
          />
        )}
      </Loading>
    </Card>
  )
}
