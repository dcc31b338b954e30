import { readlinkSync } from 'node:fs'
import { statOf } from '../process-identity.ts'

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
  // utime and stime.
  const fields = statOf(`self/task/${id}`)
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}
