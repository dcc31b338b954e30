import type { Log } from '../../base/log.ts'
import type { LiteServer } from '../../chain/liteserver.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import type { Selection } from '../service/account-selection.ts'
import type { StatusBoard } from '../service/status.ts'
import { createTopicRunner } from '../topics/run-topics.ts'
import type { Topic } from '../topics/topic.ts'
import { openSession, type Session, type SessionDeps } from './session.ts'
import { createSource, type Source } from './source.ts'

export interface IndexSettings extends Pick<SessionDeps, 'network' | 'isTransient' | 'reverts' | 'from' | 'lanes' | 'isRange'> {
  readonly selection: Selection
  /** Milliseconds before the second attempt of a request to the source; undefined: the default. */
  readonly pause: number | undefined
}

export const createIndexSource = (
  server: LiteServer,
  { lanes, selection, from, isRange = false, pause }: IndexSettings,
  log: Log,
): Source =>
  createSource(server, {
    lanes,
    wants: selection.wants,
    // Only an index from block 1, and the ranges of such an index, need the states of old blocks.
    forgets: from !== 1 && !isRange,
    ...(pause !== undefined && { pause }),
    onFailure: (err) => log.warn('index.source_failed', { err }),
  })

export interface IndexSessionDeps {
  readonly connection: Connection
  readonly source: Source
  readonly topics: readonly Topic[]
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  readonly board: StatusBoard
  readonly log: Log
}

export const openIndexSession = (
  { pause: _, ...settings }: IndexSettings,
  { topics, tvm, ...deps }: IndexSessionDeps,
  signal: AbortSignal,
): Promise<Session> => {
  const { connection, source } = deps
  const partial = (settings.from !== 1 && !settings.isRange) || settings.selection.name !== ''
  const { board, log } = deps
  const onFailure = (topic: string, what: string, err: unknown): void => {
    log.warn(`index.${topic}_failed`, { what, err })
    board.update({ failedTraces: board.status().failedTraces + 1 })
  }
  const runner = createTopicRunner({ topics, connection, source, tvm, partial, onFailure })
  return openSession({ ...settings, ...deps, runner }, signal)
}
