import { useState } from 'preact/hooks'
import { useCall } from '../base/call.ts'
import { useAccountEvents } from '../base/events.ts'
import { ton } from '../base/service.ts'
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
