import type { Chunk } from './chunk.ts'

/* Queues of readers are written to once in a turn, however much they were given in it: a call of the system costs more than a few hundred bytes. */

/** Milliseconds of one turn in which readers are written to. The rest of them follows in the next turn, so that many readers do not hold up other work. */
const TURN = 5
/** Chunks with more bytes than that are written as they are: each reader that is behind would have a copy of its own. */
const JOINED = 8 << 10

interface Flushed {
  flush(): void
}

export interface Flushing<T extends Flushed> {
  /** Flushes a queue at the end of this turn, or soon after it. */
  add(queue: T): void
  remove(queue: T): void
  /** The bytes of chunks that are written together. Readers that get the same few chunks after each other share one piece. */
  pieces(chunks: readonly Chunk[], bytes: number): readonly Buffer[]
}

export const createFlushing = <T extends Flushed>(): Flushing<T> => {
  const due = new Set<T>()
  let isDue = false
  let joined: { readonly chunks: readonly Chunk[]; readonly pieces: readonly Buffer[] } | undefined
  const run = (): void => {
    const end = performance.now() + TURN
    for (const queue of due) {
      due.delete(queue)
      queue.flush()
      if (performance.now() > end) break
    }
    joined = undefined
    isDue = due.size > 0
    if (isDue) setImmediate(run)
  }
  return {
    add(queue) {
      due.add(queue)
      if (isDue) return
      isDue = true
      queueMicrotask(run)
    },
    remove: (queue) => void due.delete(queue),
    pieces(chunks, bytes) {
      const all = chunks.map((chunk) => chunk.bytes)
      if (chunks.length === 1 || bytes > JOINED) return all
      const isSame = joined?.chunks.length === chunks.length && joined.chunks.every((chunk, i) => chunk === chunks[i])
      joined = isSame ? joined : { chunks, pieces: [Buffer.concat(all)] }
      return joined!.pieces
    },
  }
}
