import { Client, type ClientConfig } from 'pg'
import { TOO_MANY_CONNECTIONS } from './faults.ts'
import { cut, innerOf } from './wire.ts'

/*
 * A connection may go silent: nothing comes, and nobody says that it has ended (a failover behind one address, a machine that is paused). A statement
 * may take minutes, so its silence alone says nothing: whether the server has the session still, and is at work for it, is asked by another way.
 */

/** A session as the server knows it; process ids are used again. */
export interface Backend {
  readonly pid: number
  readonly since: string
}

export interface Watched {
  /** Whether a statement is under way. */
  busy(): boolean
  /** Sends a statement, of a connection that nothing is asked of. */
  beat(): void
  /** Milliseconds between looks. */
  readonly every: number
}

/** Looks in a row that must find nothing at work. */
const STRIKES = 2

/** The session of a connection. */
export const backendOf = async (client: Client): Promise<Backend> => {
  const { rows } = await client.query<Backend>(
    'select pid, extract(epoch from backend_start)::text as since from pg_stat_activity where pid = pg_backend_pid()',
  )
  return rows[0]!
}

/** Whether the server is at work for a session; false where it has none such, waits for its next statement, or does not answer. */
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
    // A server that refuses is there.
    return (error as { code?: string }).code === TOO_MANY_CONNECTIONS
  } finally {
    await side.end().catch(() => {})
    clearTimeout(timer)
  }
}

/** Closes a connection that has gone silent, so that what waits for it rejects. Gives the way to stop watching. */
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
