/** Pauses that can end early, one at a time: `wake` ends the newest. Their timers do not keep the process running. */
export const createRest = () => {
  let wake = (): void => {}
  return {
    /** Resolves after some milliseconds, or when `wake` is called. */
    rest: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds).unref()
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    wake: (): void => wake(),
  }
}
