import { Client, type ClientConfig } from 'pg'
import { cut, innerOf } from './driver-extras.ts'
import { TOO_MANY_CONNECTIONS } from './faults.ts'

/*
 * Finds connections that died without a close (a failover behind one address, a paused machine). A statement can take minutes, so silence alone shows
 * nothing. A second connection asks whether the server still has the session and works for it.
 */

/** A session as the server identifies it. Process ids are reused, so the start time is included. */
export interface Backend {
  readonly pid: number
  readonly since: string
}

export interface Watched {
  /** Whether a statement is running. */
  busy(): boolean
  /** Sends a statement on an idle connection. */
  beat(): void
  /** Milliseconds between checks. */
  readonly every: number
}

/** Number of checks in a row that must find no running statement. */
const STRIKES = 2

/** The session of a connection. */
export const backendOf = async (client: Client): Promise<Backend> => {
  const { rows } = await client.query<Backend>(
    'select pid, extract(epoch from backend_start)::text as since from pg_stat_activity where pid = pg_backend_pid()',
  )
  return rows[0]!
}

/** Whether the server runs a statement for a session. False if it has no such session, if the session is idle, or if the server does not answer. */
const isAtWork = async (config: ClientConfig, { pid, since }: Backend, patience: number): Promise<boolean> => {
  const side = new Client({ ...config, connectionTimeoutMillis: patience, application_name: 'tonway-heartbeat' })
  side.on('error', () => {})
  const timer = setTimeout(() => cut(side), patience)
  try {
    await side.connect()
    const { rowCount } = await side.query(
      `select from pg_stat_activity where pid = $1 and extract(epoch from backend_start)::text = $2 and state not like 'idle%'`,
      [pid, since],
    )
    return rowCount === 1
  } catch (error) {
    // A server that refuses is alive.
    return (error as { code?: string }).code === TOO_MANY_CONNECTIONS
  } finally {
    await side.end().catch(() => {})
    clearTimeout(timer)
  }
}

/** Watches a connection and closes it when it is dead, so that waiting statements reject. Returns the function that stops watching. */
export const watchOver = (config: ClientConfig, client: Client, backend: Backend, { busy, beat, every }: Watched): (() => void) => {
  const { stream } = innerOf(client).connection
  let seen = -1
  let strikes = 0
  let looking = false
  const tick = async (): Promise<void> => {
    const bytes = stream.bytesRead + stream.bytesWritten
    if (bytes !== seen || !busy()) {
      if (bytes === seen) beat()
      seen = bytes
      strikes = 0
      return
    }
    strikes = (await isAtWork(config, backend, every)) ? 0 : strikes + 1
    const isSilent = stream.bytesRead + stream.bytesWritten === bytes
    if (strikes === STRIKES && isSilent) cut(client)
  }
  const timer = setInterval(async () => {
    if (looking) return
    looking = true
    await tick()
    looking = false
  }, every)
  return () => clearInterval(timer)
}
