import type { ClientBase } from 'pg'

/*
 * Delays the `commit` of a snapshot, because no caller waits for a commit. It is sent with the first statement of the next read, or alone after LATEST_MS.
 * The delay is short, because the server retains old row versions while a snapshot is open.
 */

const LATEST_MS = 10

export interface LazyCommits {
  later(client: ClientBase): void
  /** Returns whether a snapshot of this connection is open, and forgets the snapshot: the caller sends the `commit` with its next statement. */
  take(client: ClientBase): boolean
}

export const createLazyCommits = (): LazyCommits => {
  const open = new Set<ClientBase>()
  /** One timer for all connections, so some snapshots are committed earlier than LATEST_MS. */
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
