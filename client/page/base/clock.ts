import { span } from './format.ts'
import { live, status } from './live.ts'
import { createStore, useStore } from './store.ts'

/* The time that ages are counted from. */

const browserNow = (): number => Math.floor(Date.now() / 1000)

/** Seconds that the chain's clock is ahead of the browser's. The time of an embedded chain can be moved forward, and clocks of browsers can be late. */
const clockLead = createStore(0)

/** Seconds that a browser's clock may be late without a word about it. */
const LEAST_LEAD = 60

/** How far the chain's clock is ahead, in words; '' if it is about the same. */
export const useLead = (): string => useStore(clockLead, (seconds) => (seconds < LEAST_LEAD ? '' : span(seconds)))

/** Unix seconds: the browser's, or the chain's if those are later. A block that was just made is never in the future. */
const clock = createStore(browserNow())

const tick = (): void => clock.set(browserNow() + clockLead.get())

/** Seconds by which two readings of the lead differ although no clock has moved. */
const JITTER = 2

/** Takes the chain's time (unix seconds) from what was just received. */
const readTime = (utime: number): void => {
  const lead = Math.max(0, Math.floor(utime) - browserNow())
  if (Math.abs(lead - clockLead.get()) <= JITTER) return
  clockLead.set(lead)
  tick()
}

/** Time of the newest block. */
let newest = 0
live.subscribe(() => {
  const { utime } = live.get()
  if (utime === newest) return
  newest = utime
  // A block that /status knows can be old: a chain without messages makes none.
  if (status.get()?.head?.utime !== utime) readTime(utime)
})
status.subscribe(() => {
  const { head, head_age: age = 0 } = status.get() ?? {}
  if (head && head.utime >= newest) readTime(head.utime + age)
})
setInterval(tick, 1_000)

/** The present in unix seconds; the view is drawn again each second. `select` makes less of it, so that it is drawn less often. */
export const useNow = <S = number>(select?: (now: number) => S): S => useStore<number, S>(clock, select)
