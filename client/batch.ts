import type { Pending } from './calls.ts'
import type { SendGroup } from './retry.ts'

/** Limits for combining calls into one message. */
export interface BatchOptions {
  /** Maximum number of calls in one message; default 200. */
  readonly count?: number | undefined
  /** Maximum size of one message in bytes; default 256 KiB. A larger call is sent alone. */
  readonly bytes?: number | undefined
  /** Milliseconds to wait for more calls. Default 0: only calls of the same tick are combined. */
  readonly wait?: number | undefined
}

/** Node's setImmediate, because a timer of 0 takes a millisecond in Node. setTimeout where setImmediate is missing. */
const nextTick: (run: () => void) => unknown = globalThis.setImmediate ?? setTimeout

export const createBatcher = (sendGroup: SendGroup, { count = 200, bytes = 256 << 10, wait = 0 }: BatchOptions) => {
  let queue: Pending[] = []
  /** Sends the calls now, as one message if the limits allow it. */
  const flush = (calls: readonly Pending[]): void => {
    let part: Pending[] = []
    let size = 0
    for (const call of calls) {
      if (call.done) continue
      if (part.length === count || (size + call.bytes > bytes && part.length > 0)) {
        sendGroup(part)
        part = []
        size = 0
      }
      part.push(call)
      size += call.bytes + 1
    }
    if (part.length > 0) sendGroup(part)
  }
  const flushQueue = (): void => {
    const calls = queue
    queue = []
    flush(calls)
  }
  return {
    /** Queues the call, to be sent with all calls of its tick. */
    add(call: Pending): void {
      if (queue.push(call) > 1) return
      if (wait > 0) setTimeout(flushQueue, wait)
      else nextTick(flushQueue)
    },
    flush,
  }
}
