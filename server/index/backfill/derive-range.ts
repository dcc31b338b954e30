import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { Head, LiteServer } from '../../chain/liteserver.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { openMasterIds } from '../follow/master-ids.ts'
import type { Source } from '../follow/source.ts'
import { type IndexSettings, openIndexSession } from '../follow/source-and-session.ts'
import type { StatusBoard } from '../service/status.ts'
import { TOPICS } from '../topics/registry.ts'
import { createRangeTables, inRange } from './range-schema.ts'
import { claimRange, markDone, noteOwner, type Range, removeRange } from './ranges.ts'

export interface DeriveRangeDeps {
  readonly config: ClientConfig
  readonly settings: IndexSettings
  readonly source: Source
  readonly server: LiteServer
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  readonly board: StatusBoard
  readonly log: Log
}

const work = async (deps: DeriveRangeDeps, first: number, id: BlockId, connection: Connection, signal: AbortSignal): Promise<void> => {
  const { source, server, tvm, board, log } = deps
  const { info } = await source.block(id, signal)
  const head: Head = { id, utime: info.genUtime, epoch: 0 }
  const settings: IndexSettings = { ...deps.settings, from: first, isRange: true }
  // The session reads up to the server's head, so this server reports the range's last block as its head.
  const upTo: LiteServer = {
    query: (fn, args, stop) => server.query(fn, args, stop),
    heads: (stop) => server.heads(stop),
    head: () => head,
  }
  const session = await openIndexSession(
    settings,
    { connection, source: { ...source, server: upTo }, topics: TOPICS, tvm, board, log },
    signal,
  )
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
