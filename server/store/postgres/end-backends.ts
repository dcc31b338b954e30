import { Client, type ClientConfig } from 'pg'

const PATIENCE_MS = 2_000

/** Ends our connections from the server's side. Otherwise a statement whose client is gone runs until it has rows to send. */
export const endBackends = async (config: ClientConfig, pids: readonly number[]): Promise<void> => {
  if (pids.length === 0) return
  const client = new Client({ ...config, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [pids])
  } catch {
    // The connections then end with their statements.
  } finally {
    await client.end().catch(() => {})
  }
}
