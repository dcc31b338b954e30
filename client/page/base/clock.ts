import { span } from './format.ts'
import { live, status } from './live.ts'
import { createStore, useStore } from './store.ts'

const browserNow = (): number => Math.floor(Date.now() / 1000)

/** Seconds by which the chain's clock is ahead of the browser's. The time of an embedded chain can be moved forward, and a browser's clock can be slow. */
const clockLead = createStore(0)

const LEAST_LEAD = 60

/** How far the chain's clock is ahead of the browser's, in words; '' if it is less than a minute. */
export const useLead = (): string => useStore(clockLead, (seconds) => (seconds < LEAST_LEAD ? '' : span(seconds)))

/** Unix seconds: the browser's or the chain's time, whichever is later, so that new blocks are never in the future. */
const clock = createStore(browserNow())

const tick = (): void => clock.set(browserNow() + clockLead.get())

/** Seconds by which two measurements of the lead can differ although both clocks run normally. */
const JITTER = 2

/** Updates the lead from a chain time (unix seconds) that was just received. */
const readTime = (utime: number): void => {
  const lead = Math.max(0, Math.floor(utime) - browserNow())
  if (Math.abs(lead - clockLead.get()) <= JITTER) return
  clockLead.set(lead)
  tick()
}

/** Unix seconds of the newest block. */
let newest = 0
live.subscribe(() => {
  const { utime } = live.get()
  if (utime === newest) return
  newest = utime
  // The head of /status can be old, because a chain without messages makes no blocks. The listener below adds the head's age to its time.
  if (status.get()?.head?.utime !== utime) readTime(utime)
})
status.subscribe(() => {
  const { head, head_age: age = 0 } = status.get() ?? {}
  if (head && head.utime >= newest) readTime(head.utime + age)
})
setInterval(tick, 1_000)

/** Current unix seconds. The component is drawn again each second; with `select`, only when the selected value changes. */
export const useNow = <S = number>(select?: (now: number) => S): S => useStore<number, S>(clock, select)
