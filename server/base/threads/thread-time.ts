import { readFileSync, readlinkSync } from 'node:fs'

/* Processor time of one thread, from Linux's /proc. Other systems do not have it. */

/** Clock ticks per second in /proc, on every architecture of Linux. */
const TICKS = 100

export const threadId = (): number | undefined => {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}

/** Processor time (seconds) of a thread of this process. NaN without /proc, and after the thread has ended. */
export const threadTime = (id: number | undefined): number => {
  if (id === undefined) return Number.NaN
  try {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'latin1')
    // The command may contain spaces, so fields are counted after it: utime is the 12th and stime the 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return Number.NaN
  }
}
