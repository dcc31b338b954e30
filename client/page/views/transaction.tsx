import { useMemo, useRef, useState } from 'preact/hooks'
import { outcomeOf } from '../../outcome.ts'
import { hashToHex } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { shortened } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import { ton } from '../base/service.ts'
import type { Trace, Transaction } from '../base/types.ts'
import { AddressesContext } from '../parts/account-names.ts'
import { ActionList } from '../parts/action-list.tsx'
import { BehindContext } from '../parts/action-transactions.tsx'
import type { Describing } from '../parts/answer-names.tsx'
import { BalanceChanges } from '../parts/balance-change-list.tsx'
import { totalFees } from '../parts/fees-and-purpose.ts'
import { unsentSource } from '../parts/injected-message.tsx'
import { Card, Empty, EmptyCard, Facts, Heading, Loading } from '../parts/layout.tsx'
import { Beginning } from '../parts/more-rows.tsx'
import { OtherNetworks } from '../parts/other-networks.tsx'
import { byCause } from '../parts/sort-actions.ts'
import { Amount, Badge, FullTime, Hash } from '../parts/values.tsx'
import { Steps } from '../trace/steps.tsx'
import { Picture } from '../trace/trace-picture.tsx'
import { TransactionView } from '../trace/transaction.tsx'

/** Number of actions that are shown at first. A trace can have thousands. */
const FIRST = 25
const MORE = 100

interface Shown extends Describing {
  readonly trace: Trace | undefined
  readonly transactions: Readonly<Record<string, Transaction>>
  readonly requested: string
  /** True if the trace is not in a block yet, so the shown data was emulated. */
  readonly pending: boolean
}

/** Loads the trace of a transaction hash or a message hash; null for an unknown hash. */
const load = async (hash: string, signal: AbortSignal): Promise<Shown | null> => {
  const [byTx, byMessage, expected] = await ton.batch(
    [
      { method: 'v3.traces', params: { tx_hash: [hash], include_actions: true, limit: 1 } },
      { method: 'v3.traces', params: { msg_hash: [hash], include_actions: true, limit: 1 } },
      { method: 'v3.pendingTraces', params: { ext_msg_hash: [hash] } },
    ],
    { signal },
  )
  if (!byTx.ok) throw byTx.error
  const isTransaction = byTx.result.traces.length > 0
  const found = isTransaction || !byMessage.ok ? byTx.result : byMessage.result
  const pending = found.traces.length === 0 && expected.ok && expected.result.traces.length > 0
  const answer = pending ? expected.result : found
  const trace = answer.traces[0]
  const transactions = trace?.transactions ?? {}
  const [single] =
    Object.keys(transactions).length > 0 && !isTransaction
      ? []
      : (await ton.v3.transactions({ hash: [hash], limit: 1 }, { signal })).transactions
  if (trace === undefined && single === undefined) return null
  const own = hashToHex(hash)
  const received = Object.values(transactions).find(({ in_msg }) => in_msg && hashToHex(in_msg.hash) === own)
  return {
    ...answer,
    trace,
    transactions: { ...(single && { [single.hash]: single }), ...transactions },
    requested: single?.hash ?? received?.hash ?? trace?.trace?.tx_hash ?? trace?.trace_id ?? '',
    pending,
  }
}

const STATES: Readonly<Record<string, string>> = {
  complete: 'finished',
  pending: 'still going on',
  broken: 'its beginning is not in the index',
}

/** Shows how many of the loaded transactions failed. Success is shown only if all transactions are loaded and no more can follow. */
const Success = ({ of, isAll }: { readonly of: readonly Transaction[]; readonly isAll: boolean }) => {
  const failed = of.filter((tx) => outcomeOf(tx).failed).length
  if (failed === 0) return isAll ? <Badge tone="ok">success</Badge> : null
  return <Badge tone="bad">{failed === 1 ? 'one transaction failed' : `${failed} transactions failed`}</Badge>
}

const WARNINGS: Readonly<Record<string, string>> = {
  'trace is too large': 'This trace is too large to be loaded in whole.',
  'trace is too deep': 'This trace is too deep to be drawn.',
  'missing node in trace found': 'A transaction of this trace is not in the index.',
}

/** Why there is no picture, and where to find the other transactions. */
const Incomplete = ({ warning = '', actions }: { readonly warning: string | undefined; readonly actions: number }) => (
  <p class="notice">
    {WARNINGS[warning] ?? `This trace is not complete${warning && `: ${warning}`}.`} Only the chosen transaction is shown
    {actions > 0 && '; each action leads to its own'}.
  </p>
)

interface SummaryProps {
  readonly trace: Trace
  /** All transactions of the trace; empty if some are not loaded. */
  readonly transactions: readonly Transaction[]
}

