import type { Chunk } from './chunk.ts'

/*
 * Writes to each reader at most once in a turn of the event loop, however much it is given in that turn: a system call costs more than a few hundred bytes.
 */

/** Milliseconds of one turn that are spent on writing. The remaining readers follow in the next turn, so that many readers do not delay other work. */
const TURN = 5
/** Larger chunks, in bytes, are not joined with others: joining would give each slow reader a copy of its own. */
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
