import { useEffect, useRef, useState } from 'preact/hooks'
import { watch } from '../../index.ts'
import { useCall } from '../base/call.ts'
import { status } from '../base/live.ts'
import { eventClient, ton } from '../base/service.ts'
import { useStore } from '../base/store.ts'
import { ActionList, HistoryList } from '../parts/action-list.tsx'
import { BehindContext, createActionsLoad } from '../parts/action-transactions.tsx'
import { AnswerNames } from '../parts/answer-names.tsx'
import { InjectedMeaning } from '../parts/injected-message.tsx'
import { Card, Empty } from '../parts/layout.tsx'
import { Paged } from '../parts/paged.tsx'
import { byTrace } from '../parts/sort-actions.ts'
import type { Subject } from './account.tsx'
import { TransactionRows } from './transactions.tsx'

const ROWS = 25

/**
 * Calls `onEvent` when an event of the account arrives (a message was sent, a part of its trace is in a block, or a pending trace was invalidated) and when
 * the subscription starts. If the service has no events, `onEvent` is never called, and views reload with new blocks.
 */
const useAccountEvents = (raw: string, onEvent: () => void): void => {
  const indexed = useStore(status, (value) => value?.index !== undefined)
  const newest = useRef(onEvent)
  useEffect(() => {
    newest.current = onEvent
  })
  useEffect(() => {
    if (!indexed) return
    const leaving = new AbortController()
    const follow = async (): Promise<void> => {
      const filter = { types: ['actions', 'trace_invalidated'], addresses: [raw], min_finality: 'pending' } as const
      // Events before the subscription are lost, so the view reloads.
      const onSubscribed = (): void => newest.current()
      for await (const _ of watch(eventClient(), filter, { signal: leaving.signal, onSubscribed })) newest.current()
    }
    follow().catch(() => {})
    return () => leaving.abort()
  }, [raw, indexed])
}

const Pending = ({ raw }: { readonly raw: string }) => {
  const answer = useCall((signal) => ton.v3.pendingActions({ account: raw }, { signal }), ['pending', raw], true)
  useAccountEvents(raw, answer.again)
  const { data } = answer
  if (data === undefined || data.actions.length === 0) return null
  const actions = byTrace(data.actions).flat()
  return (
    <AnswerNames of={data}>
      <ActionList pending actions={actions} self={raw} />
    </AnswerNames>
  )
}

export const History = ({ of: { raw, state } }: { readonly of: Subject }) => {
  const [load] = useState(createActionsLoad)
  return (
    <Card title="History">
      <Pending raw={raw} />
      <Paged
        load={(cursor, signal) => load({ account: raw, limit: ROWS, cursor }, signal)}
        rows={({ actions, transactions }) => actions.map((action) => ({ action, transactions }))}
        deps={['history', raw]}
        follow
      >
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{state === undefined ? 'Nothing has happened here yet.' : 'No actions of this account are known here.'}</Empty>
          ) : (
            <BehindContext.Provider value={{ transactions: Object.assign({}, ...new Set(rows.map(({ transactions }) => transactions))) }}>
              <HistoryList actions={rows.map(({ action }) => action)} self={raw} />
              <InjectedMeaning />
            </BehindContext.Provider>
          )
        }
      </Paged>
    </Card>
  )
}

export const Transactions = ({ of: { raw } }: { readonly of: Subject }) => {
  const load = (cursor: string, signal?: AbortSignal) => ton.v3.transactions({ account: [raw], limit: ROWS, cursor }, { signal })
  return (
    <Card title="Transactions">
      <Paged load={load} rows={({ transactions }) => transactions} deps={['transactions', raw]} follow>
        {(rows) => <TransactionRows rows={rows} />}
      </Paged>
    </Card>
  )
}
