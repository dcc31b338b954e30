import type { OnHead } from '../store/head/head-in-memory.ts'

/** Milliseconds after which the head is checked without a notification, because a notification can get lost with its connection. */
const LOOK_MS = 500

export const createWake = (onHead: OnHead) => {
  let isClosed = false
  let isDue = false
  let wake: (() => void) | undefined
  const stop = onHead(() => {
    isDue = true
    wake?.()
  })
  return {
    /** Resolves when the head may have changed since the last call, or after LOOK_MS. */
    async next(): Promise<void> {
      if (!isDue && !isClosed) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, LOOK_MS)
          timer.unref()
        })
        clearTimeout(timer)
        wake = undefined
      }
      isDue = false
    },
    close(): void {
      isClosed = true
      stop()
      wake?.()
    },
  }
}
