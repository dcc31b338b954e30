import type { Log } from '../base/log.ts'
import type { Link } from '../base/threads/link.ts'
import type { Hub } from '../live/hub.ts'
import { createBoard } from '../live/pending/board.ts'
import { publishPending } from '../live/pending/events.ts'
import type { PendingNews } from '../live/pending/told-trace.ts'
import type { Pending } from '../network/pending.ts'
import type { SendMessage } from './messages.ts'

/* The pending traces of the primary, in a worker. Messages of a worker are sent by the primary, so nothing is lost when a worker dies. */

export interface WorkerPendingDeps {
  readonly link: Link
  readonly network: string
  readonly live: Hub
  readonly log: Log
  /** What the primary said last for /status. */
  readonly figures: Pending['figures']
  /** Called with what takes the primary's news. */
  readonly onTake: (take: (news: PendingNews) => void) => void
}

/** Asks for the traces that are pending now, and follows the news. */
export const createWorkerPending = ({ link, network, live, log, figures, onTake }: WorkerPendingDeps): Pending => {
  const board = createBoard()
  const unpublish = publishPending(board, live)
  /** Traces with news since the request: the answer to it may be older. */
  let touched: Set<string> | undefined = new Set()
  onTake((news) => {
    touched?.add(news.hashNorm)
    board.take(news)
  })
  link
    .ask<readonly PendingNews[]>('pending', network)
    .then((all) => {
      for (const news of all) if (!touched?.has(news.hashNorm)) board.take(news)
    })
    .catch((error: Error) => log.warn('pending.not_loaded', { text: error.message }))
    .finally(() => {
      touched = undefined
    })
  return {
    board,
    send: (boc, group, signal) => link.ask('send-message', { network, boc, group } satisfies SendMessage, signal),
    figures,
    close() {
      onTake(() => {})
      unpublish()
    },
  }
}
