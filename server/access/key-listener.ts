import { Client, type ClientConfig } from 'pg'
import { CHANNEL, PLANS_CHANGED } from './key-store.ts'

/* Hears of changed keys from PostgreSQL, on a connection of its own. */

/** Milliseconds between two looks at the count of changes. They show what NOTIFY did not bring: a connection that is half dead, a pooler between. */
const HEARTBEAT = 400
/** Milliseconds that a statement may take. */
const PATIENCE = 5_000

export interface KeyListenerDeps {
  /** A key of this id has changed; undefined: anything may have. */
  readonly changed: (id: string | undefined) => void
  /** At this time (ticks) every change had been told. */
  readonly confirmed: (at: number) => void
  /** Milliseconds that never go back. */
  readonly ticks: () => number
  /** The database has answered. */
  readonly heard: () => void
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly signal: AbortSignal
}

/** Gives a function that listens until its connection is lost: it rejects then. The count of changes is remembered over connections. */
export const createKeyListener = ({ changed, confirmed, ticks, heard, pause, signal }: KeyListenerDeps) => {
  let known: bigint | undefined

  const hear = (payload: string): void => {
    const [, count, id] = /^(\d{1,18}) (\w+)$/.exec(payload) ?? []
    // Anybody who may connect may notify: an unknown payload only says that something may have changed.
    if (count === undefined) {
      changed(undefined)
      return
    }
    const next = BigInt(count)
    const inOrder = known !== undefined && next === known + 1n
    if (known === undefined || next > known) known = next
    // A plan can be used by any number of keys.
    changed(inOrder && id !== PLANS_CHANGED ? id : undefined)
  }

  const look = async (client: Client): Promise<void> => {
    const at = ticks()
    const { rows } = await client.query<{ count: string }>('select count from api_changes')
    const count = BigInt(rows[0]?.count ?? 0)
    if (count !== known) changed(undefined)
    known = count
    confirmed(at)
    heard()
  }

  return async (connection: ClientConfig): Promise<void> => {
    const client = new Client({
      ...connection,
      connectionTimeoutMillis: PATIENCE,
      query_timeout: PATIENCE,
      application_name: 'tonway-access',
    })
    let lost: unknown
    client.on('error', (error) => {
      lost = error
    })
    client.on('end', () => {
      lost ??= new Error('Connection terminated')
    })
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      while (!signal.aborted) {
        await look(client)
        await pause(HEARTBEAT)
        if (lost !== undefined) throw lost
      }
    } finally {
      await client.end().catch(() => {})
    }
  }
}
