import type { ClientBase } from 'pg'

/*
 * Ends snapshots late. Nobody waits for the end of a read, so its `commit` goes with the first statement of the next read, or alone after LATEST_MS: while
 * a snapshot is open, the server keeps old rows for it.
 */

/** A snapshot is ended after this many milliseconds if no other read follows. */
const LATEST_MS = 10

export interface LazyCommits {
  /** Notes that the snapshot of this connection must be ended. */
  later(client: ClientBase): void
  /** Whether a snapshot of this connection is still open. The caller then sends the `commit` with its next statement. */
  take(client: ClientBase): boolean
}

export const createLazyCommits = (): LazyCommits => {
  const open = new Set<ClientBase>()
  /** One timer for all: a snapshot may be ended earlier than it has to be. */
  let timer: NodeJS.Timeout | undefined
  const endAll = (): void => {
    timer = undefined
    const due = [...open]
    open.clear()
    for (const client of due) client.query('commit').catch(() => {})
  }
  return {
    later(client) {
      open.add(client)
      if (timer === undefined) timer = setTimeout(endAll, LATEST_MS)
    },
    take: (client) => open.delete(client),
  }
}