const Summary = ({ trace, transactions }: SummaryProps) => (
  <Facts
    rows={{
      Started: <FullTime of={trace.start_utime} />,
      State: STATES[trace.trace_info.trace_state] ?? trace.trace_info.trace_state,
      'Total fees':
        transactions.length > 0 ? (
          <>
            <Amount of={totalFees(transactions)} exact /> <span class="dim">with the delivery of messages</span>
          </>
        ) : undefined,
      'Balance changes': transactions.length > 0 ? <BalanceChanges transactions={transactions} actions={trace.actions ?? []} /> : undefined,
      'Begun by message': trace.external_hash ? <Hash of={trace.external_hash} to="tx" full /> : undefined,
    }}
  />
)

/**
 * Source of the trace's first message, if no transaction of that account sent the message, as after local.sendInternal. If the index merely lacked that
 * transaction, the state of the trace would be `broken`.
 */
const unsentOf = ({ trace, trace_info: { trace_state: state } }: Trace, transactions: Shown['transactions']): string | undefined => {
  const first = trace && transactions[trace.tx_hash]
  return first === undefined || state === 'broken' ? undefined : (unsentSource(first) ?? undefined)
}

const TraceView = ({ hash, of: { trace, transactions, requested, pending } }: { readonly hash: string; readonly of: Shown }) => {
  const [chosen, choose] = useState(requested)
  const tx = transactions[chosen]
  const lateAnswer = useCall(
    tx ? undefined : async (signal) => (await ton.v3.transactions({ hash: [chosen], limit: 1 }, { signal })).transactions[0] ?? null,
    [chosen],
  )
  const shown = tx ?? lateAnswer.data ?? undefined
  const actions = useMemo(() => byCause(trace?.actions ?? []), [trace])
  const loaded = Object.values(transactions)
  const isWhole = trace !== undefined && !trace.is_incomplete && trace.trace_info.transactions === loaded.length
  const unsent = trace !== undefined && !pending ? unsentOf(trace, transactions) : undefined
  const behind = useMemo(() => ({ transactions, unsent }), [transactions, unsent])
  const isOver = trace?.trace_info.trace_state === 'complete' && !pending
  return (
    <>
      {pending && (
        <p class="notice" role="status">
          This was sent and is in no block yet. What follows from it was computed beforehand; the next block can change it.
        </p>
      )}
      {trace && (
        <Card title="Actions" side={<Success of={loaded} isAll={isWhole && isOver} />}>
          {actions.length === 0 ? (
            <Empty>No known actions.</Empty>
          ) : (
            <Beginning of={actions} first={FIRST} more={MORE}>
              {(shown) => (
                <BehindContext.Provider value={behind}>
                  <ActionList actions={shown} exact linksTo={trace.trace ? 'nothing' : 'transaction'} pending={pending} />
                </BehindContext.Provider>
              )}
            </Beginning>
          )}
          <Summary trace={trace} transactions={isWhole ? loaded : []} />
        </Card>
      )}
      {trace?.is_incomplete && <Incomplete warning={trace.warning} actions={actions.length} />}
      {trace?.trace && (
        <Card title="Trace">
          <Picture root={trace.trace} transactions={transactions} isUnsent={unsent !== undefined} selected={chosen} select={choose} />
        </Card>
      )}
      <Card title="Transaction">
        {shown ? (
          <TransactionView
            of={shown}
            isOfView={hashToHex(shown.hash) === hashToHex(hash)}
            pending={pending}
            isUnsent={unsent !== undefined && shown.hash === trace?.trace?.tx_hash}
          />
        ) : (
          <Loading of={lateAnswer}>{() => <Empty>This transaction is not in the index.</Empty>}</Loading>
        )}
      </Card>
      {shown && !pending && <Steps key={shown.hash} of={shown} />}
    </>
  )
}

export const TransactionPage = ({ hash }: { readonly hash: string }) => {
  // A trace that is missing or incomplete is loaded again with new blocks. The ref contains the hash of a complete trace.
  const whole = useRef('')
  const answer = useCall(
    async (signal) => {
      const shown = await load(hash, signal)
      whole.current = shown?.trace?.trace_info.trace_state === 'complete' && !shown.pending ? hash : ''
      return shown
    },
    ['tx', hash],
    whole.current !== hash,
  )
  return (
    <>
      <Heading title="Transaction" tab={`Transaction ${shortened(hash, 6, 6)}`}>
        <Hash of={hash} full />
      </Heading>
      <Loading of={answer} lines={8}>
        {(shown) =>
          shown === null ? (
            <EmptyCard>
              <strong>No transaction or message with this hash is known on this network.</strong>
              <br />
              <span class="looking" role="status">
                <span class="dot" aria-hidden="true" /> The page keeps looking for it, and shows it as soon as it arrives.
              </span>
              <OtherNetworks view={hrefOf('tx', hash)}>
                <br />
                It may be of another network of this service:
              </OtherNetworks>
            </EmptyCard>
          ) : (
            <AddressesContext.Provider value={true}>
              <TraceView key={`${hash}${shown.requested}${shown.pending}`} hash={hash} of={shown} />
            </AddressesContext.Provider>
          )
        }
      </Loading>
    </>
  )
}
