let listener: (() => void) | undefined

/** Calls `run` when the first tonway of this thread has started. */
export const onFirstStart = (run: () => void): void => {
  listener = run
}

/** A tonway has started in this thread. */
export const started = (): void => {
  listener?.()
  listener = undefined
}
