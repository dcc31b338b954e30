import type { Head } from '../../liteserver.ts'

export interface HeadHub {
  head(): Head
  set(head: Head): void
  /** Heads in order, beginning with the current head. A slow consumer gets only the newest head. Ends when the signal is aborted, or when the hub is closed. */
  heads(signal: AbortSignal): AsyncIterable<Head>
  close(): void
}

export const createHeadHub = (first: Head): HeadHub => {
  let newest = first
  let closed = false
  const waiting = new Set<() => void>()
  const change = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      waiting.add(done)
      signal.addEventListener('abort', done)
    })
  return {
    head: () => newest,
    set: (head) => {
      newest = head
      for (const wake of [...waiting]) wake()
    },
    close() {
      closed = true
      for (const wake of [...waiting]) wake()
    },
    async *heads(signal) {
      let published: Head | undefined
      while (!signal.aborted && !closed) {
        if (published === newest) await change(signal)
        else {
          published = newest
          yield published
        }
      }
    },
  }
}
