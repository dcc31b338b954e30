import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into the built service, on Linux: at SIGUSR2 the longest turn of its event loop since the last one is in the file LONGEST_TURN, in milliseconds of
 * processor time of the main thread, so that it does not matter what a busy machine does meanwhile.
 */

const threadTime = () => Number.parseInt(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1'), 10) / 1e6

if (isMainThread) {
  let [longest, last] = [0, threadTime()]
  const see = () => {
    const now = threadTime()
    longest = Math.max(longest, now - last)
    last = now
  }
  // Turns that are shorter than this are seen together.
  setInterval(see, 10).unref()
  process.on('SIGUSR2', () => {
    see()
    writeFileSync(process.env.LONGEST_TURN, `${Math.round(longest)} ms`)
    longest = 0
  })
}
