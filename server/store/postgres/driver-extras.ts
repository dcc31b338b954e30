import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type ClientBase, type ClientConfig } from 'pg'

/* What the driver does not offer: ending a connection at once, and cancelling what runs on it. */

/** Fields of the driver's connection that its types do not declare. */
interface Inner {
  readonly processID: number
  /** The query whose answer comes. */
  readonly _activeQuery: unknown
  readonly connection: {
    readonly stream: Socket
    readonly parsedStatements: Record<string, string>
    attachListeners(stream: Duplex): void
  }
}

export const innerOf = (client: ClientBase): Inner => client as unknown as Inner

/** TCP keep-alive: the system notices a machine that is gone. A machine that is up but silent is found by the heartbeat. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/** Closes the socket, so that waiting statements reject. */
export const cut = (client: ClientBase): void => {
  innerOf(client).connection.stream.destroy()
}

/** Longest time of a cancel request, milliseconds. */
export const CANCEL_MS = 2_000

/** Asks the server to cancel a backend's statement. False if the server could not be asked in time; the statement then ends by its timeout. */
export const cancelBackend = async (connection: ClientConfig, pid: number): Promise<boolean> => {
  const side = new Client({ ...connection, connectionTimeoutMillis: CANCEL_MS, application_name: 'tonway-cancel' })
  side.on('error', () => {})
  const patience = setTimeout(() => cut(side), CANCEL_MS)
  try {
    await side.connect()
    await side.query('select pg_cancel_backend($1::integer)', [pid])
    return true
  } catch {
    return false
  } finally {
    await side.end().catch(() => {})
    clearTimeout(patience)
  }
}
