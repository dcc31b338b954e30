import { createRest } from '../base/promises/rest.ts'
import type { OnHead } from '../store/head/head-in-memory.ts'

/** Milliseconds after which the head is checked without a notification, because a notification can get lost with its connection. */
const LOOK_MS = 500

export const createWake = (onHead: OnHead) => {
  let isDue = false
  const { rest, wake } = createRest()
  const stop = onHead(() => {
    isDue = true
    wake()
  })
  return {
    /** Resolves when the head may have changed since the last call, or after LOOK_MS. */
    async next(): Promise<void> {
      if (!isDue) await rest(LOOK_MS)
      isDue = false
    },
    close(): void {
      isDue = true
      stop()
      wake()
    },
  }
}
