import type { Chunk } from './chunk.ts'
import { createFlushing } from './flushing.ts'
import { type Common, createQueue, type Outlet, type OutletDeps, type OutletLimits, type Queue } from './queue.ts'

/* The bytes that wait to be written to the readers of events. A slow reader is disconnected; it never delays the others. */

/** More than this never waits for one reader. */
export const BURST: OutletLimits['burst'] = { events: 16_384, bytes: 16 << 20 }
const OUTLET_LIMITS: OutletLimits = {
  events: 1_024,
  bytes: 4 << 20,
  ofAll: 64 << 20,
  grace: 2_000,
  burst: BURST,
  stall: 10_000,
}

/** The queues of all readers of a process. */
export interface Outlets {
  create(deps: OutletDeps): Outlet
  /** Bytes that wait in all queues; a shared chunk counts once. */
  bytes(): number
  close(): void
}

export const createOutlets = (limits: OutletLimits = OUTLET_LIMITS): Outlets => {
  const queues = new Set<Queue>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  const check = (): void => {
    const now = performance.now()
    for (const queue of queues) queue.check(now)
  }
  const common: Common = {
    limits,
    flushing: createFlushing<Queue>(),
    hold(chunk: Chunk) {
      if (chunk.holders++ === 0) total += chunk.bytes.length
    },
    release(chunk: Chunk) {
      if (--chunk.holders === 0) total -= chunk.bytes.length
    },
    /** The reader that is furthest behind is disconnected first. */
    makeRoom() {
      while (total > limits.ofAll) {
        let last: Queue | undefined
        for (const queue of queues) if (last === undefined || queue.oldest() < last.oldest()) last = queue
        if (last === undefined) return
        last.cut()
      }
    },
    closed(queue) {
      queues.delete(queue)
      if (queues.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }

  return {
    create(deps) {
      const queue = createQueue(deps, common)
      queues.add(queue)
      timer ??= setInterval(check, Math.min(1_000, limits.stall)).unref()
      return queue
    },
    bytes: () => total,
    close() {
      clearInterval(timer)
      for (const queue of queues) queue.close()
    },
  }
}
