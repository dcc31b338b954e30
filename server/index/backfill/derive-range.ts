import type { Connection } from '../../store/postgres/connection.ts'
import { openMasterIds } from '../follow/master-ids.ts'
import { type IndexingDeps, type IndexSettings, openSession } from '../follow/session.ts'
import { TOPICS } from '../topics/registry.ts'
import { createRangeTables, inSchema, schemaOf } from './range-schema.ts'
import { claimRange, freeRange, markDone, noteOwner, type Range, removeRange } from './ranges.ts'

/**
 * Derives a range into its own tables, if no other process works on it. Returns false if another process does, or if the range no longer exists or is done.
 */
export const deriveRange = async (deps: IndexingDeps, connection: Connection, range: Range, signal: AbortSignal): Promise<boolean> => {
  const { source, tvm, board, log } = deps
  const { first, last } = range
  if (!(await claimRange(connection, first))) return false
  try {
    if (!(await noteOwner(connection, first))) return false
    const idOf = await openMasterIds(source, deps.settings.reverts, signal)
    const id = await idOf(last)
    if (id === undefined) {
      // The chain was reverted and is shorter. The remaining blocks of the range are planned again.
      await removeRange(connection, first)
      return true
    }
    log.info('backfill.range', { first, last })
    await createRangeTables(connection, first)
    const { info } = await source.block(id, signal)
    const settings: IndexSettings = { ...deps.settings, from: first, isRange: true }
    await inSchema(connection, schemaOf(first), async () => {
      const session = await openSession({ ...settings, connection, source, topics: TOPICS, tvm, board, log }, signal)
      await session.catchUp({ id, utime: info.genUtime, epoch: 0 })
      await session.written()
    })
    await markDone(connection, first)
    return true
  } finally {
    await freeRange(connection, first).catch(() => {})
  }
}
