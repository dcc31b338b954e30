import { untilAborted } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import { createPermits } from '../../base/permits.ts'
import { inSharedTurn } from '../../base/yield.ts'
import { type AdnlQuery, encodeMessage } from '../adnl/messages.ts'
import { LITE_ERROR, type LiteServer, LiteServerError } from '../liteserver.ts'
import { toRelayed } from '../relayed-error.ts'
import { TlError } from '../tl/error.ts'
import type { LiteQuery, LiteTl } from '../tl/lite-queries.ts'
import { createHeadWaits } from './head-wait.ts'

export interface AnswerDeps {
  readonly source: LiteServer
  readonly tl: LiteTl
  readonly log: EndpointLog
  /** Number of queries that the source has at a time. */
  readonly atOnce: number
}

export type EndpointLog = Pick<Log, 'debug' | 'warn'>

/** Answers one query with a message. Failures become error answers, and the abort of the signal a timeout. */
export const createAnswerer = ({ source, tl, log, atOnce }: AnswerDeps) => {
  const waitForHead = createHeadWaits(source)
  /** A source that relays to lite-servers answers in order, so what waits there delays the calls of others. Here the client with the least use is next. */
  const permits = createPermits({ atOnce, isShared: true, waiting: 10_000, patience: 10_000, text: 'too many queries wait' })
  const refusal = (error: unknown, isTimeout: boolean): LiteServerError => {
    if (error instanceof LiteServerError) return error
    if (isTimeout) return new LiteServerError(LITE_ERROR.timeout, 'timeout')
    const relayed = toRelayed(error)
    if (relayed !== undefined) return relayed
    log.warn('liteserver.failed', { err: error })
    return new LiteServerError(LITE_ERROR.failure, 'internal error')
  }

  const parse = (query: Uint8Array): LiteQuery => {
    try {
      return tl.decodeQuery(query)
    } catch (error) {
      if (error instanceof TlError) throw new LiteServerError(LITE_ERROR.protocolViolation, `cannot parse the query: ${error.message}`)
      throw error
    }
  }

  const answerTo = async (id: Uint8Array, request: LiteQuery, stop: AbortSignal, client: string): Promise<Buffer> => {
    if (request.wait) await waitForHead(request.wait, stop)
    const free = request.wait ? undefined : permits.takeNow(client)
    using _permit = free ?? (await permits.take(stop, client))
    // A new block wakes all queries that wait for it, and each answer lets the next query begin. They must not all run in one turn of the event loop.
    if (free === undefined) await new Promise<void>((resolve) => inSharedTurn(resolve, client))
    const answer = await source.query(request.fn, request.args, stop)
    try {
      return encodeMessage({ type: 'answer', id, data: request.encodeAnswer(answer) })
    } catch (error) {
      // The answer or a bytes value in it is longer than TL allows.
      throw error instanceof TlError ? new LiteServerError(LITE_ERROR.error, 'the answer is too long') : error
    }
  }

  return async ({ id, data }: AdnlQuery, signal: AbortSignal, client: string): Promise<Buffer> => {
    try {
      signal.throwIfAborted()
      return await untilAborted(answerTo(id, parse(data), signal, client), signal)
    } catch (error) {
      return encodeMessage({ type: 'answer', id, data: tl.encodeError(refusal(error, signal.aborted)) })
    }
  }
}
