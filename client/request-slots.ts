const MAX_WAITING = 10_000

/** At most `concurrency` requests run at once, and at most `rps` requests start per second, evenly spaced. */
export const createLanes = (concurrency: number, rps: number) => {
  const waiting: { readonly signal: AbortSignal; readonly go: (taken: boolean) => void }[] = []
  let active = 0
  /** `next`: earliest start of the next request under `rps`. `until`: end of the pause. */
  let next = 0
  let until = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const pump = (): void => {
    while (waiting.length > 0 && active < concurrency) {
      const now = performance.now()
      const { signal, go } = waiting[0]!
      if (!signal.aborted) {
        const wait = Math.max(next, until) - now
        if (wait > 0) {
          if (!timer)
            timer = setTimeout(() => {
              timer = undefined
              pump()
            }, wait)
          return
        }
        next = now + 1000 / rps
        active++
      }
      waiting.shift()
      go(!signal.aborted)
    }
  }
  return {
    /**
     * Waits for a free slot. Resolves with true once the slot is taken; call `leave` when the request has ended. Resolves with false if the signal is aborted
     * or too many requests wait.
     */
    enter: (signal: AbortSignal) =>
      new Promise<boolean>((go) => {
        if (waiting.length >= MAX_WAITING) return go(false)
        waiting.push({ signal, go })
        pump()
      }),
    leave(): void {
      active--
      pump()
    },
    /** Starts no request for `ms` milliseconds. */
    pause(ms: number): void {
      until = Math.max(until, performance.now() + ms)
    },
    /** Remaining milliseconds of a pause; 0 if there is none. */
    paused: () => Math.max(0, until - performance.now()),
  }
}
