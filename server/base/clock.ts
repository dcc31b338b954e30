export interface Clock {
  /** Unix time in whole seconds. */
  now(): number
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  ticks(): number
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  ticks: () => performance.now(),
}
