/*
 * One client's last second: a log of accepted units, so that a limit holds in EVERY second, wherever it begins. A counter that restarts each second
 * passes twice its limit around the restart. A token bucket passes its depth on top of the limit.
 *
 * Time is in ticks of a tenth of a millisecond. Units of one tick share an entry, so a log has at most TICKS + 1 entries and never more than
 * the limit has units. Rounding goes against the caller: a unit is free after more than TICKS ticks, which is never before a second.
 */

/** Ticks in a second. */
export const TICKS = 10_000

/** The units accepted within the last second. */
export interface Window {
  /** Ticks of entries, ascending; those before `head` have expired. */
  ticks: number[]
  /** Units accepted up to and including each entry, since the window was last empty. */
  totals: number[]
  head: number
  /** Units of the expired entries. */
  expired: number
}

export const createWindow = (): Window => ({ ticks: [], totals: [], head: 0, expired: 0 })

/** Expired entries that may stay in front before they are cut off. */
const SLACK = 32

const expire = (window: Window, now: number): void => {
  const { ticks, totals } = window
  while (window.head < ticks.length && now - ticks[window.head]! > TICKS) window.expired = totals[window.head++]!
  if (window.head === ticks.length) {
    ticks.length = 0
    totals.length = 0
    window.head = 0
    window.expired = 0
  } else if (window.head > SLACK && window.head * 2 > ticks.length) {
    window.ticks = ticks.slice(window.head)
    window.totals = totals.slice(window.head)
    window.head = 0
  }
}

const totalOf = ({ totals }: Window): number => (totals.length === 0 ? 0 : totals[totals.length - 1]!)

const add = ({ ticks, totals }: Window, now: number, total: number): void => {
  if (ticks[ticks.length - 1] === now) totals[totals.length - 1] = total
  else {
    ticks.push(now)
    totals.push(total)
  }
}

/**
 * Takes `weight` units at tick `now`, which must never go back. False if they do not fit beside those of the last second. A weight above the limit
 * takes the whole limit, so such a call uses a second alone.
 */
export const takeFrom = (window: Window, now: number, limit: number, weight: number): boolean => {
  expire(window, now)
  const units = Math.min(weight, limit)
  const total = totalOf(window)
  if (limit <= 0 || total - window.expired + units > limit) return false
  add(window, now, total + units)
  return true
}

/** Counts units of finished work, whether they fit or not. Capped at `limit` units, one second's quota. */
export const chargeTo = (window: Window, now: number, limit: number, units: number): void => {
  expire(window, now)
  add(window, now, totalOf(window) + Math.min(units, Math.max(0, limit)))
}
