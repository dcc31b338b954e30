import type { Pending } from './calls.ts'
import type { Run } from './run.ts'

/** How calls go out together. */
export interface BatchOptions {
  /** Calls of one message; 200. */
  readonly count?: number | undefined
  /** Bytes of one message; 256 KiB. A longer call goes alone. */
  readonly bytes?: number | undefined
  /** Milliseconds to wait for further calls; 0: those of the same tick. */
  readonly wait?: number | undefined
}

export interface Batcher {
  /** Goes out with the other calls of its tick. */
  add(call: Pending): void
  /** Goes out now, as one message where the bounds allow it. */
  flush(calls: readonly Pending[]): void
}

/** Node's way to the end of a tick; a timer of 0 costs a millisecond there. */
const nextTick: (run: () => void) => unknown = globalThis.setImmediate ?? setTimeout

export const createBatcher = (run: Run, { count = 200, bytes = 256 << 10, wait = 0 }: BatchOptions): Batcher => {
  let queue: Pending[] = []
  const flush: Batcher['flush'] = (calls) => {
    let part: Pending[] = []
    let size = 0
    for (const call of calls) {
      if (call.done) continue
      if (part.length === count || (size + call.bytes > bytes && part.length > 0)) {
        run(part)
        part = []
        size = 0
      }
      part.push(call)
      size += call.bytes + 1
    }
    if (part.length > 0) run(part)
  }
  const flushQueue = (): void => {
    const calls = queue
    queue = []
    flush(calls)
  }
  return {
    add(call) {
      if (queue.push(call) > 1) return
      if (wait > 0) setTimeout(flushQueue, wait)
      else nextTick(flushQueue)
    },
    flush,
  }
}
