import { useCall } from '../base/call.ts'
import { useAccountEvents } from '../base/events.ts'
import { ton } from '../base/service.ts'
import type { Names } from '../base/types.ts'
import { ActionList, HistoryList } from '../parts/action-list.tsx'
import { BehindContext } from '../parts/action-transactions.tsx'
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
  return <ActionList pending actions={actions} names={{ book: data.address_book, metadata: data.metadata }} self={raw} />
}

export const History = ({ of: { raw, state } }: { readonly of: Subject }) => {
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
            <Empty>{state === undefined ? 'Nothing has happened here yet.' : 'No actions of this account are known here.'}</Empty>
          ) : (
            <BehindContext.Provider value="looked up">
              <HistoryList actions={rows.map(({ action }) => action)} names={mergedNames(rows.map(({ names }) => names))} self={raw} />
              <InjectedMeaning />
            </BehindContext.Provider>
          )
        }
      </Paged>
    </Card>
  )
}

const mergedNames = (all: readonly Names[]): Names => ({
  book: Object.assign({}, ...new Set(all.map(({ book }) => book))),
  ...(all.every(({ metadata }) => metadata !== undefined) && {
    metadata: Object.assign({}, ...new Set(all.map(({ metadata }) => metadata))),
  }),
})

export const Transactions = ({ of: { raw } }: { readonly of: Subject }) => {
  const load = async (cursor: string, signal?: AbortSignal) => {
    const { transactions, address_book, next_cursor } = await ton.v3.transactions({ account: [raw], limit: ROWS, cursor }, { signal })
    return { rows: transactions.map((tx) => ({ tx, names: { book: address_book } })), next: next_cursor }
  }
  return (
    <Card title="Transactions">
      <Paged load={load} deps={['transactions', raw]} follow>
        {(rows) => <TransactionRows rows={rows.map(({ tx }) => tx)} names={mergedNames(rows.map(({ names }) => names))} />}
      </Paged>
    </Card>
  )
}
