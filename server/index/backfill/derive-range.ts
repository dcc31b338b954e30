import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { Head } from '../../chain/liteserver.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { openMasterIds } from '../follow/master-ids.ts'
import { type IndexSettings, openSession } from '../follow/session.ts'
import type { Source } from '../follow/source.ts'
import type { StatusBoard } from '../service/status.ts'
import { TOPICS } from '../topics/registry.ts'
import { createRangeTables, inRange } from './range-schema.ts'
import { claimRange, markDone, noteOwner, type Range, removeRange } from './ranges.ts'

export interface DeriveRangeDeps {
  readonly config: ClientConfig
  readonly settings: IndexSettings
  readonly source: Source
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  readonly board: StatusBoard
  readonly log: Log
}

const work = async (deps: DeriveRangeDeps, first: number, id: BlockId, connection: Connection, signal: AbortSignal): Promise<void> => {
  const { source, tvm, board, log } = deps
  const { info } = await source.block(id, signal)
  const head: Head = { id, utime: info.genUtime, epoch: 0 }
  const settings: IndexSettings = { ...deps.settings, from: first, isRange: true }
  const session = await openSession({ ...settings, connection, source, topics: TOPICS, tvm, board, log }, signal)
  await session.catchUp(head)
  await session.written()
}

export const deriveRange = async (deps: DeriveRangeDeps, range: Range, signal: AbortSignal): Promise<boolean> => {
  const { config, log } = deps
  // Closing this connection releases the claim.
  const connection = await connect(config, 'tonway-backfill')
  try {
    if (!(await claimRange(connection, range.first)) || !(await noteOwner(connection, range.first))) return false
    const idOf = await openMasterIds(deps.source, deps.settings.reverts, signal)
    const id = await idOf(range.last)
    if (id === undefined) {
      // The chain was reverted and is shorter. The remaining blocks of the range are planned again.
      await removeRange(connection, range.first)
      return true
    }
    log.info('backfill.range', { first: range.first, last: range.last })
    await createRangeTables(connection, range.first)
    await inRange(connection, range.first, () => work(deps, range.first, id, connection, signal))
    await markDone(connection, range.first)
    return true
  } finally {
    await connection.close().catch(() => {})
  }
}
