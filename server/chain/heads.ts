import type { Head, LiteServer } from './liteserver.ts'

export interface Heads {
  head(): Head
  /** Heads in order, beginning with the current head. A slow consumer gets only the newest head. Ends when the signal is aborted or the source ends. */
  heads(signal: AbortSignal): AsyncIterable<Head>
  readonly ready: Promise<void>
  close(): void
}

/**
 * Follows the heads of a source. If the source has `head`, each call of `head` reads the source directly, so that the result is never older than the
 * source's head.
 */
export const createHeads = (source: Pick<LiteServer, 'heads' | 'head'>): Heads => {
  const stop = new AbortController()
  const readers = new Set<() => void>()
  let current: Head | undefined
  let ended = false

  const wake = (): void => {
    for (const reader of readers) reader()
  }
  const follow = async (first: () => void): Promise<void> => {
    try {
      for await (const next of source.heads(stop.signal)) {
        current = next
        first()
        wake()
      }
    } finally {
      ended = true
      wake()
    }
  }
  const ready = new Promise<void>((resolve, reject) => {
    follow(resolve).then(() => reject(new Error('the source ended before its first head')), reject)
  })
  // Callers of `ready` get this error. Without a caller the error must not become an unhandled rejection.
  ready.catch(() => undefined)

  const lastHead = (): Head => {
    if (current === undefined) throw new Error('no head is known yet')
    return current
  }

  return {
    head: source.head ?? lastHead,
    ready,
    async *heads(signal) {
      let seen: Head | undefined
      let notify = (): void => undefined
      const reader = (): void => notify()
      readers.add(reader)
      signal.addEventListener('abort', reader, { once: true })
      try {
        await ready
        while (!signal.aborted) {
          if (current !== seen && current !== undefined) {
            seen = current
            yield seen
          } else if (ended) return
          else {
            await new Promise<void>((resolve) => {
              notify = resolve
            })
          }
        }
      } finally {
        readers.delete(reader)
        signal.removeEventListener('abort', reader)
      }
    },
    close: () => stop.abort(),
  }
}
