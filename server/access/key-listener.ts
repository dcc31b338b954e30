import { Client, type ClientConfig } from 'pg'
import { errorCode, READ_ONLY } from '../store/postgres/faults.ts'
import { CHANNEL, PLANS_CHANGED } from './key-store.ts'

/* Listens for changed keys in PostgreSQL, on a separate connection. */

/** Milliseconds between reads of the change count. They catch what NOTIFY does not deliver (half-open connection, pooler in between). */
const HEARTBEAT = 400
/** Milliseconds that a statement may take. */
const PATIENCE = 5_000

export interface KeyListenerDeps {
  /** Called when the key with this id has changed; undefined: any key may have. */
  readonly changed: (id: string | undefined) => void
  /** Called with a time (ticks) up to which every change has been reported. */
  readonly confirmed: (at: number) => void
  /** Monotonic milliseconds. */
  readonly ticks: () => number
  /** Called when the database has answered. */
  readonly heard: () => void
  /** Resolves after this many milliseconds, or when the signal is aborted. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Returns a function that listens until its connection is lost, and then rejects. It resolves when `ended` is aborted: the server still answers, but is not
 * to be read any more. The change count is kept across connections.
 */
export const createKeyListener = ({ changed, confirmed, ticks, heard, pause, signal }: KeyListenerDeps) => {
  let known: bigint | undefined

  const hear = (payload: string): void => {
    const [, count, id] = /^(\d{1,18}) (\w+)$/.exec(payload) ?? []
    // Any database client may notify, so an unknown payload only means that something may have changed.
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

  return async (connection: ClientConfig, ended: AbortSignal): Promise<void> => {
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
      await client.query(`listen ${CHANNEL}`).catch((error: unknown) => {
        // A standby refuses to listen. The change count finds every change a little later.
        if (errorCode(error) !== READ_ONLY) throw error
      })
      while (!signal.aborted && !ended.aborted) {
        await look(client)
        await pause(HEARTBEAT)
        if (lost !== undefined) throw lost
      }
    } finally {
      await client.end().catch(() => {})
    }
  }
}
