import type { ClientConfig } from 'pg'
import { type Connection, connect } from '../store/connection.ts'

/** Key of the advisory lock: 'tonway' in ASCII. Held by the connection that writes, so it is lost with it and never by halves. */
const LOCK = '0x746f6e776179'

/** A connection that has the lock: of all processes on a database one indexes. Undefined when another has it. `signal` ends it. */
export const connectAsLeader = async (
  config: ClientConfig,
  open: typeof connect = connect,
  signal?: AbortSignal,
): Promise<Connection | undefined> => {
  const connection = await open(config, undefined, { signal })
  try {
    const [row] = await connection.query<{ got: boolean }>('select pg_try_advisory_lock($1::bigint) as got', [BigInt(LOCK).toString()])
    if (row?.got) return connection
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  }
  await connection.close().catch(() => {})
  return undefined
}
