import { withTimeout } from '../../base/abort.ts'
import { type Head, LITE_ERROR, type LiteServer, LiteServerError } from '../liteserver.ts'
import type { Wait } from '../tl/lite-queries.ts'

/** Limits of a wait, as in ton's validator manager: number of blocks after the head, and milliseconds. */
const MAX_AHEAD = 100
const MAX_MS = 10_000

/** Resolves once the masterchain has reached the seqno. Throws LiteServerError after the timeout. */
export const waitForHead = async (source: LiteServer, { seqno, timeoutMs }: Wait, signal: AbortSignal): Promise<void> => {
  const patience = Math.min(timeoutMs <= 0 ? MAX_MS : timeoutMs, MAX_MS)
  const isReached = await withTimeout(signal, patience, async (stop) => {
    let first: Head | undefined
    for await (const head of source.heads(stop)) {
      first ??= head
      if (seqno <= head.id.seqno) return true
      if (seqno > head.id.seqno + MAX_AHEAD) throw new LiteServerError(LITE_ERROR.notReady, 'too big masterchain block seqno')
      // After a revert the seqno may mean another block. So the caller gets a timeout at once and repeats the query.
      if (head.epoch !== first.epoch) return false
    }
    return false
  })
  signal.throwIfAborted()
  if (!isReached) throw new LiteServerError(LITE_ERROR.timeout, 'timeout')
}
