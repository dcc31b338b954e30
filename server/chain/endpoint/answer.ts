import { CALLER_LEFT, createAbortController, untilAborted, withTimeout } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import { inOwnTurn } from '../../base/yield.ts'
import { type Head, LITE_ERROR, type LiteServer, LiteServerError } from '../liteserver.ts'
import { toRelayed } from '../relayed-error.ts'
import { TlError } from '../tl/error.ts'
import type { LiteQuery, LiteTl, Wait } from '../tl/lite-queries.ts'

/** Limits of a wait, as in ton's validator manager: number of blocks after the head, and milliseconds. */
const MAX_AHEAD = 100
const MAX_MS = 10_000

/** Called with each head, beginning with the current head, and with undefined once the source has no more. */
type OnHead = (head: Head | undefined) => void

/** Reads the heads of a source once for all listeners, because each block would otherwise resume thousands of readers in one turn. */
const shareHeads = (source: LiteServer) => {
  const listeners = new Set<OnHead>()
  let newest: Head | undefined
  let reading: AbortController | undefined
  const pass = async (head: Head | undefined): Promise<void> => {
    newest = head
    for (const onHead of [...listeners]) await inOwnTurn(() => onHead(head))
  }
  const read = async (own: AbortController): Promise<void> => {
    for await (const head of source.heads(own.signal)) if (reading === own) await pass(head)
  }
  const start = (own: AbortController): void => {
    reading = own
    const end = (): void => {
      if (reading !== own) return
      reading = undefined
      void pass(undefined)
    }
    read(own).then(end, end)
  }
  return {
    join(onHead: OnHead): void {
      listeners.add(onHead)
      if (reading === undefined) start(createAbortController())
      else if (newest !== undefined) onHead(newest)
    },
    leave(onHead: OnHead): void {
      if (!listeners.delete(onHead) || listeners.size > 0) return
      reading?.abort(CALLER_LEFT)
      reading = undefined
      newest = undefined
    },
  }
}

/** @internal Creates a function that resolves once the masterchain has reached the seqno. It rejects with LiteServerError after the timeout. */
export const createHeadWaits = (source: LiteServer) => {
  const heads = shareHeads(source)

  const reach = (seqno: number, stop: AbortSignal): Promise<boolean> => {
    let onHead: OnHead = () => {}
    const reached = new Promise<boolean>((resolve, reject) => {
      let epoch: number | undefined
      onHead = (head) => {
        if (head === undefined) return resolve(false)
        epoch ??= head.epoch
        if (seqno <= head.id.seqno) return resolve(true)
        if (seqno > head.id.seqno + MAX_AHEAD) return reject(new LiteServerError(LITE_ERROR.notReady, 'too big masterchain block seqno'))
        // After a revert the seqno may mean another block. So the caller gets a timeout at once and repeats the query.
        if (head.epoch !== epoch) resolve(false)
      }
      stop.addEventListener('abort', () => resolve(false), { once: true })
      if (stop.aborted) resolve(false)
      else heads.join(onHead)
    })
    return reached.finally(() => heads.leave(onHead))
  }

  return async ({ seqno, timeoutMs }: Wait, signal: AbortSignal): Promise<void> => {
    const patience = Math.min(timeoutMs <= 0 ? MAX_MS : timeoutMs, MAX_MS)
    const isReached = await withTimeout(signal, patience, (stop) => reach(seqno, stop))
    signal.throwIfAborted()
    if (!isReached) throw new LiteServerError(LITE_ERROR.timeout, 'timeout')
  }
}

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
