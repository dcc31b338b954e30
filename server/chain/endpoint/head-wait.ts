import { CALLER_LEFT, createAbortController, withTimeout } from '../../base/abort.ts'
import { inOwnTurn } from '../../base/yield.ts'
import { type Head, LITE_ERROR, type LiteServer, LiteServerError } from '../liteserver.ts'
import type { Wait } from '../tl/lite-queries.ts'

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

/** Creates a function that resolves once the masterchain has reached the seqno. It rejects with LiteServerError after the timeout. */
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
