import type { ClientBase } from 'pg'

/*
 * The ends of snapshots. Nobody waits for the end of what only read, so it goes with the first statement of the next read, or soon by itself: while a
 * snapshot is kept, the server keeps old rows for it.
 */

/** Milliseconds after which a snapshot is ended that no other read follows. */
const LATEST_MS = 2

export interface LazyCommits {
  /** The snapshot of this connection is to be ended. */
  later(client: ClientBase): void
  /** Whether the caller must end a snapshot of this connection with what it sends next. It counts as ended then. */
  take(client: ClientBase): boolean
}

export const createLazyCommits = (): LazyCommits => {
  const open = new Set<ClientBase>()
  const endAll = (): void => {
    const due = [...open]
    open.clear()
    for (const client of due) client.query('commit').catch(() => {})
  }
  return {
    later(client) {
      if (open.size === 0) setTimeout(endAll, LATEST_MS)
      open.add(client)
    },
    take: (client) => open.delete(client),
  }
}
