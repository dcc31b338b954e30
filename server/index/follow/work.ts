import type { Log } from '../../base/log.ts'
import type { LiteServer } from '../../chain/liteserver.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import type { Selection } from '../service/selection.ts'
import type { StatusBoard } from '../service/status.ts'
import { createExtender } from '../topics/run.ts'
import type { Extension } from '../topics/topic.ts'
import { openSession, type Session, type SessionDeps } from './session.ts'
import { createSource, type Source } from './source.ts'

/* How an index is worked on, the same in the process and in its thread. */

export interface WorkSettings extends Pick<SessionDeps, 'network' | 'passing' | 'reverts' | 'from' | 'lanes'> {
  readonly selection: Selection
  /** Milliseconds before the source is asked again. */
  readonly pause: number | undefined
}

export const createWorkSource = (server: LiteServer, { lanes, selection, from, pause }: WorkSettings, log: Log): Source =>
  createSource(server, {
    lanes,
    wants: selection.wants,
    // Only an index of the whole chain can insist on states of old blocks: it asks as it goes.
    forgets: from !== 1,
    ...(pause !== undefined && { pause }),
    onFailure: (err) => log.warn('index.source_failed', { err }),
  })

export interface WorkDeps {
  readonly connection: Connection
  readonly source: Source
  readonly extensions: readonly Extension[]
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  readonly board: StatusBoard
  readonly log: Log
}

/** Rejects as openSession does. */
export const openWork = (
  { pause: _, ...settings }: WorkSettings,
  { extensions, tvm, ...deps }: WorkDeps,
  signal: AbortSignal,
): Promise<Session> => {
  const { connection, source } = deps
  const partial = settings.from !== 1 || settings.selection.name !== ''
  const { board, log } = deps
  const onFailure = (extension: string, what: string, err: unknown): void => {
    log.warn(`index.${extension}_failed`, { what, err })
    board.tell({ failedTraces: board.status().failedTraces + 1 })
  }
  const extender = createExtender({ extensions, connection, source, tvm, partial, onFailure })
  return openSession({ ...settings, ...deps, extender }, signal)
}
