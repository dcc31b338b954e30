import { type Head, LITE_ERROR, type LiteServer, LiteServerError } from '../liteserver.ts'
import type { Wait } from '../tl/lite-queries.ts'

/** Limits of a wait, as in ton's validator manager: number of blocks after the head, and milliseconds. */
const MAX_AHEAD = 100
const MAX_MS = 10_000

export interface HeadWait {
  /** Resolves once the masterchain has reached the seqno. Throws LiteServerError after the timeout. */
  until(wait: Wait, signal: AbortSignal): Promise<void>
}

export const createHeadWait = (source: LiteServer, stop: AbortSignal): HeadWait => {
  const waiting = new Set<{ readonly seqno: number; readonly done: () => void; readonly give: () => void }>()
  let newest: Head | undefined
  const present = (): number => (source.head?.() ?? newest)?.id.seqno ?? 0
  const follow = async (): Promise<void> => {
    for await (const head of source.heads(stop)) {
      // After a revert the seqno may mean another block. So callers get a timeout at once and repeat the query.
      const reverted = newest !== undefined && head.epoch !== newest.epoch
      newest = head
      for (const each of waiting)
        if (each.seqno <= head.id.seqno) each.done()
        else if (reverted) each.give()
    }
  }
  // If the source ends, waiting callers get their timeouts.
  follow().catch(() => undefined)

  return {
    until({ seqno, timeoutMs }, signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      const current = present()
      if (seqno <= current) return Promise.resolve()
      if (seqno > current + MAX_AHEAD) return Promise.reject(new LiteServerError(LITE_ERROR.notReady, 'too big masterchain block seqno'))
      return new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          waiting.delete(entry)
          clearTimeout(timer)
          signal.removeEventListener('abort', aborted)
          settle()
        }
        const give = (): void => end(() => reject(new LiteServerError(LITE_ERROR.timeout, 'timeout')))
        const entry = { seqno, done: () => end(resolve), give }
        const aborted = (): void => end(() => reject(signal.reason))
        const patience = Math.min(timeoutMs <= 0 ? MAX_MS : timeoutMs, MAX_MS)
        const timer = setTimeout(give, patience)
        waiting.add(entry)
        signal.addEventListener('abort', aborted)
      })
    },
  }
}
