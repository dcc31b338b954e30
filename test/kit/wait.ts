import { setTimeout as sleep } from 'node:timers/promises'

export { sleep }

/**
 * Waits until the condition holds; checks every `every` milliseconds, at least once a second: a longer time is a limit that stands in the wrong place. Throws Error
 * before two minutes, the limit of long tests, with the condition's text.
 */
export const until = async (condition: () => boolean | Promise<boolean>, every = 5): Promise<void> => {
  if (every > 1_000) throw new RangeError(`every ${every} ms is too seldom to look`)
  const end = performance.now() + 110_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`did not come true within 110 seconds: ${condition}`)
    await sleep(every)
  }
}
