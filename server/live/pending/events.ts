import { compareLt } from '../../store/queries/transactions/transaction-key.ts'
import type { LiveEvent } from '../events.ts'
import type { Filter } from '../filter.ts'
import type { Hub } from '../hub.ts'
import type { AliveTrace } from '../send-outside-blocks.ts'
import { createBoard, type PendingBoard, type Posted } from './board.ts'
import { type PublishedTrace, unpack } from './published-trace.ts'

/* Creates the events of pending traces: transactions, actions and the trace, in this order; or `trace_invalidated`. */

/** The events of a pending trace. They are in no block, so their `place` is empty. */
const traceEvents = (published: PublishedTrace): readonly LiveEvent[] => {
  const { transactions, actions, finality } = published
  const traceHash = published.isExternal ? published.hashNorm : undefined
  const otherHashes = [published.hash, ...(published.traceId === null ? [] : [published.traceId])]
  const common = { traceHash, otherHashes, emulated: published.accounts, place: '' }
  const newest = [...transactions].sort((a, b) => compareLt(b.lt, a.lt))
  return [
    { ...common, finality: finality.transactions, body: { type: 'transactions', scope: 'both', transactions: newest } },
    ...(actions.length === 0 ? [] : [{ ...common, finality: finality.actions, body: { type: 'actions', actions } } as const]),
    {
      ...common,
      finality: finality.actions,
      body: {
        type: 'trace',
        accounts: new Set(transactions.map(({ account }) => account)),
        named: transactions.flatMap(({ named }) => named),
        actions,
        wire: {
          trace_id: published.traceId,
          trace: published.tree,
          transactions: Object.fromEntries(newest.map(({ hash, wire }) => [hash, wire])),
          ...(published.isIncomplete && { is_incomplete: true }),
        },
      },
    },
  ]
}

/**
 * Event for a trace that will not happen as it was published. Its finality is the highest, so that every listener that got the trace gets this event too,
 * whatever its minimum finality.
 */
const invalidated = (hashNorm: string): LiveEvent => ({
  body: { type: 'trace_invalidated' },
  finality: 'finalized',
  traceHash: hashNorm,
  otherHashes: [],
  place: '',
})

/** Maximum number of pending traces that are sent to a listener that has reconnected. */
const MAX_ALIVE = 1_000

/** Returns the pending traces that a filter may accept and that are not completely in blocks, oldest first. */
const aliveTraces = (board: Pick<PendingBoard, 'ofAccount' | 'ofMessage'>, { accounts, hashes }: Filter): readonly AliveTrace[] => {
  const found = new Set<Posted>()
  for (const account of accounts) for (const posted of board.ofAccount(account)) found.add(posted)
  for (const hash of hashes) {
    const posted = board.ofMessage(hash)
    if (posted) found.add(posted)
  }
  const alive = [...found].filter(({ committedAt }) => committedAt === undefined).slice(0, MAX_ALIVE)
  return alive.reverse().map(({ hashNorm, packed }) => ({
    events: () => traceEvents(unpack(packed)),
    isCurrent() {
      const now = board.ofMessage(hashNorm)
      return now?.packed === packed && now.committedAt === undefined
    },
  }))
}

/** Creates the board of pending traces. Every change of it is published as events. */
export const createPublishedBoard = (hub: Pick<Hub, 'publish' | 'isWatched' | 'setAlive'>): PendingBoard => {
  const board = createBoard({
    published(trace, accounts) {
      if (hub.isWatched(accounts, [trace.hash, trace.hashNorm])) hub.publish(traceEvents(trace))
    },
    removed(hashNorm, isInvalid) {
      if (isInvalid) hub.publish([invalidated(hashNorm)])
    },
  })
  hub.setAlive((filter) => aliveTraces(board, filter))
  return board
}
