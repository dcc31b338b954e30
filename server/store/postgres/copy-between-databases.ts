import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'

/**
 * Copies all rows of a table to the table of the same name in another database, in PostgreSQL's binary format. Returns the number of rows. After a
 * rejection both connections are unusable.
 */
export const copyTable = async (
  source: Client,
  target: Client,
  { name, columns }: { readonly name: string; readonly columns: string },
  signal: AbortSignal,
): Promise<number> => {
  const out = source.query(to(`copy ${name} (${columns}) to stdout (format binary)`))
  const into = target.query(from(`copy ${name} (${columns}) from stdin (format binary)`))
  try {
    await pipeline(out, into, { signal })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
  return into.rowCount
}
