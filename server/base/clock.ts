/** Time as the service sees it; tests give their own. */
export interface Clock {
  /** Unix seconds, whole. */
  now(): number
  /** Milliseconds of a clock that never goes back; only differences are meaningful. */
  ticks(): number
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  ticks: () => performance.now(),
}
