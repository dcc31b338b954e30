import { readFileSync, readlinkSync } from 'node:fs'

/* Processor time of one thread, as Linux tells it. Other systems do not. */

/** Clock ticks in a second, as Linux counts processor time in /proc on every architecture. */
const TICKS = 100

/** The system's id of this thread; undefined if the system does not tell. */
export const threadId = (): number | undefined => {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}

/** Processor seconds that a thread of this process has used; NaN if the system does not tell, or the thread has ended. The fields after the command: utime is the 12th, stime the 13th. */
export const threadTime = (id: number | undefined): number => {
  if (id === undefined) return Number.NaN
  try {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return Number.NaN
  }
}
