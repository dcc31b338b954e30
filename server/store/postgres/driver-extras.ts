import type { Socket } from 'node:net'
import { Client, type ClientBase, type ClientConfig } from 'pg'

/* What the driver does not offer: ending a connection at once, and cancelling what runs on it. */

/** Fields of the driver's connection that its types do not declare. */
interface Inner {
  readonly processID: number
  readonly connection: { readonly stream: Socket; readonly parsedStatements: Record<string, string> }
}

export const innerOf = (client: ClientBase): Inner => client as unknown as Inner

/** TCP keep-alive: the system notices a machine that is gone. A machine that is up but silent is found by the heartbeat. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/** Closes the socket, so that waiting statements reject. */
export const cut = (client: ClientBase): void => {
  innerOf(client).connection.stream.destroy()
}

const gathering = new WeakSet<Socket>()

/**
 * Statements that are sent before the event loop goes on leave in one write. Each write is a call of the system that wakes the server's process: for short
 * reads that was a third of the time.
 */
export const sendTogether = (client: ClientBase): void => {
  const { stream } = innerOf(client).connection
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  process.nextTick(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}

/** Runs a statement with the milliseconds after which the driver gives up its answer. */
export type Patiently = <T>(run: (milliseconds: number) => Promise<T>) => Promise<T>

/**
 * Times of the statements of one connection. The driver counts from sending, but a statement waits for those before it. So its time grows with the statements
 * that are not answered yet.
 */
export const createPatience = (milliseconds: number): Patiently => {
  let unanswered = 0
  return async (run) => {
    unanswered++
    try {
      return await run(milliseconds * unanswered)
    } finally {
      unanswered--
    }
  }
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
