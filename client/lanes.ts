/** Bounds on what is under way to one server. */
export interface Lanes {
  /** Resolves when the turn has come: true if a lane was taken (then `leave` it), false if the signal was aborted or too many wait. */
  enter(signal: AbortSignal): Promise<boolean>
  leave(): void
  /** Nothing begins for so many milliseconds. */
  pause(ms: number): void
  /** So many milliseconds are left of a pause. */
  paused(): number
}

/** At most so many wait. */
const MAX_WAITING = 10_000

/** At most `concurrency` at once, and at most `rps` beginnings a second, evenly spaced. */
export const createLanes = (concurrency: number, rps: number): Lanes => {
  const waiting: { readonly signal: AbortSignal; readonly go: (taken: boolean) => void }[] = []
  let active = 0
  /** When the next may begin by rate, and when the pause ends. */
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
    enter: (signal) =>
      new Promise((go) => {
        if (waiting.length >= MAX_WAITING) return go(false)
        waiting.push({ signal, go })
        pump()
      }),
    leave() {
      active--
      pump()
    },
    pause(ms) {
      until = Math.max(until, performance.now() + ms)
    },
    paused: () => Math.max(0, until - performance.now()),
  }
}
