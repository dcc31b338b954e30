import type { OnHead } from '../store/head/present-head.ts'
import type { ToldHead } from '../store/schema/head.ts'

/* Wakes the hub when the index has published a block. */

/** Milliseconds after which a waiting reader looks without a notification, because one can get lost with its connection. */
const LOOK_MS = 500

export interface Wake {
  /** Resolves when the head may have changed since the last call, or after LOOK_MS; with the new head if its writer has told it. */
  next(): Promise<ToldHead | undefined>
  close(): void
}

export const createWake = (onHead: OnHead): Wake => {
  let isClosed = false
  let isDue = false
  let told: ToldHead | undefined
  let wake: (() => void) | undefined
  const stop = onHead((head) => {
    isDue = true
    told = head
    wake?.()
  })
  return {
    async next() {
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
      const head = told
      isDue = false
      told = undefined
      return head
    },
    close() {
      isClosed = true
      stop()
      wake?.()
    },
  }
}
