import type { Head } from './liteserver.ts'
import { createWaiting } from './waiting.ts'

/** Publishes the heads of a source. `first` is undefined if the source has no head yet. */
export const createHeadHub = <First extends Head | undefined>(first: First) => {
  let newest: Head | First = first
  let closed = false
  const { join, wake } = createWaiting()
  return {
    head: (): Head | First => newest,
    set(head: Head): void {
      newest = head
      wake()
    },
    close(): void {
      closed = true
      wake()
    },
    /** Heads in order, beginning with the current head. A slow consumer gets only the newest head. Ends when the signal is aborted, or when the hub is closed. */
    async *heads(signal: AbortSignal): AsyncGenerator<Head> {
      let published: Head | undefined
      while (!signal.aborted && !closed) {
        if (newest === undefined || newest === published) await join(Number.POSITIVE_INFINITY, signal)
        else {
          published = newest
          yield published
        }
      }
    },
  }
}
