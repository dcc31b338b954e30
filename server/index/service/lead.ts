import { joinAbort } from '../../base/abort.ts'
import type { SpanStart } from '../../base/tracing/span.ts'
import { traced } from '../../base/tracing/tracer.ts'
import type { Head } from '../../chain/liteserver.ts'
import type { Keep } from '../../config/index-keep.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { removePassedRanges } from '../backfill/ranges.ts'
import { type IndexingDeps, type IndexSettings, openSession, type Session } from '../follow/session.ts'
import { pruneHistory } from '../retention/retention.ts'
import { rederiveActions } from '../topics/actions/rederive.ts'
import { actionsTopic } from '../topics/actions/topic.ts'
import { TOPICS } from '../topics/registry.ts'
import type { Topic } from '../topics/topic.ts'

export interface FollowDeps extends IndexingDeps {
  readonly topics: readonly Topic[] | undefined
  readonly keep: Keep | undefined
}

/** Derives the actions of traces that another release indexed, while new blocks are indexed. Failures are logged. */
const rederive = async ({ config, topics = TOPICS, board, log }: FollowDeps, signal: AbortSignal): Promise<void> => {
  if (!topics.includes(actionsTopic)) return
  const failed = (what: string, err: unknown): void => {
    log.warn('index.actions_failed', { what, err })
    board.update({ failedTraces: board.status().failedTraces + 1 })
  }
  const left = (tracesLeft: number): void => board.update({ tracesLeft })
  await rederiveActions({ config, left, failed }, signal).catch((err: unknown) => {
    if (!signal.aborted) log.warn('index.rederive_failed', { err })
  })
}

/** Removes old history while new blocks are indexed. Failures are logged. */
const retain = async ({ config, keep, settings, topics = TOPICS, board, log }: FollowDeps, signal: AbortSignal): Promise<void> => {
  if (keep === undefined) return
  const { reverts, selection } = settings
  const isPartial = selection.name !== ''
  await pruneHistory({ config, keep, reverts, isPartial, topics, onCut: (first) => board.update({ first }), log }, signal)
}

const spanOf = (name: string, { network }: IndexSettings, { id }: Head): SpanStart => ({
  name,
  kind: 'task',
  attributes: { 'tonway.network': network, 'tonway.block.seqno': id.seqno },
})

/** Indexes up to each new head. The connection must have the leader's lock. Rejects when the connection is lost or a step fails; resolves after an abort. */
export const followChain = async (deps: FollowDeps, connection: Connection, signal: AbortSignal): Promise<void> => {
  const { settings, source, tvm, board, log, topics = TOPICS } = deps
  const lost = connection.ended.then(() => {
    throw new Error('the connection to the database was lost')
  })
  lost.catch(() => {})
  using following = joinAbort(signal)
  connection.ended.then(() => following.abort())

  await removePassedRanges(connection)
  let session: Session | undefined
  let rederiving: Promise<void> | undefined
  let retaining: Promise<void> | undefined
  try {
    for await (const head of source.server.heads(following.signal)) {
      if (session === undefined) {
        session = await openSession({ ...settings, connection, source, topics, tvm, board, log }, signal)
        session.failed.then(() => following.abort())
        rederiving ??= rederive(deps, following.signal)
        retaining ??= retain(deps, following.signal)
      }
      const { catchUp } = session
      await traced(spanOf('index.block', settings, head), () => catchUp(head.id))
    }
    await session?.written()
    if (!signal.aborted) await lost
  } finally {
    following.abort()
    await Promise.all([rederiving, retaining])
    // The caller closes the connection next, so all writes must be finished.
    await session?.written().catch(() => {})
  }
}
