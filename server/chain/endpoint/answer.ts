import { untilAborted, withTimeout } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import { inOwnTurn } from '../../base/yield.ts'
import { LITE_ERROR, type LiteServer, LiteServerError } from '../liteserver.ts'
import { toRelayed } from '../relayed-error.ts'
import { TlError } from '../tl/error.ts'
import type { LiteQuery, LiteTl } from '../tl/lite-queries.ts'
import { createHeadWaits } from './head-wait.ts'

export interface AnswerDeps {
  readonly source: LiteServer
  readonly tl: LiteTl
  /** Milliseconds after which a query is answered with a timeout. */
  readonly queryMs: number
  readonly log: EndpointLog
}

export type EndpointLog = Pick<Log, 'debug' | 'warn'>

/** Maximum length of the answer in adnl.message.answer. TL allows no longer bytes value. */
const MAX_ANSWER = 0xffffff

/** Answers one serialized query. Failures and timeouts become error answers. Rejects if `closing` is aborted. */
export const createAnswerer = ({ source, tl, queryMs, log }: AnswerDeps) => {
  const waitForHead = createHeadWaits(source)
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

  const answerTo = async (request: LiteQuery, stop: AbortSignal): Promise<Buffer> => {
    const query = () => source.query(request.fn, request.args, stop)
    if (request.wait) await waitForHead(request.wait, stop)
    // One block wakes all queries that wait for it.
    const answer = await (request.wait ? inOwnTurn(query) : query())
    try {
      const bytes = request.encodeAnswer(answer)
      if (bytes.length <= MAX_ANSWER) return bytes
    } catch (error) {
      // A bytes value in the answer is longer than TL allows.
      if (!(error instanceof TlError)) throw error
    }
    throw new LiteServerError(LITE_ERROR.error, 'the answer is too long')
  }

  return (query: Uint8Array, closing: AbortSignal): Promise<Buffer> =>
    withTimeout(closing, queryMs, async (signal) => {
      try {
        signal.throwIfAborted()
        return await untilAborted(answerTo(parse(query), signal), signal)
      } catch (error) {
        closing.throwIfAborted()
        return tl.encodeError(refusal(error, signal.aborted))
      }
    })
}
