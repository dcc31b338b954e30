/*
 * Sliding-window log of one bucket's accepted units, so that the limit holds in EVERY period of one second. A counter that restarts each second allows
 * twice the limit around a restart; a token bucket allows its depth in addition to the limit.
 * Time is in ticks of a tenth of a millisecond. Units of the same tick share an entry, so a log has at most TICKS + 1 entries, and never more entries than
 * the limit has units. A unit becomes free after more than TICKS ticks, so rounding never frees it before a full second.
 */

export const TICKS = 10_000

export interface Window {
  /** Ticks of entries, in ascending order. */
  readonly ticks: number[]
  /** Units accepted up to and including each entry, since the window was last empty. */
  readonly totals: number[]
  /** Units of entries that have expired. */
  expired: number
}

export const createWindow = (): Window => ({ ticks: [], totals: [], expired: 0 })

const expire = (window: Window, now: number): void => {
  const { ticks, totals } = window
  while (ticks.length > 0 && now - ticks[0]! > TICKS) {
    ticks.shift()
    window.expired = totals.shift()!
  }
  if (ticks.length === 0) window.expired = 0
}

const totalOf = ({ totals }: Window): number => totals.at(-1) ?? 0

const add = ({ ticks, totals }: Window, now: number, total: number): void => {
  if (ticks.at(-1) === now) totals[totals.length - 1] = total
  else {
    ticks.push(now)
    totals.push(total)
  }
}

/**
 * Takes `weight` units at tick `now`, which must never decrease. Returns false if the units exceed the limit together with those of the last second. A
 * weight above the limit counts as the limit, so such a call fits only if the last second had no other units.
 */
export const takeFrom = (window: Window, now: number, limit: number, weight: number): boolean => {
  expire(window, now)
  const units = Math.min(weight, limit)
  const total = totalOf(window)
  if (limit <= 0 || total - window.expired + units > limit) return false
  add(window, now, total + units)
  return true
}

/** Counts units of finished work, even if they exceed the limit. At most `limit` units are counted, which is the quota of one second. */
export const chargeTo = (window: Window, now: number, limit: number, units: number): void => {
  expire(window, now)
  add(window, now, totalOf(window) + Math.min(units, Math.max(0, limit)))
}
