import type { ClientConfig } from 'pg'
import { schemaOf } from '../../../server/index/backfill/range-schema.ts'
import type { TestServer } from '../../kit/index/database.ts'

/** Blocks that a range has derived, and 0 if its tables are not there yet, or are gone because it was joined meanwhile. */
const derivedOf = async (server: TestServer, database: ClientConfig, first: number): Promise<number> => {
  try {
    const [at] = await server.run<{ mc_seqno: number }>(database, `select mc_seqno from ${schemaOf(first)}.index_checkpoint`)
    return at === undefined ? 0 : Math.max(0, at.mc_seqno - first + 1)
  } catch {
    return 0
  }
}

/** Masterchain blocks in the index and in the ranges that are not joined yet. 0 before there is an index. */
export const indexedBlocks = async (server: TestServer, database: ClientConfig): Promise<number> => {
  const [at] = await server.run<{ mc_seqno: number }>(database, 'select mc_seqno from index_checkpoint')
  if (at === undefined) return 0
  const ahead = await server.run<{ first: number }>(
    database,
    `select first_mc_seqno as first from backfill_ranges where first_mc_seqno > ${at.mc_seqno}`,
  )
  let blocks = at.mc_seqno
  for (const { first } of ahead) blocks += await derivedOf(server, database, first)
  return blocks
}
